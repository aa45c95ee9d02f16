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
    (.quickTime, [0, 0, 0, 20] + bytes("ftypisom\0\0\0\0isom")), (.quickTime, [0, 0, 0, 8] + bytes("wide")),
    (.quickTime, [0, 0, 0, 20] + bytes("ftypqt  \0\0\0\0qt  ")), (.matroska, [0x1A, 0x45, 0xDF, 0xA3] + bytes("")),
    (.avi, bytes("RIFF\0\0\0\0AVI LIST")), (.mpegPS, [0, 0, 1, 0xBA] + bytes("")), (.flv, bytes("FLV\u{1}\u{5}")),
    (.mpegTS, Array(repeating: [0x47] + Array(repeating: 0, count: 187), count: 3).flatMap(\.self)),
    (.mpegTS, Array(repeating: [0, 0, 0, 0, 0x47] + Array(repeating: 0, count: 187), count: 3).flatMap(\.self)),
    (.asf, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11] + bytes("")),
    (.ogg, Array("OggS".utf8) + Array(repeating: 0, count: 24) + bytes("", [0x80]).prefix(1) + bytes("theora")),
    // Other files, which begin in a similar way.
    (nil, [0, 0, 0, 20] + bytes("ftypM4A \0\0\0\0M4A ")), (nil, Array("OggS".utf8) + bytes("OpusHead")),
    (nil, [0x47] + Array(repeating: 0, count: 600)),
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
