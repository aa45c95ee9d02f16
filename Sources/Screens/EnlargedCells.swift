import ImageWire

extension CellImage {
  /// Returns the image in 24-bit colors as large as fits in a box, as a mosaic of its cells' mean colors.
  func enlarged(columns: Int, rows: Int) -> CellImage {
    let scale = min(Double(columns) / Double(max(1, self.columns)), Double(rows) / Double(max(1, self.rows)))
    let width = max(1, Int(Double(self.columns) * scale))
    let height = max(1, Int(Double(self.rows) * scale))
    let colors = cells.map(\.meanColor)
    let enlarged = (0..<width * height).map { index in
      let (row, column) = (index / width * self.rows / height, index % width * self.columns / width)
      return Cell(scalar: 0x20, foreground: Cell.none, background: colors[row * self.columns + column])
    }
    return CellImage(columns: width, rows: height, cells: enlarged)
  }
}

extension CellImage.Cell {
  /// The mean of the two colors, or the one that the cell has.
  fileprivate var meanColor: UInt32 {
    if foreground == Self.none || scalar == 0x20 { return background }
    if background == Self.none { return foreground }
    // The parts are halved without their lowest bits, which would run into the next part.
    return (foreground & 0xFEFEFE) / 2 + (background & 0xFEFEFE) / 2
  }
}
