import Foundation
import Gallery
import TestLimit
import Testing

@Suite(.limited) struct ImageFormatTests {
  private static func bytes(_ text: String, _ rest: [UInt8] = []) -> [UInt8] {
    let bytes = Array(text.utf8) + rest
    return bytes + Array(repeating: 0, count: max(0, 128 - bytes.count))
  }

  private static let targa: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 48, 0, 24, 0]

  static let heads: [(ImageFormat?, [UInt8])] = [
    (.psd, bytes("8BPS", [0, 1])), (.xcf, bytes("gimp xcf v011")), (.qoi, bytes("qoif")), (.dds, bytes("DDS ")),
    (.icns, bytes("icns")), (.jpegXR, bytes("II", [0xBC, 1])), (.openEXR, bytes("v/1", [1])),
    (.radiance, bytes("#?RADIANCE\n")), (.fits, bytes("SIMPLE  =                    T")),
    (.rawSigma, bytes("FOVb")), (.rawMinolta, bytes("\0MRM")),
    (.rawCIFF, Array("II".utf8) + [26, 0, 0, 0] + bytes("HEAPCCDR")),
    (.rawTIFF, Array("II*\0".utf8) + [0, 10, 0, 0] + bytes("IIIIwaR")),
    (.tiff, bytes("II*\0", [8, 0, 0, 0])), (.jpeg2000, [0xFF, 0x4F, 0xFF, 0x51] + bytes("")),
    (.jpeg2000, [0, 0, 0, 12] + bytes("jP  ")),
    (.ico, [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0] + bytes("")),
    (.ico, [0, 0, 2, 0, 1, 0, 16, 16, 0, 0] + bytes("")),
    (.pcx, [10, 5, 1, 8, 0, 0, 0, 0, 7, 0, 7, 0] + Array(repeating: 0, count: 116)), (.tga, targa + bytes("")),
    (.bmp, bytes("BM", Array(repeating: 0, count: 12) + [40, 0, 0, 0])), (.ppm, bytes("P6 3 2 255\n")),
    (.ppm, bytes("P1\n# a comment\n3 1")), (.pam, bytes("P7\nWIDTH 2")), (.svg, bytes("<!-- x -->\t\r\n<svg/>")),
    (.jpeg, [0xFF, 0xD8, 0xFF] + bytes("")), (.png, [0x89] + bytes("PNG\r\n\u{1A}\n")), (.gif, bytes("GIF87a")),
    (.gif, bytes("GIF89a")), (.webp, bytes("RIFF....WEBP")), (.rawTIFF, bytes("II*\0....CR")),
    (.rawTIFF, bytes("MM\0*....MMMM")), (.rawTIFF, bytes("IIRO")), (.rawTIFF, bytes("MMOR")), (.rawTIFF, bytes("IIRS")),
    (.rawTIFF, bytes("IIU\0")), (.rawFujifilm, bytes("FUJIFILMCCD-RAW ")), (.rawCanon, bytes("....ftypcrx ")),
    (.tiff, bytes("MM\0*", [0, 0, 0, 8])), (.tiff, bytes("II+\0", [8, 0, 0, 0])),
    (.tiff, bytes("MM\0+", [0, 8, 0, 0])), (.jxl, [0xFF, 0x0A] + bytes("")), (.jxl, [0, 0, 0, 12] + bytes("JXL ")),
    (.radiance, bytes("#?RGBE")), (.pcx, [10, 0, 1, 1] + bytes("")), (.pcx, [10, 4, 1, 4] + bytes("")),
    (.tga, [0, 1, 1, 0, 0, 1, 0, 24, 0, 0, 0, 0, 1, 0, 1, 0, 8, 0] + bytes("")),
    (.tga, [0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 16, 0x30] + bytes("")),
    (.tga, [0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 48, 0, 32, 0] + bytes("")),
    (.bmp, bytes("BM", Array(repeating: 0, count: 12) + [124, 0, 0, 0])),
    (.bmp, bytes("BM", Array(repeating: 0, count: 12) + [12, 0, 0, 0])), (.ppm, bytes("PF\n3 2")), (.ppm, bytes("P4#")),
    (.svg, bytes("\u{FEFF}<?xml?><!DOCTYPE svg><svg>")),
    (.quickTime, [0, 0, 0, 20] + bytes("ftypisom\0\0\0\0isom")), (.quickTime, [0, 0, 0, 8] + bytes("wide")),
    (.quickTime, [0, 0, 0, 20] + bytes("ftypqt  \0\0\0\0qt  ")), (.matroska, [0x1A, 0x45, 0xDF, 0xA3] + bytes("")),
    (.avi, bytes("RIFF\0\0\0\0AVI LIST")), (.mpegPS, [0, 0, 1, 0xBA] + bytes("")),
    (.mpegPS, [0, 0, 1, 0xB3] + bytes("")), (.quickTime, [0, 0, 0, 8] + bytes("moov")),
    (.quickTime, [0, 0, 0, 8] + bytes("mdat")), (.flv, bytes("FLV\u{1}\u{5}")),
    (.mpegTS, Array(repeating: [0x47] + Array(repeating: 0, count: 187), count: 3).flatMap(\.self)),
    (.mpegTS, Array(repeating: [0, 0, 0, 0, 0x47] + Array(repeating: 0, count: 187), count: 3).flatMap(\.self)),
    (.asf, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11] + bytes("")),
    (.ogg, Array("OggS".utf8) + Array(repeating: 0, count: 24) + bytes("", [0x80]).prefix(1) + bytes("theora")),
    (.sgi, [0x01, 0xDA, 1, 1, 0, 3] + bytes("")),
    (.xbm, bytes("#define a_width 3\n#define a_height 2\nstatic char a_bits[] = {")),
    // Other files, which begin in a similar way.
    (nil, bytes("#define a_width 3\nint main(void) {}")), (nil, [0x01, 0xDA, 7, 1, 0, 3] + bytes("")),
    (nil, [0, 0, 0, 20] + bytes("ftypM4A \0\0\0\0M4A ")), (nil, Array("OggS".utf8) + bytes("OpusHead")),
    (nil, [0x47] + Array(repeating: 0, count: 600)), (nil, [0, 0, 0, 16] + bytes("ftypM4B ....")),
    (nil, [0, 0, 0, 16] + bytes("ftypM4P ....")), (nil, [0, 0, 0, 8] + bytes("free")),
    (nil, bytes("RIFF....WAVE")), (nil, bytes("MM\0+", [0, 4, 0, 0])), (nil, bytes("8BPT")), (nil, bytes("P8 3 2")),
    (nil, bytes("P5x")), (nil, bytes("BM", Array(repeating: 0, count: 12) + [11, 0, 0, 0])),
    (nil, bytes("BM", Array(repeating: 0, count: 12) + [125, 0, 0, 0])),
    (nil, bytes("BM", Array(repeating: 0, count: 12) + [40, 0, 1, 0])),
    (nil, [0, 0, 1, 0, 0, 0, 16, 16, 0, 0] + bytes("")), (nil, [0, 0, 1, 0, 0, 1, 16, 16, 0, 0] + bytes("")),
    (nil, [0, 0, 1, 0, 1, 0, 16, 16, 0, 1] + bytes("")), (nil, [10, 1, 1, 8] + bytes("")),
    (nil, [10, 5, 0, 8] + bytes("")), (nil, [10, 5, 1, 3] + bytes("")),
    (nil, [10, 5, 1, 8, 2, 0, 0, 0, 1, 0, 0, 0] + bytes("")), (nil, [10, 5, 1, 8, 0, 0, 2, 0, 1, 0, 1, 0] + bytes("")),
    (nil, [0, 1, 2] + targa[3...] + bytes("")), (nil, [0, 0, 4] + targa[3...] + bytes("")),
    (nil, targa[..<16] + [17, 0] + bytes("")), (nil, targa[..<16] + [24, 0x40] + bytes("")),
    (nil, targa[..<12] + [0, 0, 48, 0, 24, 0] + bytes("")), (nil, targa[..<12] + [64, 0, 0, 0, 24, 0] + bytes("")),
    (nil, bytes("<!-- <svg/>")), (nil, bytes("<!DOCTYPE html><p>")),
    (nil, bytes("BMW and other makers of cars that were shown")), (nil, bytes("P1 is the first point of the plan")),
    (nil, bytes("P6")), (nil, bytes("hello")), (nil, []), (nil, Array(repeating: 0, count: 512)),
    (nil, bytes("\n\u{5}x")), (nil, [0, 0, 1, 0xB0] + bytes("")), (nil, [0, 1, 0, 0, 0, 15] + bytes("")),
    (nil, bytes("<html><svg/></html>")), (nil, bytes("\u{E}<svg/>")), (nil, bytes("{\"photos\": []}")),
    (nil, bytes("#!/bin/sh\n")),
    (nil, [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + bytes("")), (nil, [0x1F, 0x8B, 8, 0] + bytes("")),
  ]

  @Test(arguments: heads) func aFormatIsRecognizedByItsFirstBytes(format: ImageFormat?, head: [UInt8]) {
    #expect(ImageFormat(head: head[...]) == format)
  }

  @Test func eachSuffixBelongsToOneFormat() {
    let suffixes = ImageFormat.allCases.flatMap(\.suffixes)
    #expect(Set(suffixes).count == suffixes.count)
    #expect(suffixes.allSatisfy { $0 == $0.lowercased() && (1...4).contains($0.utf8.count) })
    for suffix in ["crw", "mrw", "x3f", "iiq", "srw", "rwl", "3fr", "ico", "tga", "jp2"] {
      #expect(suffixes.contains(suffix), "\(suffix)")
    }
  }

  /// The brand may be any of those that the file names, as long as it is within the box.
  @Test(arguments: [
    (ImageFormat.heif, "heic"), (.heif, "heix"), (.heif, "heim"), (.heif, "heis"), (.heif, "mif1"), (.heif, "avif"),
    (.heif, "avis"), (.quickTime, "isom"), (.quickTime, "heif"),
  ])
  func theBrandsOfAFileOfBoxes(format: ImageFormat, brand: String) {
    #expect(ImageFormat(head: ([0, 0, 0, 20] + Self.bytes("ftyp\(brand)....mp42"))[...]) == format)
    #expect(ImageFormat(head: ([0, 0, 0, 20] + Self.bytes("ftypmp42....\(brand)"))[...]) == format)
    #expect(ImageFormat(head: ([0, 0, 0, 16] + Self.bytes("ftypmp42....\(brand)"))[...]) == .quickTime)
    #expect(ImageFormat(head: ([0, 0, 0, 20] + Self.bytes("fxyp\(brand)....mp42"))[...]) == nil)
  }

  @Test func theEndingsOfFilesThatAreFound() {
    let endings: [ImageFormat: String] = [
      .jpeg: "jpg jpeg jpe jfif jif mpo", .png: "png apng", .gif: "gif", .webp: "webp", .tiff: "tif tiff",
      .heif: "heic heif hif avif", .jxl: "jxl", .svg: "svg", .ppm: "ppm pgm pbm pnm pfm", .pam: "pam",
      .bmp: "bmp dib", .jpeg2000: "jp2 j2k j2c jpc jpx jpf", .radiance: "rgbe", .fits: "fits fts",
      .rawTIFF: "dng nef nrw arw sr2 srf cr2 orf rw2 rwl pef ptx srw 3fr fff iiq erf kdc dcr k25 kc2 mef mos gpr",
      .rawFujifilm: "raf", .rawCanon: "cr3", .rawCIFF: "crw", .rawMinolta: "mrw", .rawSigma: "x3f", .openEXR: "exr",
      .ico: "ico cur", .tga: "tga", .psd: "psd psb", .xcf: "xcf", .pcx: "pcx", .qoi: "qoi", .dds: "dds",
      .icns: "icns", .jpegXR: "jxr wdp hdp", .quickTime: "mov mp4 m4v qt 3gp 3g2", .matroska: "mkv webm", .avi: "avi",
      .mpegTS: "mts m2ts", .mpegPS: "mpg mpeg vob", .asf: "wmv asf", .flv: "flv", .ogg: "ogv", .sgi: "sgi", .xbm: "xbm",
      .pdf: "",
    ]
    for format in ImageFormat.allCases {
      #expect(format.suffixes.joined(separator: " ") == endings[format], "\(format)")
    }
    let raw: Set<ImageFormat> = [.rawTIFF, .rawFujifilm, .rawCanon, .rawCIFF, .rawMinolta, .rawSigma]
    #expect(Set(ImageFormat.allCases.filter(\.isRaw)) == raw)
    let videos: Set<ImageFormat> = [.quickTime, .matroska, .avi, .mpegTS, .mpegPS, .asf, .flv, .ogg]
    #expect(Set(ImageFormat.allCases.filter(\.isVideo)) == videos)
    let unsupported: Set<ImageFormat> = [.xcf, .icns, .jpegXR]
    #expect(Set(ImageFormat.allCases.filter { !$0.isSupported }) == unsupported)
  }

  @Test func eachFormatHasANameOfItsOwn() {
    let names = ImageFormat.allCases.map(\.name)
    #expect(Set(names).count == names.count && !names.contains(""))
  }

  @Test func onlyRegularFilesAreLookedAt() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    try Data(Self.bytes("qoif")).write(to: folder.appending(path: "image"))
    #expect(ImageFormat(of: FilePath(folder.appending(path: "image").path)) == .qoi)
    for name in ["pipe", "gone", ""] { #expect(ImageFormat(of: FilePath(folder.path).appending(name.utf8)) == nil) }
  }
}
