#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The cities of the world with 5,000 or more people, found by their positions, without the network.
///
/// ```swift
/// Gazetteer.bundled?.city(nearLatitude: 38.71, longitude: -9.14)?.name   // "Lisbon"
/// ```
///
/// It knows the centers of cities and the numbers of their people, not their borders. `tools/places.py` makes the file and
/// describes it. The cities stay packed in memory, since few of them are ever asked for.
public struct Gazetteer: Sendable {
  /// The bundled cities, or the fault of their file. They are read when they are first asked for, which takes about a
  /// millisecond, so the gallery asks early on another thread.
  public static let loaded: Result<Gazetteer, PlacesFault> = Result { () throws(PlacesFault) in
    let (path, bytes) = try PlacesFile.bytes("cities.bin")
    do throws(MalformedPlaces) { return try Gazetteer(bytes) } catch { throw .damaged(path: path) }
  }

  /// The bundled cities, or nil if their file is missing or damaged.
  public static var bundled: Gazetteer? { try? loaded.get() }

  /// The largest distance of a photo from the center of its city in kilometers.
  static let reach = 50.0

  /// The number of the cities.
  public let count: Int
  private let bytes: [UInt8]
  private let countries: [(code: String, name: String)]
  /// The offset in `bytes` of each cell's cities, and the end of the last cell's.
  private let starts: [UInt32]

  /// Reads the contents of a file of cities.
  init(_ bytes: [UInt8]) throws(MalformedPlaces) {
    var reader = PlacesReader(bytes)
    try reader.mark("TTCITY1\n")
    var countries: [(code: String, name: String)] = []
    for _ in 0..<(try reader.byte()) {
      let code = try reader.text(2)
      countries.append((code, try reader.text(Int(try reader.byte()))))
    }
    var (starts, count) = ([UInt32](), 0)
    starts.reserveCapacity(Grid.rows * Grid.columns + 1)
    for _ in 0..<Grid.rows * Grid.columns {
      starts.append(UInt32(reader.offset))
      let cities = try reader.short()
      for _ in 0..<cities {
        try reader.skip(3)
        guard try reader.byte() < countries.count else { throw MalformedPlaces() }
        try reader.skip(Int(try reader.byte()))
      }
      count += cities
    }
    guard reader.isAtEnd else { throw MalformedPlaces() }
    starts.append(UInt32(bytes.count))
    self.bytes = bytes
    self.countries = countries
    self.starts = starts
    self.count = count
  }

  /// Returns the city that a position belongs to, or nil if there is none within 50 km, as on the open sea.
  ///
  /// It is the city whose edge is nearest, if cities are circles with 5,000 people in a square kilometer. So a large city is
  /// not lost among its suburbs.
  public func city(nearLatitude latitude: Double, longitude: Double) -> City? {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    let reach = Self.reach / Grid.kilometersPerDegree
    let parallel = cos(latitude * .pi / 180)
    var best: (offset: Int, cell: Int)?
    var least = Double.infinity
    Grid.forEachCell(
      south: latitude - reach, north: latitude + reach, west: longitude - reach / max(parallel, 0.01),
      width: 2 * reach / max(parallel, 0.01)
    ) { cell in
      forEachCity(of: cell) { offset in
        let (north, east) = position(at: offset, in: cell)
        let x = Grid.turned(east - longitude) * parallel
        let y = north - latitude
        let distance = (x * x + y * y).squareRoot() * Grid.kilometersPerDegree
        let edge = distance - CityLayout.radii[Int(bytes[offset + CityLayout.size])]
        if distance <= Self.reach, edge < least {
          least = edge
          best = (offset, cell)
        }
        return true
      }
    }
    return best.map { city(at: $0.offset, in: $0.cell) }
  }

