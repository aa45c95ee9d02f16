#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The places within a distance of another one.
struct Area: Hashable, Sendable {
  /// The place in the middle, in radians.
  private let latitude: Double
  private let longitude: Double
  /// The distance as an angle at the center of the Earth, in radians.
  private let angle: Double

  /// The radius of the sphere that distances are measured on: the mean radius of WGS 84, in meters. Distances are exact to 0.6 %.
  private static let earthRadius = 6_371_008.8
  private static let usualDistance = 10_000.0
  private static let units = [("km", 1000), ("mi", 1609.344), ("m", 1)]

  /// Creates an area of a latitude and a longitude in degrees and a distance: `47.4,8.5,10km`. Returns nil if a value is
  /// invalid. A distance without a unit is in kilometers, and without a distance it is 10 km.
  init?(_ text: String) {
    let parts = text.filter { !$0.isWhitespace }.split(separator: ",", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let latitude = Double(written: parts[0]), abs(latitude) <= 90,
      let longitude = Double(written: parts[1]), abs(longitude) <= 180,
      let meters = parts.count == 3 ? Self.meters(parts[2]) : Self.usualDistance
    else { return nil }
    self.latitude = latitude * .pi / 180
    self.longitude = longitude * .pi / 180
    // Nothing is farther away than the other side of the Earth.
    angle = min(meters / Self.earthRadius, .pi)
  }

  private static func meters(_ text: Substring) -> Double? {
    let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1000)
    guard let number = Double(written: text.dropLast(unit.0.count)), number > 0 else { return nil }
    return number * unit.1
  }

  /// Returns whether a place in degrees is in the area. NaN is never in it.
  func contains(latitude: Double, longitude: Double) -> Bool {
    // Rounding could leave out the other side of the Earth.
    if angle >= .pi { return !latitude.isNaN && !longitude.isNaN }
    let latitude = latitude * .pi / 180
    // Most places are too far in the north or in the south, which takes no trigonometry.
    guard abs(latitude - self.latitude) <= angle else { return false }
    // The haversine formula is exact for short distances, at the poles, and across the 180° meridian.
    let (north, east) = (sin((latitude - self.latitude) / 2), sin((longitude * .pi / 180 - self.longitude) / 2))
    let haversine = north * north + cos(latitude) * cos(self.latitude) * east * east
    let most = sin(angle / 2)
    return haversine <= most * most
  }
}
