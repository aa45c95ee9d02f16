import ImageWire

/// The parts of a cell that block elements, sextants and octants cover: 8 columns and 48 rows. They follow from the
/// characters' names in the Unicode Standard. Shades cover some pixels of each square of four.
enum BlockShape {
  /// Returns the shapes of a set. Of two that are each other's inverses, there is one.
  static func all(_ symbols: SymbolSet) -> [[Bool]] {
    var shapes = (1..<8).map { count in shape { _, y in y < count * 6 } }
    shapes += (1..<8).map { count in shape { x, _ in x < count } }
    shapes += grids(rows: 2)
    if symbols != .blocks { shapes += grids(rows: 3) }
    if symbols == .octants { shapes += grids(rows: 4) }
    return shapes
  }

  /// Returns the shape of a character, or nil for others than those of the sets.
  static func shape(of scalar: UInt32) -> [Bool]? {
    guard let scalar = Unicode.Scalar(scalar), let name = scalar.properties.name else { return nil }
    let eighths = [
      "ONE EIGHTH", "ONE QUARTER", "THREE EIGHTHS", "HALF", "FIVE EIGHTHS", "THREE QUARTERS", "SEVEN EIGHTHS",
    ]
    let count = (eighths.firstIndex { name.hasSuffix(" \($0) BLOCK") } ?? 7) + 1
    func fields(_ rows: Int) -> [Bool] {
      let digits = name.split(separator: "-").last.map { $0.compactMap(\.wholeNumberValue) } ?? []
      return grid(rows: rows, fields: digits.reduce(0) { $0 | 1 << ($1 - 1) })
    }
    if name == "FULL BLOCK" { return shape { _, _ in true } }
    if name == "SPACE" { return shape { _, _ in false } }
    if name == "LIGHT SHADE" { return shape { x, y in x % 2 + y % 2 == 0 } }
    if name == "MEDIUM SHADE" { return shape { x, y in x % 2 == y % 2 } }
    if name == "DARK SHADE" { return shape { x, y in x % 2 + y % 2 < 2 } }
    if name.hasPrefix("UPPER ") { return shape { _, y in y < count * 6 } }
    if name.hasPrefix("LOWER ") { return shape { _, y in y >= 48 - count * 6 } }
    if name.hasPrefix("LEFT ") { return shape { x, _ in x < count } }
    if name.hasPrefix("RIGHT ") { return shape { x, _ in x >= 8 - count } }
    if name.hasPrefix("BLOCK SEXTANT-") { return fields(3) }
    if name.hasPrefix("BLOCK OCTANT-") { return fields(4) }
    guard name.hasPrefix("QUADRANT ") else { return nil }
    let quadrants = ["UPPER LEFT", "UPPER RIGHT", "LOWER LEFT", "LOWER RIGHT"]
    return grid(rows: 2, fields: quadrants.indices.reduce(0) { $0 | (name.contains(quadrants[$1]) ? 1 << $1 : 0) })
  }

  private static func grids(rows: Int) -> [[Bool]] {
    (0..<1 << (rows * 2 - 1)).map { grid(rows: rows, fields: $0) }
  }

  /// Returns the fields of a grid with two columns whose bits are set, row by row.
  static func grid(rows: Int, fields: Int) -> [Bool] {
    shape { x, y in fields >> (y * rows / 48 * 2 + x / 4) & 1 == 1 }
  }

  private static func shape(_ covers: (_ x: Int, _ y: Int) -> Bool) -> [Bool] {
    (0..<8 * 48).map { covers($0 % 8, $0 / 8) }
  }
}
