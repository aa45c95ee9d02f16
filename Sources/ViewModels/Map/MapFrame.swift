import Finding
import Geography

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The part of the world that a map shows in some cells.
///
/// Parallels and meridians are straight lines (an equirectangular projection). The scale is true at the parallel in the
/// middle, and at the equator if the whole world is shown.
public struct MapFrame: Hashable, Sendable {
  /// The number of columns.
  public let columns: Int
  /// The number of rows.
  public let rows: Int
  /// The latitude of the middle in degrees.
  public private(set) var latitude: Double
  /// The longitude of the middle, from -180 to 180 degrees.
  public private(set) var longitude: Double
  /// The degrees of latitude in the height of a cell.
  public private(set) var degreesPerRow: Double

  /// The height of a cell divided by its width.
  static let cellAspect = 2.0
  /// The degrees of the smallest height of a cell: some 20 meters.
  private static let least = 0.0002
  /// The degrees of the smallest height of a frame that shows all photos, so that there is a town or a coast in it.
  private static let leastAround = 0.5
  /// The part of the frame that photos at its edges leave free.
  private static let margin = 1.2
  private static let kilometersPerDegree = 111.195

  /// Creates the frame that shows a box with a margin around it.
  public init(around box: PhotoPositions.Box, columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    latitude = (box.south + box.north) / 2
    longitude = box.west + box.width / 2
    degreesPerRow = max(Self.leastAround, (box.north - box.south) * Self.margin) / Double(self.rows)
    // A larger frame is true at another parallel.
    for _ in 0..<4 {
      let missing = box.width * Self.margin / (Double(self.columns) * degreesPerColumn)
      if missing > 1 { degreesPerRow *= missing }
    }
    keepOnEarth()
  }

  /// Creates a frame with the same middle and scale in other cells.
  public init(_ other: MapFrame, columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    latitude = other.latitude
    longitude = other.longitude
    degreesPerRow = other.degreesPerRow
    keepOnEarth()
  }

  /// The degrees of longitude in the width of a cell.
  public var degreesPerColumn: Double {
    let parallel = latitude * max(0, 1 - degreesPerRow * Double(rows) / 180)
    return min(degreesPerRow / Self.cellAspect / cos(parallel * .pi / 180), 360 / Double(columns))
  }

  /// The latitude of the upper edge, which may be beyond the pole.
  public var north: Double { latitude + degreesPerRow * Double(rows) / 2 }
  /// The latitude of the lower edge, which may be beyond the pole.
  public var south: Double { latitude - degreesPerRow * Double(rows) / 2 }
  /// The width in degrees.
  public var width: Double { degreesPerColumn * Double(columns) }
  /// The longitude of the left edge, from -180 to 180 degrees.
  public var west: Double { Self.turned(longitude - width / 2) }

  /// The width of the parallel in the middle in kilometers.
  public var kilometers: Double { width * cos(latitude * .pi / 180) * Self.kilometersPerDegree }

  /// The part of the world for the lines of the map.
  public var part: MapRaster.Part {
    MapRaster.Part(
      north: north, west: west, degreesPerRow: degreesPerRow, degreesPerColumn: degreesPerColumn, columns: columns,
      rows: rows)
  }

  /// Returns the cell with a position, or nil if it is not in the frame.
  public func cell(latitude: Double, longitude: Double) -> (column: Int, row: Int)? {
    let x = (longitude - west + 720).truncatingRemainder(dividingBy: 360) / degreesPerColumn
    let y = (north - latitude) / degreesPerRow
    guard x < Double(columns), y >= 0, y < Double(rows) else { return nil }
    return (Int(x), Int(y))
  }

  /// Moves the frame by a number of cells.
  public mutating func pan(columns: Int, rows: Int) {
    longitude += Double(columns) * degreesPerColumn
    latitude -= Double(rows) * degreesPerRow
    keepOnEarth()
  }

