import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

/// The glyphs and colors of images in 24-bit colors, compared with the best ones that an exhaustive search finds.
@MainActor
@Suite(.serialized, .limited) struct GlyphTests {
  private let queue = RenditionQueue(workerPath: ImageLoaderTests.workerPath, workerCount: 1)
  private static let (columns, rows) = (8, 4)
  private static let (width, height) = (columns * 8, rows * 16)

  private typealias Color = SIMD3<Double>

  /// The pixels of a test image: slopes, edges in all directions, and noise.
  private static let image: [Color] = {
    var seed: UInt32 = 1
    return (0..<width * height).map { index in
      let (x, y) = (Double(index % width), Double(index / width))
      seed = seed &* 1_664_525 &+ 1_013_904_223
      let noise = Double(seed >> 24) / 8
      let isInside = (x * 0.31 + y).truncatingRemainder(dividingBy: 23) < 9
      return Color(isInside ? 200 : 40, x, y * 2 + (isInside ? 30 : 0)).rounded(.down) + noise.rounded(.down)
    }
  }()

  private func cells(
    _ symbols: SymbolSet, _ depth: ColorDepth = .truecolor, of image: [Color] = Self.image
  ) async throws -> CellImage {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).ppm").path
    let bytes = image.flatMap { [UInt8($0.x), UInt8($0.y), UInt8($0.z)] }
    try (Data("P6 \(Self.width) \(Self.height) 255\n".utf8) + bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let answer = await queue.render(
      .show(FilePath(path), Self.columns, Self.rows, cell: (8, 16), .symbols(depth, symbols)))
    guard case .cells(let cells) = answer.content else { throw Unexpected(content: "\(answer.content)") }
    try #require((cells.columns, cells.rows) == (Self.columns, Self.rows))
    return cells
  }

  private struct Unexpected: Error { let content: String }

  /// Returns the pixels of a cell, each of them three times, since sextants divide the height by three.
  private func pixels(of index: Int) -> [Color] {
    (0..<8 * 48).map {
      let (x, y) = (index % Self.columns * 8 + $0 % 8, index / Self.columns * 16 + $0 / 8 / 3)
      return Self.image[y * Self.width + x]
    }
  }

  /// Returns the squared error of a cell with a glyph in two colors.
  private func error(_ pixels: [Color], _ shape: [Bool], _ foreground: Color, _ background: Color) -> Double {
    zip(pixels, shape).reduce(0) {
      let difference = $1.0 - ($1.1 ? foreground : background)
      return $0 + (difference * difference).sum()
    }
  }

  /// Returns the squared error of a cell with a glyph in the best colors: the rounded means.
  private func leastError(_ pixels: [Color], _ shape: [Bool]) -> Double {
    func mean(_ part: Bool) -> Color {
      var (sum, count) = (Color(), 0.0)
      for (pixel, isForeground) in zip(pixels, shape) where isForeground == part {
        sum += pixel
        count += 1
      }
      return (sum / max(1, count)).rounded(.toNearestOrAwayFromZero)
    }
    return error(pixels, shape, mean(true), mean(false))
  }

