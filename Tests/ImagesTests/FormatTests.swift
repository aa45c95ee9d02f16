import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// The pixels of images in many formats, and the sizes that their headers give without decoding.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)), .limited) final class FormatTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  private func rows(_ bytes: [UInt8]) async throws -> [[Int]] { try await folder.image(bytes).rows }

  /// Returns the size that the reader of metadata finds, which a folder's list shows.
  private func listedSize(_ bytes: [UInt8]) async throws -> [Int] {
    let workers = MetadataWorkers(workerPath: ImageLoaderTests.readerPath, workerCount: 1)
    let record = try await workers.metadata(of: [FoundPhoto(path: try folder.write(bytes, as: "listed"))])[0].get()
    let metadata = record.metadata
    return [metadata.width, metadata.height]
  }

  // MARK: - BMP

  private static let (black, red, green, blue) = (0x000000, 0xFF0000, 0x00FF00, 0x0000FF)
  /// Black, red, green, and blue as a palette. Each color is stored as blue, green, red, and an unused byte.
  private static let palette: [UInt8] = [0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0]

  @Test func runsOfBytesAreDecoded() async throws {
    // Two reds and two blues; three literal pixels with padding; and a step to the right. The other pixels are not set.
    let data: [UInt8] = [2, 1, 2, 3, 0, 0, 0, 3, 1, 2, 3, 0, 0, 2, 1, 0, 0, 0, 0, 1]
    let bytes = SampleImage.bmp(
      header: SampleImage.bmpHeader(4, 3, depth: 8, compression: 1, colors: 4), colors: Self.palette, data: data)
    let image = try await folder.image(bytes)
    let (black, red, green, blue) = (Self.black, Self.red, Self.green, Self.blue)
    #expect(image.rows == [[black, black, black, black], [red, green, blue, black], [red, red, blue, blue]])
    #expect(!image.info.isIncomplete)
    #expect(try await listedSize(bytes) == [4, 3])
  }

  @Test func runsOfNibblesAreDecoded() async throws {
    let data: [UInt8] = [5, 0x12, 0, 0, 0, 5, 0x32, 0x10, 0x20, 0, 0, 1]
    let bytes = SampleImage.bmp(
      header: SampleImage.bmpHeader(5, 2, depth: 4, compression: 2, colors: 4), colors: Self.palette, data: data)
    let (black, red, green, blue) = (Self.black, Self.red, Self.green, Self.blue)
    #expect(try await rows(bytes) == [[blue, green, red, black, green], [red, green, red, green, red]])
  }

  /// Runs, literal pixels, and steps may lead out of the image.
  @Test func runsBeyondTheImageAreCut() async throws {
    for data: [UInt8] in [[255, 1, 255, 2, 0, 2, 255, 255, 255, 1], [0, 255, 1], [0, 2, 200, 1, 9, 1], [0], [7]] {
      let header = SampleImage.bmpHeader(4, 3, depth: 8, compression: 1, colors: 1)
      let image = try await folder.image(SampleImage.bmp(header: header, colors: [9, 9, 9, 0], data: data))
      #expect((image.pixels.width, image.pixels.height) == (4, 3))
    }
  }

  @Test func bitmapsOfOS2AreDecoded() async throws {
    let deep = SampleImage.bmp(
      header: SampleImage.coreHeader(2, 2, depth: 24), data: [255, 0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0])
    #expect(try await rows(deep) == [[Self.green, Self.black], [Self.blue, Self.red]])
    #expect(try await listedSize(deep) == [2, 2])
    let colors: [UInt8] = [0, 0, 255, 0, 255, 0]
    let flat = SampleImage.bmp(
      header: SampleImage.coreHeader(3, 1, depth: 1), colors: colors, data: [0b0100_0000, 0, 0, 0])
    #expect(try await rows(flat) == [[Self.red, Self.green, Self.red]])
  }

  @Test func bitmapsOfSixteenBitsAreDecoded() async throws {
    let data = [0x7C00, 0x03E0].flatMap { SampleImage.little($0, 2) }
    let plain = SampleImage.bmp(header: SampleImage.bmpHeader(2, 1, depth: 16, compression: 0), data: data)
    #expect(try await rows(plain) == [[Self.red, Self.green]])
    let masks = [0xF800, 0x07E0, 0x001F].flatMap { SampleImage.little($0, 4) }
    let masked = SampleImage.bmp(
      header: SampleImage.bmpHeader(2, 1, depth: 16, compression: 3) + masks,
      data: [0xF800, 0x001F].flatMap { SampleImage.little($0, 2) })
    #expect(try await rows(masked) == [[Self.red, Self.blue]])
  }

  @Test func theRowsOfAnIncompleteBitmapAreShown() async throws {
    let header = SampleImage.bmpHeader(2, 2, depth: 32, compression: 0)
    let whole = SampleImage.bmp(header: header, data: [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0])
    let image = try await folder.image(whole.dropLast(8))
    #expect(image.rows == [[Self.black, Self.black], [Self.red, Self.green]])
    #expect(image.info.isIncomplete)
    #expect(try await !folder.image(whole).info.isIncomplete)
  }

  // MARK: - Netpbm

  nonisolated static let maps: [(String, [[Int]])] = [
    ("P1\n# a comment\n3 1\n1 0 1\n", [[0x000000, 0xFFFFFF, 0x000000]]),
    ("P2 2 1 15 0 15\n", [[0x000000, 0xFFFFFF]]),
    ("P3\n2 1\n255\n255 0 0  0 0 255\n", [[0xFF0000, 0x0000FF]]),
  ]

  @Test(arguments: maps) func mapsInASCIIAreDecoded(map: (text: String, pixels: [[Int]])) async throws {
    #expect(try await rows(Array(map.text.utf8)) == map.pixels)
  }

  @Test func arbitraryMapsAreDecoded() async throws {
    func map(_ depth: Int, _ most: Int, _ type: String, _ samples: [UInt8]) -> [UInt8] {
      Array("P7\nWIDTH 2\nHEIGHT 1\nDEPTH \(depth)\nMAXVAL \(most)\nTUPLTYPE \(type)\nENDHDR\n".utf8) + samples
    }
    #expect(try await rows(map(1, 1, "BLACKANDWHITE", [0, 1])) == [[0, 0xFFFFFF]])
    #expect(try await rows(map(3, 255, "RGB", [255, 0, 0, 0, 0, 255])) == [[Self.red, Self.blue]])
    #expect(try await rows(map(4, 255, "RGB_ALPHA", [255, 0, 0, 255, 255, 0, 0, 0])) == [[Self.red, Self.black]])
    #expect(try await rows(map(1, 65535, "GRAYSCALE", [255, 255, 0, 0])) == [[0xFFFFFF, 0]])
    let cut = try await folder.image(map(3, 255, "RGB", [255, 0, 0]))
    #expect(cut.rows == [[Self.red, Self.black]])
    #expect(cut.info.isIncomplete)
  }

  @Test func mapsOfFloatingPointAreDecoded() async throws {
    let samples = [0, 0.5, 1, 1, 0, 0].flatMap { SampleImage.Sample.floats.stored($0) }
    // A negative scale means little-endian. The last row comes first.
    #expect(try await rows(Array("PF\n1 2\n-1.0\n".utf8) + samples) == [[Self.red], [0x007FFF]])
  }

  // MARK: - TIFF

  nonisolated static let byteOrders = [false, true]

  @Test(arguments: byteOrders) func bigTIFFsAreDecoded(isBigEndian: Bool) async throws {
    let values: [Double] = [255, 0, 0, 0, 0, 255]
    let bytes = SampleImage.tiff(2, 1, .bytes, bands: 3, values: values, isBig: true, isBigEndian: isBigEndian)
    #expect(try await rows(bytes) == [[Self.red, Self.blue]])
    #expect(try await listedSize(bytes) == [2, 1])
    let turned = SampleImage.tiff(
      2, 1, .bytes, bands: 3, values: values, orientation: 6, isBig: true, isBigEndian: isBigEndian)
    #expect(try await rows(turned) == [[Self.red], [Self.blue]])
    #expect(try await listedSize(turned) == [1, 2])
  }

  @Test func thePagesOfATIFFAreNoAnimation() async throws {
    let page = SampleImage.tiff(2, 1, .bytes, values: [0, 255])
    let directory = Int(page[4]) + Int(page[5]) << 8
    // The last four bytes are the place of the next directory.
    var second = Array(page[directory...])
    // The width of the second page, in its first entry.
    second[10] = 9
    let bytes = page.dropLast(4) + SampleImage.little(page.count, 4) + second
    #expect(try await listedSize(bytes) == [2, 1])
    let image = try await folder.image(bytes)
    #expect(image.rows == [[Self.black, 0xFFFFFF]])
    #expect(image.info.frames == 1)
  }

  nonisolated static let measured: [(SampleImage.Sample, [Double], [Int])] = [
    // Values that come near the end of a usual range are shown unchanged.
    (.floats, [0, 0.5, 0.9], [0, 127, 229]), (.floats, [0, 100, 200], [0, 100, 200]),
    (.longs, [0, 100, 200], [0, 100, 200]), (.longs, [0, 0x8000_0000, 0xFFFF_FFFF], [0, 127, 255]),
    // Other values are scaled from the least to the greatest.
    (.floats, [-200, 300, 800], [0, 127, 255]), (.floats, [0, 0.001, 0.002], [0, 127, 255]),
    (.signedShorts, [-1000, 0, 1000], [0, 127, 255]), (.signedLongs, [-100_000, 0, 100_000], [0, 127, 255]),
    (.floats, [.nan, 0, 1], [0, 0, 255]), (.floats, [.infinity, 0, 1], [255, 0, 255]),
    (.floats, [7, 7, 7], [0, 0, 0]), (.floats, [.nan, .nan, .nan], [0, 0, 0]),
    // The greatest value is half of the end of a range, and more than that.
    (.floats, [0, 0.25, 0.5], [0, 127, 255]), (.floats, [0, 0.25, 0.51], [0, 64, 130]),
    (.floats, [0, 51, 127.5], [0, 102, 255]), (.floats, [0, 51, 128], [0, 51, 128]),
    (.floats, [0, 16_384, 32_767], [0, 127, 255]), (.floats, [0, 16_384, 32_768], [0, 64, 127]),
    (.floats, [0, 51, 255], [0, 51, 255]), (.floats, [0, 128, 256], [0, 127, 255]),
    (.longs, [0, 257, 65_535], [0, 1, 255]), (.longs, [0, 32_768, 65_536], [0, 127, 255]),
    (.floats, [-1, 0, 1], [0, 127, 255]), (.floats, [5, 6, 7], [0, 127, 255]),
  ]

  @Test(arguments: measured)
  func measuredValuesAreScaledByTheirRange(values: (SampleImage.Sample, [Double], [Int])) async throws {
    let bytes = SampleImage.tiff(3, 1, values.0, values: values.1)
    for view in [ImageView.whole, .zoomed(scale: 65536, centerX: 32768, centerY: 32768)] {
      let shades = try await folder.image(bytes, view: view).rows[0].map { $0 & 0xFF }
      for (shade, wanted) in zip(shades, values.2) { #expect(abs(shade - wanted) <= 1, "\(values): \(shades)") }
    }
  }

  /// It may be an opacity, or anything else.
  @Test func aSecondBandOfMeasuredValuesIsNotShown() async throws {
    let bytes = SampleImage.tiff(3, 1, .floats, bands: 2, values: [0, -900, 100, 7, 200, 900])
    #expect(try await folder.image(bytes).rows[0].map { $0 & 0xFF } == [0, 100, 200])
  }

  // MARK: - SVG

  nonisolated static let heads = [
    "<!-- A comment, <b> and - more -->\n", "\u{FEFF}",
    "<?xml version='1.0'?>\n<!-- \(String(repeating: "x", count: 900)) -->",
    "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n", " \n",
  ]

  @Test(arguments: heads) func commentsMayComeBeforeADrawing(head: String) async throws {
    let svg =
      "<svg xmlns='http://www.w3.org/2000/svg' width='2' height='1'><rect width='2' height='1' fill='red'/></svg>"
    #expect(try await rows(Array((head + svg).utf8)) == [[Self.red, Self.red]])
  }

  @Test func textsThatOnlyMentionDrawingsAreNotImages() async throws {
    for text in ["<html><svg/></html>", "<!-- <svg> -->", "<!-- <svg", "P4ssword", "<?xml version='1.0'?><rss>"] {
      #expect(await folder.answer(try folder.write(text.utf8)).content == .failure(.unknownFormat), "\(text)")
    }
  }

  // MARK: - HEIF

  /// The brands are those of animations, of which the first image is shown, and of phones.
  @Test(arguments: [(RealPhoto.avif, "avis"), (.heic, "mif2"), (.heic, "msf1")])
  func aFileThatConformsToAKnownBrandIsShown(photo: RealPhoto, brand: String) async throws {
    var bytes = photo.bytes
    bytes.replaceSubrange(8..<12, with: brand.utf8)
    let image = try await folder.image(bytes)
    let usual = try await folder.image(photo.bytes)
    #expect((image.pixels.width, image.pixels.height) == (25, 16))
    #expect(image.pixels.rgb == usual.pixels.rgb)
  }

  /// libheif before version 1.18 refuses the photos of iPhones with iOS 18, whose metadata describe two images. The
  /// file's own metadata are tested with those of the other formats.
  @Test(arguments: [ImageView.whole, .filling, .zoomed(scale: 65536, centerX: 16384, centerY: 49152)])
  func aPhotoWithAGainMapIsShown(view: ImageView) async throws {
    func image(_ photo: RealPhoto) async throws -> DecodedImage {
      try DecodedImage(await folder.answer(folder.write(photo.bytes), view: view, columns: 12))
    }
    let (usual, image) = (try await image(.heic), try await image(.heicWithGainMap))
    #expect(image.pixels.rgb == usual.pixels.rgb)
    #expect((image.info.width, image.info.height) == (25, 16))
    #expect(!image.info.isIncomplete)
  }

  /// The properties of an item may come in any order, but libheif before version 1.18 computes the size of a rotated or cropped
  /// image from those behind the size alone.
  @Test func theSizeOfAnImageMayComeBehindItsRotation() async throws {
    var first = RealPhoto.heic.bytes
    let pixi = try #require(first.firstRange(of: "pixi".utf8)).lowerBound
    // The box has the length of the other one. Only its first byte counts.
    first.replaceSubrange(pixi..<pixi + 5, with: Array("irot".utf8) + [1])
    let associations = try #require(first.firstRange(of: [0, 2, 2, 3, 0x84] as [UInt8])).lowerBound
    var last = first
    last.replaceSubrange(associations + 3..<associations + 5, with: [0x84, 3])
    let (usual, image) = (try await folder.image(first), try await folder.image(last))
    #expect((usual.info.width, usual.info.height) == (16, 25))
    #expect((image.info.width, image.info.height) == (16, 25))
    #expect(image.pixels.rgb == usual.pixels.rgb)
  }

  /// Sony's cameras write such previews. The image itself is shown instead.
  @Test func aPreviewOfAnotherSizeThanTheFileSaysIsNotUsed() async throws {
    var bytes = RealPhoto.heic.bytes
    func replace(_ old: [UInt8], _ new: [UInt8]) throws {
      bytes.replaceSubrange(try #require(bytes.firstRange(of: old)), with: new)
    }
    func size(_ width: Int, _ height: Int) -> [UInt8] {
      Array("ispe".utf8) + SampleImage.big(0, 4) + SampleImage.big(width, 4) + SampleImage.big(height, 4)
    }
    // The image becomes as large as its tile. The tile becomes its preview, too, and half as large by the file's words.
    try replace(size(64, 64), size(32, 32))
    try replace(size(25, 16), size(64, 64))
    try replace([0, 0, 0, 25, 0, 16], [0, 0, 0, 64, 0, 64])
    try replace(Array("cdsc".utf8) + [0, 3, 0, 1, 0, 2], Array("thmb".utf8) + [0, 1, 0, 1, 0, 2])
    let file = try folder.write(bytes)
    for columns in [12, 64] {
      let image = try DecodedImage(await folder.answer(file, columns: columns))
      #expect((image.info.width, image.info.height) == (64, 64))
    }
  }

  /// A decoder's threads once reserved so many addresses that large images of phones did not fit below the limit.
  @Test func aDecodersThreadsReserveNoAddresses() async throws {
    for photo in [RealPhoto.heic, .avif, .heic] { _ = try await folder.image(photo.bytes) }
    let processes = ImageFolder.processes(running: folder.workerPath)
    #expect(processes.count == 1)
    for process in processes {
      let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
      let reserved = maps.split(separator: "\n").filter { line in
        let words = line.split(separator: " ")
        let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
        return words[1].hasPrefix("---") && words[4] == "0" && ends[1] - ends[0] > 32 << 20
      }
      #expect(reserved.isEmpty)
    }
  }

  /// The name by which the decoder opened a damaged file means nothing to the user.
  @Test func messagesContainNoInternalPath() async throws {
    var files = RealPhoto.allCases.flatMap { photo in
      stride(from: 20, to: photo.bytes.count, by: 97).map { Array(photo.bytes.prefix($0)) }
    }
    let tiff = SampleImage.tiff(2, 1, .bytes, values: [1, 2], isBig: true)
    files += [Array(tiff.dropLast(40)), Array("P3 9 9".utf8), Array("<svg".utf8), Array("GIF89a".utf8)]
    var failures = 0
    for file in files {
      guard case .failure(let fault) = await folder.answer(try folder.write(file)).content else { continue }
      failures += 1
      let reason = fault.message
      #expect(!reason.contains("/proc") && !reason.contains("bad seek"), "\(reason)")
    }
    #expect(failures > 10)
  }

  // MARK: - Sharpness

  /// libjpeg shrinks by eighths. Just below one of those sizes, nothing would be left for the better filter.
  @Test(arguments: ["chelsea", "coffee"], [(percent: 49, least: 90.0), (30, 90), (24, 40), (10, 36)])
  func aShrunkJPEGIsAsSharpAsOneThatIsDecodedInFull(name: String, size: (percent: Int, least: Double)) async throws {
    let photo = FilePath("\(ImageLoaderTests.photos)/\(name).jpg")
    let whole = try DecodedImage(await folder.answer(photo, columns: 4000)).pixels
    let head = "P7\nWIDTH \(whole.width)\nHEIGHT \(whole.height)\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n"
    let map = try folder.write(Array(head.utf8) + whole.rgb)
    let columns = whole.width * size.percent / 100
    let shrunk = try DecodedImage(await folder.answer(photo, columns: columns)).pixels
    let wanted = try DecodedImage(await folder.answer(map, columns: columns)).pixels
    let sum = zip(shrunk.rgb, wanted.rgb).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    let ratio = 10 * log10(255 * 255 * Double(wanted.rgb.count) / Double(max(1, sum)))
    print("\(name) at \(size.percent) %: \(ratio) dB")
    #expect((shrunk.width, shrunk.height) == (wanted.width, wanted.height))
    #expect(ratio > size.least)
  }

  // MARK: - Profiles

  /// A value of 128 in a linear profile is 188 in sRGB.
  @Test(arguments: [ImageView.whole, .filling, .zoomed(scale: 65536, centerX: 32768, centerY: 32768)])
  func profilesAreApplied(view: ImageView) async throws {
    let gray = SquareJPEG(columns: 3, rows: 3, shades: Array(repeating: 128, count: 9))
    let rgb = [UInt8](repeating: 128, count: 16 * 16 * 3)
    let profile = SampleImage.linearProfile(isGray: false)
    for (name, bytes, wanted) in [
      ("JPEG", gray.baseline(segments: [SquareJPEG.profile(SampleImage.linearProfile(isGray: true))]), 188),
      ("JPEG without", gray.baseline(), 128), ("PNG", SampleImage.png(16, 16, rgb: rgb, profile: profile), 188),
      ("PNG without", SampleImage.png(16, 16, rgb: rgb), 128),
      ("PNG of a damaged one", SampleImage.png(16, 16, rgb: rgb, profile: Array(profile.prefix(200))), 128),
    ] {
      let answer = await folder.answer(try folder.write(bytes), view: view, columns: 16)
      let shade = try DecodedImage(answer)[8, 8] & 0xFF
      #expect(abs(shade - wanted) <= 2, "\(name): \(shade)")
    }
  }
}