  /// Moves a cell into the middle.
  public mutating func center(column: Int, row: Int) { pan(columns: column - columns / 2, rows: row - rows / 2) }

  /// Enlarges the map. The position in a cell stays there as far as the poles allow.
  public mutating func zoom(by factor: Double, column: Int, row: Int) {
    let x = Double(column) + 0.5 - Double(columns) / 2
    let y = Double(row) + 0.5 - Double(rows) / 2
    let place = (latitude: latitude - y * degreesPerRow, longitude: longitude + x * degreesPerColumn)
    degreesPerRow /= factor
    keepOnEarth()
    latitude = place.latitude + y * degreesPerRow
    longitude = place.longitude - x * degreesPerColumn
    keepOnEarth()
  }

  /// Whether the frame can be smaller.
  public var canZoomIn: Bool { degreesPerRow > Self.least }
  /// Whether the frame can be larger.
  public var canZoomOut: Bool { degreesPerRow < most }

  /// The degrees in the height of a cell with which the width is that of the world.
  private var most: Double { max(360 / Double(columns) * Self.cellAspect, 180 / Double(rows)) }

  private mutating func keepOnEarth() {
    degreesPerRow = min(most, max(Self.least, degreesPerRow))
    let free = max(0, 90 - degreesPerRow * Double(rows) / 2)
    latitude = min(free, max(-free, latitude))
    longitude = Self.turned(longitude)
  }

  /// Returns a longitude as one from -180 to 180 degrees.
  private static func turned(_ longitude: Double) -> Double {
    let turned = (longitude + 540).truncatingRemainder(dividingBy: 360) - 180
    return turned < -180 ? turned + 360 : turned
  }
}

// MARK: - The search

extension MapFrame {
  /// The number of decimals that are exact to a tenth of a cell.
  var digits: Int { min(5, max(0, Int((-log10(degreesPerColumn)).rounded(.up)) + 1)) }

  /// The query for the photos in the frame.
  public var query: String {
    MapQuery.text(
      PhotoPositions.Box(south: max(-90, south), north: min(90, north), west: west, width: width), digits: digits)
  }
}

/// The query for the photos in a part of the world.
enum MapQuery {
  /// Returns the query for a box, whose edges are moved outward to a number of decimals, at most 5.
  static func text(_ box: PhotoPositions.Box, digits: Int) -> String {
    let scale = pow(10, Double(min(5, digits)))
    func low(_ value: Double) -> Double { (value * scale).rounded(.down) / scale }
    func high(_ value: Double) -> Double { (value * scale).rounded(.up) / scale }
    func text(_ value: Double) -> String {
      // Without an exponent, which queries don't have.
      let parts = Int((abs(value) * scale).rounded())
      let fraction = String(parts % Int(scale) + Int(scale)).dropFirst()
      let trimmed = fraction.lastIndex { $0 != "0" }.map { "." + fraction[...$0] } ?? ""
      return "\(value < 0 && parts > 0 ? "-" : "")\(parts / Int(scale))\(trimmed)"
    }
    let (south, north) = (max(-90, low(box.south)), min(90, high(box.north)))
    let latitude = "latitude:\(text(south))..\(text(north))"
    let (west, east) = (low(box.west), high(box.west + box.width))
    if box.width >= 360 { return latitude }
    if east <= 180 { return "\(latitude) longitude:\(text(max(-180, west)))..\(text(east))" }
    // Everything but what lies between the edges on the other side of the Earth.
    return "\(latitude) -longitude:\(text(east - 360))..\(text(west))"
  }

  /// Returns a query without its terms of positions, and with those of a map.
  static func replacingPosition(in query: String, terms: [String], by position: String) -> String {
    let names = ["latitude:", "longitude:", "-latitude:", "-longitude:"]
    return (terms.filter { term in !names.contains { term.lowercased().hasPrefix($0) } } + [position])
      .joined(separator: " ")
  }
}
