import Harness
import Testing

/// The image in the viewer as a terminal shows it: pixels, or cells.
struct Picture: Equatable {
  /// The character of cells that show a stored image (kitty, "Unicode placeholders").
  static let placeholder: Unicode.Scalar = "\u{10EEEE}"
  /// The rows below the image: the caption and the footer.
  private static let textRows = 2
  private static let side = 12

  private let pixels: PixelImage?
  private let cells: [[Cell]]
  /// The colors in the middle of the fields of a grid.
  private let colors: [Int]

  init(_ pixels: PixelImage) {
    (self.pixels, cells) = (pixels, [])
    colors = Self.grid(width: pixels.width, height: pixels.height) { x, y in
      pixels.rgb[((y * pixels.width + x) * 3)...].prefix(3).map { Int($0) }
    }
  }

  /// Creates the image on the screen of the viewer; nil if there is none.
  init?(_ kind: GraphicsTerminal.Kind, _ graphics: GraphicsTerminal, _ screen: Screen) {
    switch kind {
    case .kitty, .oldKitty:
      // Of an image that has gone, nothing lies over the cells.
      let ids = graphics.placements.ids.union(screen.cells.joined().compactMap(Self.id))
      guard ids.count == 1, let pixels = ids.first.flatMap({ graphics.stored[$0] })?.pixels else { return nil }
      self.init(pixels)
    case .sixel, .iterm:
      guard let pixels = graphics.images.last?.pixels else { return nil }
      self.init(pixels)
    case .symbols: self.init(cells: screen.cells.dropLast(Self.textRows))
    }
  }

  /// Creates an image of characters, which differ from the cell in the corner.
  init?(cells: ArraySlice<[Cell]>) {
    func isImage(_ cell: Cell) -> Bool { cell.style != cells[0][0].style && cell.style.background != .default }
    let rows = cells.filter { $0.contains(where: isImage) }
    guard let columns = rows.first.map({ row in row.indices.filter { isImage(row[$0]) } }), columns.count > 8,
      let first = columns.first, let last = columns.last
    else { return nil }
    let image = rows.map { Array($0[first...last]) }
    (pixels, self.cells) = (nil, image)
    colors = Self.grid(width: last - first + 1, height: rows.count) { x, y in
      let (above, below) = (Self.parts(image[y][x].foreground), Self.parts(image[y][x].background))
      return zip(above, below).map { ($0 + $1) / 2 }
    }
    // The corners of a place without an image have few colors.
    if Set(colors).count < Self.side { return nil }
  }

  /// The width in pixels, or in cells.
  var width: Int { pixels?.width ?? cells.first?.count ?? 0 }

  /// Returns the mean difference of the colors, 0 to 255.
  func distance(to other: Picture) -> Int {
    zip(colors, other.colors).reduce(0) { $0 + abs($1.0 - $1.1) } / colors.count
  }

  /// Returns the id of the image that kitty shows in a cell.
  static func id(of cell: Cell) -> UInt32? {
    guard cell.text.unicodeScalars.first == placeholder, case .rgb(let red, let green, let blue) = cell.foreground
    else { return nil }
    return UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  private static func grid(width: Int, height: Int, _ color: (Int, Int) -> [Int]) -> [Int] {
    (0..<side * side).flatMap {
      color(($0 % side * 2 + 1) * width / (2 * side), ($0 / side * 2 + 1) * height / (2 * side))
    }
  }

  private static func parts(_ color: Color) -> [Int] {
    guard case .rgb(let red, let green, let blue) = color else { return [0, 0, 0] }
    return [Int(red), Int(green), Int(blue)]
  }
}