  /// Returns the largest cities in a part of the world, the largest first.
  ///
  /// - Parameters:
  ///   - most: The number of cities. A few more are returned if some are equally large.
  ///   - west: The western edge from -180 to 180 degrees.
  ///   - width: The width in degrees.
  public func largest(_ most: Int, south: Double, north: Double, west: Double, width: Double) -> [City] {
    var counts = [Int](repeating: 0, count: 256)
    forEachCity(south: south, north: north, west: west, width: width) { offset, _ in
      counts[Int(bytes[offset + CityLayout.size])] += 1
      return true
    }
    var (least, sum) = (256, 0)
    while least > 0, sum < most {
      least -= 1
      sum += counts[least]
    }
    var found: [(size: UInt8, city: City)] = []
    forEachCity(south: south, north: north, west: west, width: width) { offset, cell in
      let size = bytes[offset + CityLayout.size]
      guard size >= least else { return false }
      found.append((size, city(at: offset, in: cell)))
      return true
    }
    return found.sorted { $0.size > $1.size }.map(\.city)
  }

  /// Calls `body` with each city of a part of the world and its cell, until it returns false for one: then the rest of that
  /// cell is left out, whose cities are smaller.
  private func forEachCity(
    south: Double, north: Double, west: Double, width: Double, _ body: (_ offset: Int, _ cell: Int) -> Bool
  ) {
    Grid.forEachCell(south: south, north: north, west: west, width: width) { cell in
      forEachCity(of: cell) { offset in
        let (y, x) = position(at: offset, in: cell)
        let isInside = y >= south && y <= north && (x - west + 720).truncatingRemainder(dividingBy: 360) <= width
        return !isInside || body(offset, cell)
      }
    }
  }

  /// Calls `body` with the offset of each city of a cell, the largest first, until it returns false.
  private func forEachCity(of cell: Int, _ body: (Int) -> Bool) {
    var offset = Int(starts[cell]) + 2
    let end = Int(starts[cell + 1])
    while offset < end, body(offset) { offset += CityLayout.name + Int(bytes[offset + CityLayout.length]) }
  }

  private func position(at offset: Int, in cell: Int) -> (latitude: Double, longitude: Double) {
    (
      Double(cell / Grid.columns - 90) + Double(bytes[offset + CityLayout.latitude]) / 100,
      Double(cell % Grid.columns) * Grid.columnWidth - 180 + Double(bytes[offset + CityLayout.longitude]) / 100
    )
  }

  private func city(at offset: Int, in cell: Int) -> City {
    let place = position(at: offset, in: cell)
    let country = countries[Int(bytes[offset + CityLayout.country])]
    let name = bytes[offset + CityLayout.name..<offset + CityLayout.name + Int(bytes[offset + CityLayout.length])]
    return City(
      name: String(decoding: name, as: UTF8.self), country: country.name, countryCode: country.code,
      latitude: place.latitude, longitude: place.longitude)
  }
}

/// The places of a city's values behind its offset.
private enum CityLayout {
  static let (latitude, longitude, size, country, length, name) = (0, 1, 2, 3, 4, 5)

  /// The radius in kilometers of each size, with 5,000 people in a square kilometer.
  static let radii = (0..<256).map { size in (exp2(Double(size) / 8) / 5000 / .pi).squareRoot() }
}

/// The cells of 1 degree by 2.5 degrees that the cities are sorted into.
private enum Grid {
  static let (rows, columns) = (180, 144)
  static let columnWidth = 2.5
  static let kilometersPerDegree = 111.195

  /// Calls `body` with each cell that has a part of an area, which may cross the meridian of 180°.
  static func forEachCell(south: Double, north: Double, west: Double, width: Double, _ body: (Int) -> Void) {
    let first = Int(((west + 180) / columnWidth).rounded(.down))
    let last = min(first + columns - 1, Int(((west + width + 180) / columnWidth).rounded(.down)))
    for row in self.row(of: south)...max(self.row(of: south), self.row(of: north)) {
      for column in first...max(first, last) { body(row * columns + (column % columns + columns) % columns) }
    }
  }

  private static func row(of latitude: Double) -> Int { min(rows - 1, max(0, Int((latitude + 90).rounded(.down)))) }

  /// Returns a difference of longitudes as one from -180 to 180 degrees.
  static func turned(_ degrees: Double) -> Double {
    degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
  }
}
