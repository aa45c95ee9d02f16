/// The lines of a part of the world as dots, of which a cell has 2 by 4, as in Braille.
public struct MapRaster: Sendable {
  /// The part of the world that fills the cells.
  public struct Part: Hashable, Sendable {
    /// The latitude of the upper edge in degrees.
    public let north: Double
    /// The longitude of the left edge from -180 to 180 degrees.
    public let west: Double
    /// The degrees of latitude in the height of a cell.
    public let degreesPerRow: Double
    /// The degrees of longitude in the width of a cell.
    public let degreesPerColumn: Double
    /// The number of columns.
    public let columns: Int
    /// The number of rows.
    public let rows: Int

    /// Creates a part of the world.
    public init(
      north: Double, west: Double, degreesPerRow: Double, degreesPerColumn: Double, columns: Int, rows: Int
    ) {
      self.north = north
      self.west = west
      self.degreesPerRow = degreesPerRow
      self.degreesPerColumn = degreesPerColumn
      self.columns = columns
      self.rows = rows
    }
  }

  /// The dots of the coastlines in each cell, row after row. The bits are those of Unicode's Braille patterns.
  public private(set) var coasts: [UInt8]
  /// The dots of the borders. They have gaps, which distinguishes them from coastlines.
  public private(set) var borders: [UInt8]
  private let part: Part

  /// The degrees of a dot from which the lines for the whole world are exact enough.
  private static let coarseDot = 0.6
  /// The bits of the two columns of dots (Unicode Standard, Braille Patterns).
  private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  /// Draws the lines of a part of the world.
  public init(of lines: Coastlines, in part: Part) {
    self.part = part
    coasts = Array(repeating: 0, count: part.columns * part.rows)
    borders = coasts
    let east = part.west + Double(part.columns) * part.degreesPerColumn
    let south = part.north - Double(part.rows) * part.degreesPerRow
    // A part that crosses the meridian of 180° has another one in it.
    for turn in [-360.0, 0, 360] where east > turn - 180 && part.west < turn + 180 {
      lines.forEachLine(
        isFine: part.degreesPerRow / 4 < Self.coarseDot, south: south, north: part.north, west: part.west - turn,
        east: east - turn
      ) { kind, points in draw(points, kind, turn: turn) }
    }
  }

  /// A place in dots from the left and upper edges, which may be outside of the cells.
  private typealias Dot = (x: Double, y: Double)

  private mutating func draw(_ points: ArraySlice<Coastlines.Point>, _ kind: Coastlines.Kind, turn: Double) {
    func dot(_ point: Coastlines.Point) -> Dot {
      (
        (Double(point.x) / 100 + turn - part.west) / part.degreesPerColumn * 2,
        (part.north - Double(point.y) / 100) / part.degreesPerRow * 4
      )
    }
    var last = points.first.map(dot)
    for point in points.dropFirst() {
      let next = dot(point)
      if let last { draw(from: last, to: next, kind) }
      last = next
    }
  }

  /// Draws a dot for each step along the longer side of a line.
  private mutating func draw(from start: Dot, to end: Dot, _ kind: Coastlines.Kind) {
    let (width, height) = (Double(part.columns * 2), Double(part.rows * 4))
    let (x, y) = (end.x - start.x, end.y - start.y)
    // The part of the line within the cells, from 0 to 1 (Liang and Barsky).
    var (first, last) = (0.0, 1.0)
    for (step, room) in [(-x, start.x), (x, width - start.x), (-y, start.y), (y, height - start.y)] {
      if step == 0 {
        if room < 0 { return }
      } else if step < 0 {
        first = max(first, room / step)
      } else {
        last = min(last, room / step)
      }
    }
    guard first <= last else { return }
    let count = max(1, Int((max(abs(x), abs(y)) * (last - first)).rounded(.up)))
    for step in 0...count {
      let place = first + (last - first) * Double(step) / Double(count)
      put(Int(start.x + x * place), Int(start.y + y * place), kind)
    }
  }

  private mutating func put(_ x: Int, _ y: Int, _ kind: Coastlines.Kind) {
    guard x >= 0, y >= 0, x < part.columns * 2, y < part.rows * 4 else { return }
    let cell = y / 4 * part.columns + x / 2
    let bit = Self.bits[x % 2][y % 4]
    switch kind {
    case .coast: coasts[cell] |= bit
    case .border: if (x + y) % 2 == 0 { borders[cell] |= bit }
    }
  }
}
