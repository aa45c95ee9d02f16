import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

/// Images in the few colors of a terminal's palette, which the user can set to any colors.
@MainActor
@Suite(.serialized, .limited) struct PaletteTests {
  private let queue = RenditionQueue(workerPath: ImageLoaderTests.workerPath, workerCount: 1)
  private static let (width, height) = (160, 160)

  nonisolated static let palettes: [[UInt32]] = [
    // The palettes of xterm, of the Linux console (its first eight colors), and of Solarized, with hardly a pure color.
    [
      0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00,
      0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ],
    [0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA],
    [
      0x073642, 0xDC322F, 0x859900, 0xB58900, 0x268BD2, 0xD33682, 0x2AA198, 0xEEE8D5, 0x002B36, 0xCB4B16, 0x586E75,
      0x657B83, 0x839496, 0x6C71C4, 0x93A1A1, 0xFDF6E3,
    ],
  ]

  /// Renders an image in cells of 8x16 pixels. `color` returns the color of a pixel as 0xRRGGBB.
  private func cells(
    _ format: OutputFormat, palette: [UInt32], background: UInt32 = 0, _ color: (_ x: Int, _ y: Int) -> UInt32
  ) async throws -> CellImage {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).ppm").path
    var data = Data("P6 \(Self.width) \(Self.height) 255\n".utf8)
    for y in 0..<Self.height {
      for x in 0..<Self.width { data += [16, 8, 0].map { UInt8(color(x, y) >> $0 & 0xFF) } }
    }
    try data.write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let answer = await queue.render(
      .show(FilePath(path), 20, 10, cell: (8, 16), format, background: background, palette: palette))
    guard case .cells(let image) = answer.content else { throw Unexpected(content: "\(answer.content)") }
    try #require((image.columns, image.rows) == (20, 10))
    return image
  }

  private struct Unexpected: Error { let content: String }

  /// Returns the mean brightness of colors, from 0 to 1, as the eye perceives it.
  private func brightness(_ colors: [UInt32]) -> Double {
    let parts: [(shift: UInt32, weight: Double)] = [(16, 0.3), (8, 0.55), (0, 0.15)]
    return parts.reduce(0) { sum, part in
      sum + part.weight / Double(colors.count)
        * colors.reduce(0) { $0 + pow(Double($1 >> part.shift & 0xFF) / 255, 1.5) }
    }
  }

  /// Returns the colors of the pixels of a cell, row by row.
  private func pixels(of cell: CellImage.Cell, in palette: [UInt32]) throws -> [UInt32] {
    let shape = try #require(BlockShape.shape(of: cell.scalar), "U+\(String(cell.scalar, radix: 16))")
    let numbers = [cell.background, cell.foreground].map(Int.init)
    let colors = try [false, true].map { isForeground -> UInt32 in
      guard shape.contains(isForeground) else { return 0 }
      let number = numbers[isForeground ? 1 : 0]
      try #require(palette.indices.contains(number), "the palette has no color \(number)")
      return palette[number]
    }
    return shape.map { colors[$0 ? 1 : 0] }
  }

  /// Returns the colors of the first pixels of the fields of a cell, row by row.
  private func colors(of cell: CellImage.Cell, rows: Int = 2, in palette: [UInt32]) throws -> [UInt32] {
    let pixels = try pixels(of: cell, in: palette)
    return (0..<2 * rows).map { pixels[($0 / 2 * 48 / rows) * 8 + $0 % 2 * 4] }
  }

  @Test(arguments: palettes, [0x505050, 0x808080, 0x707A60, 0x905040] as [UInt32])
  func aColorIsMixedFromThePalette(palette: [UInt32], color: UInt32) async throws {
    for symbols in [SymbolSet.blocks, .sextants, .octants, .ascii] {
      let image = try await cells(.symbols(.palette16, symbols), palette: palette) { _, _ in color }
      // The first rows have few errors to draw.
      let drawn = brightness(try image.cells.dropFirst(120).flatMap { try pixels(of: $0, in: palette) })
      // The cells at the edges can't pass their errors on, so the mean is not exact. Where there are shades, it is the nearest
      // of them, without dots.
      let limit = symbols.hasBlocks ? 0.125 : 0.03
      #expect(abs(drawn - brightness([color])) < limit, "\(drawn), not \(brightness([color]))")
    }
  }

  /// Dark on the left, light on the right, with a light frame in the dark half.
  @Test(arguments: ColorDepth.allCases, [(SymbolSet.braille, 0x2801...0x28FF), (.ascii, 0x21...0x7E)])
  func lettersAndDotsAreDrawnIfTheyAreWanted(
    depth: ColorDepth, symbols: (set: SymbolSet, scalars: ClosedRange<UInt32>)
  ) async throws {
    let palette = depth.colors(of: Self.palettes[0])
    let image = try await cells(.symbols(depth, symbols.set), palette: palette) { x, y in
      let isFrame =
        (28..<52).contains(x) && (28..<132).contains(y) && !((32..<48).contains(x) && (32..<128).contains(y))
      return x >= 80 || isFrame ? 0xE0E0E0 : 0x101010
    }
    let scalars = Set(image.cells.map(\.scalar)).subtracting([0x20])
    #expect(scalars.allSatisfy(symbols.scalars.contains))
    // In a palette, letters are blanks.
    #expect(depth.hasPalette && symbols.set == .ascii ? scalars.isEmpty : scalars.count >= 3)
  }

  /// A cell of which one part is light is drawn with the character that covers this part.
  @Test(
    arguments: [
      (SymbolSet.braille, 0, 0, 0x2809), (.braille, 0, 3, 0x28C0), (.ascii, 0, 3, 0x5F), (.braille, 1, 0, 0x2801),
      (.braille, 2, 2, 0x2820), (.braille, 2, 3, 0x2880), (.ascii, 1, 0, 0x60),
    ] as [(SymbolSet, side: Int, row: Int, UInt32)])
  func lettersAndDotsHaveTheShapesOfTheImage(symbols: SymbolSet, side: Int, row: Int, scalar: UInt32) async throws {
    let image = try await cells(.symbols(.truecolor, symbols), palette: []) { x, y in
      y % 16 / 4 == row && (side == 0 || x % 8 / 4 + 1 == side) ? 0xFFFFFF : 0
    }
    let scalars = Set(image.cells.map(\.scalar))
    #expect(scalars == [scalar] && image.cells.allSatisfy { $0.foreground & 0xFF > $0.background & 0xFF })
  }

  /// Dots the size of fields would be stripes from nearby. Letters and Braille have no shades.
  @Test(arguments: [ColorDepth.monochrome, .palette8], [SymbolSet.blocks, .octants, .braille, .ascii])
  func evenAreasGetShadesOfBlocks(depth: ColorDepth, symbols: SymbolSet) async throws {
    let palette: [UInt32] = depth == .monochrome ? [] : [0x000000, 0xFFFFFF]
    for (color, isMixed) in [(0x000000, false), (0x383838, true), (0x787878, true), (0xFFFFFF, false)]
      as [(UInt32, Bool)]
    {
      let image = try await cells(.symbols(depth, symbols), palette: palette) { _, _ in color }
      let scalars = Set(image.cells.map(\.scalar))
      let hasShades = !scalars.isDisjoint(with: 0x2591...0x2593)
      #expect(hasShades == (isMixed && symbols.hasBlocks), "\(scalars)")
      // Blank, shades, and the full block.
      if symbols.hasBlocks { #expect(scalars.isSubset(of: [0x20, 0x2591, 0x2592, 0x2593, 0x2588])) }
    }
  }

  @Test(arguments: palettes)
  func aColorOfThePaletteIsNotMixed(palette: [UInt32]) async throws {
    for (index, color) in palette.enumerated() {
      let image = try await cells(.symbols(.palette16, .blocks), palette: palette) { _, _ in color }
      #expect(image.cells.allSatisfy { $0.scalar == 0x20 && $0.background == UInt32(index) })
    }
  }

  /// The sextants of 16 rows of pixels end within a row, so fewer of them are exact. The last row is white, so the image has
  /// the palette's contrast already.
  @Test(arguments: [(SymbolSet.blocks, 2, 120), (.sextants, 3, 100), (.octants, 4, 120)])
  func fieldsHaveTheirPlaceInTheImage(symbols: SymbolSet, rows: Int, least: Int) async throws {
    let palette: [UInt32] = [0x000000, 0xFFFFFF]
    for field in 0..<2 * rows {
      let image = try await cells(.symbols(.palette8, symbols), palette: palette) { x, y in
        y >= 144 || x % 8 / 4 + (y % 16 * 3 + 1) * rows / 48 * 2 == field ? 0xFFFFFF : 0
      }
      // Scaling loses a little light, which is then missing in some cells.
      let wanted = (0..<2 * rows).map { $0 == field ? palette[1] : palette[0] }
      let count = try image.cells.count { try colors(of: $0, rows: rows, in: palette) == wanted }
      #expect(count > least, "\(count) of 200 cells with field \(field)")
    }
  }

  /// An image of low contrast, such as one of fog, keeps its shapes: a gray disc on a lighter gray. Without shades, its
  /// contrast is stretched.
  @Test(arguments: palettes.prefix(2), [(SymbolSet.blocks, 0.15), (.ascii, 0.3)])
  func contrastIsKept(palette: [UInt32], symbols: (SymbolSet, least: Double)) async throws {
    let image = try await cells(.symbols(.palette16, symbols.0), palette: palette) { x, y in
      (x - 80) * (x - 80) + (y - 80) * (y - 80) < 1600 ? 0x909090 : 0xC0C0C0
    }
    func shade(_ column: Int, _ row: Int) throws -> Double {
      brightness(try pixels(of: image.cells[row * 20 + column], in: palette))
    }
    let inside = try (8..<12).map { try shade($0, 5) }.reduce(0, +) / 4
    let outside = try (0..<4).map { try shade($0, 1) }.reduce(0, +) / 4
    // The grays themselves differ by 0.19.
    #expect(outside - inside > symbols.least)
  }

  /// The errors that make the image right from a distance don't cover what is in it: a disc, a little lighter than its
  /// surroundings.
  @Test(arguments: [(ColorDepth.monochrome, []), (.palette8, palettes[1])] as [(ColorDepth, [UInt32])])
  func shapesAreRecognized(depth: ColorDepth, palette: [UInt32]) async throws {
    func isInside(_ x: Int, _ y: Int) -> Bool {
      let (across, down) = (x - Self.width / 2, y - Self.height / 2)
      return across * across + down * down < 50 * 50
    }
    let image = try await cells(.symbols(depth, .octants), palette: palette) { x, y in
      isInside(x, y) ? 0xA0A0A0 : 0x484848
    }
    var right = 0
    for (index, cell) in image.cells.enumerated() {
      let shape = try #require(BlockShape.shape(of: cell.scalar))
      for field in 0..<8 {
        let (x, y) = (index % 20 * 8 + field % 2 * 4, index / 20 * 16 + field / 2 * 4)
        let pixels = (0..<12 * 4).map { pixel in
          let isForeground = shape[(field / 2 * 12 + pixel / 4) * 8 + field % 2 * 4 + pixel % 4]
          let number = Int(isForeground ? cell.foreground : cell.background)
          return palette.isEmpty ? isForeground ? 0xFFFFFF : 0 : palette[number]
        }
        let isLight = brightness(pixels) > 0.3
        right += isLight == isInside(x + 2, y + 2) ? 1 : 0
      }
    }
    #expect(right > 1600 * 4 / 5, "\(right) of 1600 fields")
  }

  /// Text is dark on a light background, so the light parts of an image stay blank there.
  @Test(
    arguments: [(0x000000, false), (0x101010, false), (0xFFFFFF, true), (0xFDF6E3, true)] as [(UInt32, Bool)],
    [(.blocks, 0x2588), (.braille, 0x28FF), (.ascii, 0x51)] as [(SymbolSet, full: UInt32)])
  func withoutColorsTheBackgroundDecidesWhichCellsAreFilled(
    background: (UInt32, isLight: Bool), symbols: (SymbolSet, full: UInt32)
  ) async throws {
    let image = try await cells(.symbols(.monochrome, symbols.0), palette: [], background: background.0) { x, _ in
      x < Self.width / 2 ? 0 : 0xFFFFFF
    }
    for row in 0..<10 {
      #expect(image.cells[row * 20 + 2].scalar == (background.isLight ? symbols.full : 0x20))
      #expect(image.cells[row * 20 + 17].scalar == (background.isLight ? 0x20 : symbols.full))
    }
  }
}
