import ImageWire
import Terminal

extension CellImage {
  /// Returns a part of the image in another size, as a mosaic of its cells.
  ///
  /// - Parameters:
  ///   - columns: The columns of the part, from 0 to 1 for the whole width.
  ///   - rows: The rows of the part, from 0 to 1 for the whole height.
  ///   - size: The size in cells.
  ///   - depth: The colors of the cells. Those of 24 bits are mixed, and others stay with their characters.
  func scaled(
    columns: ClosedRange<Double>, rows: ClosedRange<Double>, to size: (columns: Int, rows: Int), depth: ColorDepth
  ) -> CellImage {
    func indices(_ part: ClosedRange<Double>, of count: Int, to size: Int) -> [Int] {
      let length = part.upperBound - part.lowerBound
      return (0..<size).map { index in
        let place = part.lowerBound + (Double(index) + 0.5) / Double(size) * length
        return min(max(0, Int(place * Double(count))), count - 1)
      }
    }
    let source = depth == .truecolor ? cells.map(\.mosaicTile) : cells
    let across = indices(columns, of: self.columns, to: size.columns)
    let scaled = indices(rows, of: self.rows, to: size.rows).flatMap { row in
      across.map { source[row * self.columns + $0] }
    }
    return CellImage(columns: size.columns, rows: size.rows, cells: scaled)
  }
}

extension CellImage {
  /// Returns the image, which has the colors of another depth, in those of `depth`: the terminal may turn out to have more
  /// colors than were known when the image was rendered.
  func inDepth(_ depth: ColorDepth, from other: ColorDepth?) -> CellImage {
    guard depth == .truecolor, other == .palette256 else { return self }
    func color(_ number: UInt32) -> UInt32 { number == Cell.none ? number : ColorDepth.color(ofNumber: number) }
    var image = self
    image.cells = cells.map {
      Cell(scalar: $0.scalar, foreground: color($0.foreground), background: color($0.background))
    }
    return image
  }
}

extension CellImage.Cell {
  /// A blank in the mean of the two colors, or in the one that the cell has.
  fileprivate var mosaicTile: CellImage.Cell {
    CellImage.Cell(scalar: 0x20, foreground: Self.none, background: meanColor)
  }

  private var meanColor: UInt32 {
    if foreground == Self.none || scalar == 0x20 { return background }
    if background == Self.none { return foreground }
    // The parts are halved without their lowest bits, which would run into the next part.
    return (foreground & 0xFEFEFE) / 2 + (background & 0xFEFEFE) / 2
  }
}
