import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

/// The bytes for the terminal, decoded again by decoders of the published protocols.
@MainActor
@Suite(.serialized, .limited) struct OutputFormatTests {
  private let queue = RenditionQueue(workerPath: ImageLoaderTests.workerPath, workerCount: 1)
  private static let (width, height) = (90, 60)

  /// Returns a pixel of the test image: red grows to the right, green downwards, and blue comes in bars.
  private static func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    [UInt8(x * 255 / (width - 1)), UInt8(y * 255 / (height - 1)), x / 10 % 2 == 0 ? 40 : 200]
  }

  private func withImage<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).ppm").path
    var data = Data("P6 \(Self.width) \(Self.height) 255\n".utf8)
    for y in 0..<Self.height { for x in 0..<Self.width { data += Self.pixel(x, y) } }
    try data.write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }

  private func graphic(_ format: OutputFormat) async throws -> GraphicImage {
    try await withImage { path in
      let answer = await queue.render(
        .show(FilePath(path), 40, 20, cell: (10, 20), format, number: 4711))
      guard case .graphic(let image) = answer.content else { throw Unexpected(content: "\(answer.content)") }
      return image
    }
  }

  private struct Unexpected: Error { let content: String }

  @Test(arguments: [false, true])
  func kittysPixelsAreTheImages(isPassedThrough: Bool) async throws {
    let image = try await graphic(
      .kitty(KittyTransfer(hasPlaceholders: isPassedThrough, isLocal: false, isPassedThrough: isPassedThrough)))
    #expect((image.columns, image.rows, image.width, image.height) == (9, 3, 90, 60))
    let commands = try KittyDecoder.commands(in: image.bytes, isPassedThrough: isPassedThrough)
    let first = try #require(commands.first)
    #expect(commands.allSatisfy { $0.keys["q"] == "2" && $0.payload.count <= 4096 })
    #expect(commands.dropLast().allSatisfy { $0.keys["m"] == "1" } && commands.last?.keys["m"] == "0")
    #expect(first.keys["i"] == "4711" && first.keys["f"] == "100")
    #expect(first.keys["a"] == (isPassedThrough ? "T" : "t") && first.keys["U"] == (isPassedThrough ? "1" : nil))
    let pixels = try KittyDecoder.pixels(of: commands)
    #expect((pixels.width, pixels.height) == (90, 60))
    #expect(pixels.rgb == (0..<Self.height).flatMap { y in (0..<Self.width).flatMap { Self.pixel($0, y) } })
  }

  @Test func kittysFilesHaveThePixelsAndMayBeDeleted() async throws {
    let image = try await graphic(
      .kitty(KittyTransfer(hasPlaceholders: false, isLocal: true, isPassedThrough: false)))
    let command = try #require(try KittyDecoder.commands(in: image.bytes, isPassedThrough: false).first)
    let path = String(decoding: try #require(Data(base64Encoded: Data(command.payload))), as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(command.keys["t"] == "t" && path.contains("tty-graphics-protocol"))
    let pixels = try Data(contentsOf: URL(filePath: path))
    #expect(Array(pixels.prefix(3)) == Self.pixel(0, 0))
    #expect(pixels.count == Self.width * Self.height * 3)
  }

  @Test func sixelsAreCloseToTheImage() async throws {
    let image = try await graphic(.sixel(colors: 256))
    #expect((image.columns, image.rows) == (9, 3))
    let decoded = try SixelDecoder.decode(image.bytes)
    #expect((decoded.width, decoded.height) == (90, 60))
    var error = 0
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let found = try #require(decoded.pixels[y * decoded.width + x], "no pixel at \(x), \(y)")
        error += zip(found, Self.pixel(x, y)).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      }
    }
    let mean = Double(error) / Double(Self.width * Self.height * 3)
    #expect(mean < 8, "the mean error is \(mean)")
  }

  @Test func anITermImageIsAJPEGOfTheRightSize() async throws {
    let image = try await graphic(.iterm)
    let text = String(decoding: image.bytes, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}]1337;File=inline=1;") && text.hasSuffix("\u{07}"))
    #expect(text.contains("width=90px") && text.contains("height=60px"))
    let payload = text.dropLast().drop { $0 != ":" }.dropFirst()
    let jpeg = try #require(Data(base64Encoded: String(payload)))
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(text.contains("size=\(jpeg.count);"))
  }

  /// Every column of an image that changes only sideways has one color.
  @Test(arguments: [224, 225, 226, 227, 228, 450])
  func imagesOfAnyWidthAreNotAslant(width: Int) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).ppm").path
    var data = Data("P6 \(width) 150 255\n".utf8)
    for _ in 0..<150 { for x in 0..<width { data += Array(repeating: UInt8(x * 255 / width), count: 3) } }
    try data.write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let answer = await queue.render(
      .show(
        FilePath(path), 16, 4, cell: (10, 20), .symbols(.truecolor, .blocks),
        as: ImagePresentation(view: .zoomed(scale: 32_768, centerX: 32_768, centerY: 32_768))))
    guard case .cells(let image) = answer.content else { throw Unexpected(content: "\(answer.content)") }
    for column in 0..<image.columns {
      let shades = (0..<image.rows).map { Int(image.cells[$0 * image.columns + column].background & 0xFF) }
      #expect(shades.max()! - shades.min()! < 24, "column \(column): \(shades)")
    }
  }

  /// Files that claim more than they hold get an answer, and the next image is rendered.
  @Test func hostileFilesAffectNoOtherImage() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func bitmap(width: Int32, height: Int32, depth: UInt16) -> Data {
      var bytes = Data("BM".utf8) + Data(count: 8) + Data([54, 0, 0, 0, 40, 0, 0, 0])
      for value in [width, height] { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
      bytes += Data([1, 0, UInt8(depth & 0xFF), 0]) + Data(count: 24)
      return bytes + Data(count: 64)
    }
    let whole = try Data(contentsOf: URL(filePath: "\(ImageLoaderTests.photos)/chelsea.jpg"))
    // The directory of this TIFF is its own successor.
    let circle = Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0])
    var files: [(String, Data)] = [
      ("minimum.bmp", bitmap(width: 1, height: .min, depth: 24)),
      ("huge.bmp", bitmap(width: .max, height: 2, depth: 1)),
      ("negative.bmp", bitmap(width: -5, height: 5, depth: 8)), ("circle.tif", circle),
      ("raw.raf", Data("FUJIFILMCCD-RAW ".utf8) + Data(repeating: 0xFF, count: 200)),
      ("raw.cr3", Data([0, 0, 0, 24]) + Data("ftypcrx ".utf8) + Data("PRVW".utf8) + Data(repeating: 0xFF, count: 99)),
    ]
    for cut in stride(from: 20, to: 4000, by: 331) { files.append(("cut\(cut).jpg", whole.prefix(cut))) }
    for (name, data) in files {
      let path = folder.appending(path: name)
      try data.write(to: path)
      for stage in [RenditionStage.preview, .once] {
        let answer = await queue.render(
          .show(FilePath(path.path), 16, 4, cell: (10, 20), .symbols(.truecolor, .blocks), stage))
        #expect(answer.content != .failure(.crashed), "\(name)")
      }
    }
    _ = try await graphic(.iterm)
  }
}