  @Test(arguments: [SymbolSet.blocks, .sextants, .octants])
  func noOtherGlyphIsNearerToTheImage(symbols: SymbolSet) async throws {
    let image = try await cells(symbols)
    let shapes = BlockShape.all(symbols)
    var kinds: Set<UInt32> = []
    for (index, cell) in image.cells.enumerated() {
      let pixels = pixels(of: index)
      let shape = try #require(BlockShape.shape(of: cell.scalar), "U+\(String(cell.scalar, radix: 16))")
      try #require(
        shapes.contains(shape) || shapes.contains(shape.map { !$0 }),
        "U+\(String(cell.scalar, radix: 16)) is not in the set")
      let least = leastError(pixels, shape)
      let best = shapes.map { leastError(pixels, $0) }.min() ?? 0
      #expect(least <= best * 1.001 + 1, "U+\(String(cell.scalar, radix: 16)) in cell \(index): \(least), not \(best)")
      // The colors are a little lighter than the means, for the look from a distance.
      let drawn = error(pixels, shape, Color(cell.foreground), Color(cell.background))
      #expect(drawn <= least * 1.1 + 400, "\(drawn), not \(least)")
      kinds.insert(cell.scalar)
    }
    #expect(kinds.count > 5, "the image has \(kinds.count) glyphs")
  }

  /// Each cell of an image shows other fields of a grid in the first color. Rows of pixels belong to the field in their middle.
  @Test(arguments: [(SymbolSet.sextants, 3, 0), (.octants, 4, 0), (.octants, 4, 1), (.octants, 4, 2), (.octants, 4, 3)])
  func everyShapeIsFound(symbols: SymbolSet, rows: Int, part: Int) async throws {
    let shapes = (0..<32).map { BlockShape.grid(rows: rows, fields: part * 32 + $0) }
    let image = (0..<Self.width * Self.height).map { index in
      let (x, y) = (index % Self.width, index / Self.width)
      let shape = shapes[y / 16 * Self.columns + x / 8]
      return shape[(y % 16 * 3 + 1) * 8 + x % 8] ? Color(200, 100, 50) : Color(20, 60, 90)
    }
    for (index, cell) in try await cells(symbols, of: image).cells.enumerated() {
      let shape = try #require(BlockShape.shape(of: cell.scalar), "U+\(String(cell.scalar, radix: 16))")
      let wanted = shapes[index]
      #expect(shape == wanted || shape == wanted.map { !$0 }, "U+\(String(cell.scalar, radix: 16)) for \(index)")
    }
  }

  /// Each cell is plain, and its mean is one, two or three quarters above a level. Colors that are cut off instead of rounded
  /// are half a level darker.
  @Test func colorsAreRounded() async throws {
    let image = (0..<Self.width * Self.height).map { place -> Color in
      let (x, y) = (place % Self.width, place / Self.width)
      let quarters = 1 + (x / 8 + y / 16) % 3
      return Color(repeating: 100 + (x % 2 + y % 2 * 2 < quarters ? 1 : 0))
    }
    let cells = try await cells(.blocks, of: image).cells
    let drawn = cells.reduce(Color()) { $0 + Color($1.background) } / Double(cells.count)
    let mean = image.reduce(Color()) { $0 + $1 } / Double(image.count)
    #expect(abs(drawn.x - mean.x) < 0.25, "\(drawn), not \(mean)")
  }

  /// Light, which adds up from a distance, is about the square of a value. The octants of the cells differ, which blocks can't
  /// show. Means of values would be darker by 6 levels.
  @Test func aCellIsNearlyAsLightAsWhatItShows() async throws {
    let image = (0..<Self.width * Self.height).map { place -> Color in
      let (x, y) = (place % Self.width / 4, place / Self.width / 4)
      return Color(repeating: [40, 120, 200, 80, 160][(x * 3 + y * 7 + x * y) % 5])
    }
    func light(_ color: Color) -> Double { color.x * color.x }
    let wanted = image.reduce(0) { $0 + light($1) } / Double(image.count)
    var drawn = 0.0
    let cells = try await cells(.blocks, of: image).cells
    for cell in cells {
      let shape = try #require(BlockShape.shape(of: cell.scalar))
      for isForeground in shape {
        drawn += light(Color(isForeground ? cell.foreground : cell.background)) / Double(shape.count * cells.count)
      }
    }
    #expect(abs(drawn.squareRoot() - wanted.squareRoot()) < 4)
  }

  @Test(arguments: [0x101010, 0x606060, 0x707A60, 0x905040, 0xF0E0D0] as [UInt32])
  func aMixtureOfXtermsColorsIsNearerThanTheNearestOne(color: UInt32) async throws {
    let plain = Array(repeating: Color(color), count: Self.width * Self.height)
    var light = Color()
    for cell in try await cells(.blocks, .palette256, of: plain).cells {
      for isForeground in try #require(BlockShape.shape(of: cell.scalar)) {
        let number = isForeground ? cell.foreground : cell.background
        try #require((16...255).contains(number), "\(number)")
        let drawn = Color(CellImage.xtermColor(Int(number))) / 255
        light += drawn * drawn.squareRoot()
      }
    }
    light /= Double(Self.columns * Self.rows * 8 * 48)
    func distance(_ light: Color) -> Double {
      let wanted = Color(color) / 255
      let difference = light - wanted * wanted.squareRoot()
      return (difference * difference).sum().squareRoot()
    }
    let nearest = (16...255).map { number in
      let drawn = Color(CellImage.xtermColor(number)) / 255
      return distance(drawn * drawn.squareRoot())
    }.min()!
    #expect(distance(light) < max(0.01, nearest * 0.6), "\(light): \(distance(light)), \(nearest)")
  }

  /// The errors of a sky's gray don't become dots of another color, which are seen from nearby.
  @Test(arguments: [0x969692, 0x14181F, 0x9A9A94] as [UInt32])
  func anEvenAreaHasNoDots(color: UInt32) async throws {
    let plain = Array(repeating: Color(color), count: Self.width * Self.height)
    for cell in try await cells(.blocks, .palette256, of: plain).cells {
      let shape = try #require(BlockShape.shape(of: cell.scalar))
      for isForeground in Set(shape) {
        let drawn = Color(CellImage.xtermColor(Int(isForeground ? cell.foreground : cell.background)))
        let difference = drawn - Color(color)
        #expect((0..<3).allSatisfy { abs(difference[$0]) < 48 }, "\(drawn)")
      }
    }
  }

  @Test func aColorOfXtermsIsNotMixed() async throws {
    let plain = Array(repeating: Color(0x5F87AF), count: Self.width * Self.height)
    let image = try await cells(.octants, .palette256, of: plain)
    #expect(image.cells.allSatisfy { $0.scalar == 0x20 && $0.background == 67 })
  }

  /// In the shell, several threads draw parts of an image while it is decoded. In 256 colors, a part depends on those above.
  @Test(arguments: [ColorDepth.truecolor, .palette256])
  func anImageIsTheSameWhenItsPartsAreDrawnAtTheSameTime(depth: ColorDepth) async throws {
    var contents: [ImageAnswer.Content] = []
    for stage in [RenditionStage.once, .full] {
      let answer = await queue.render(
        .show(
          FilePath("\(ImageLoaderTests.photos)/chelsea.jpg"), 60, 40, cell: (8, 16), .symbols(depth, .octants), stage))
      contents.append(answer.content)
    }
    guard case .cells(let image) = contents[0] else { throw Unexpected(content: "\(contents[0])") }
    #expect(image.rows == 20)
    #expect(contents[0] == contents[1])
  }

  @Test func aPlainImageIsBlank() async throws {
    let image = try await cells(.octants, of: Array(repeating: Color(10, 100, 200), count: Self.width * Self.height))
    #expect(image.cells.allSatisfy { $0.scalar == 0x20 && $0.background == 0x0A64C8 })
  }
}

extension SIMD3<Double> {
  /// - Parameter color: 0xRRGGBB.
  fileprivate init(_ color: UInt32) {
    self.init(Double(color >> 16 & 0xFF), Double(color >> 8 & 0xFF), Double(color & 0xFF))
  }
}
