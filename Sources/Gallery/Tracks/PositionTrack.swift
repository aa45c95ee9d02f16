#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The way of a GPS receiver: positions with their times.
///
/// ```swift
/// let track = PositionTrack(points)
/// track.position(at: moment, within: 300)?.place   // between the points before and after, or the nearer one
/// ```
public struct PositionTrack: Sendable {
  /// A position at a moment.
  public struct Point: Hashable, Sendable {
    /// The seconds since 1970-01-01 00:00:00 UTC.
    public var moment: Double
    /// The position.
    public var place: PhotoMetadata.Place

    /// Creates a point.
    public init(moment: Double, place: PhotoMetadata.Place) {
      self.moment = moment
      self.place = place
    }
  }

  /// The points in the order of their moments, of which no two are the same.
  public let points: [Point]

  /// Creates a track of points in any order. Of several points at one moment, the first one counts.
  public init(_ points: [Point]) {
    var sorted: [Point] = []
    sorted.reserveCapacity(points.count)
    for point in points.isInOrder ? points : points.sorted(by: { $0.moment < $1.moment })
    where sorted.last?.moment != point.moment {
      sorted.append(point)
    }
    self.points = sorted
  }

  /// The first and the last moment; nil if there is no point.
  public var moments: ClosedRange<Double>? {
    guard let first = points.first, let last = points.last else { return nil }
    return first.moment...last.moment
  }

  /// Returns the position at a moment, and how far the nearest point is away in time, in seconds.
  ///
  /// - Parameter limit: The most seconds to the nearest point. If the points on both sides are farther apart than twice that, because the
  ///   receiver was off or had no reception, the position is that of the nearer one.
  public func position(at moment: Double, within limit: Double) -> (place: PhotoMetadata.Place, distance: Double)? {
    let after = points.firstIndex(from: moment)
    let next = after < points.count ? points[after] : nil
    let last = after > 0 ? points[after - 1] : nil
    if let next, next.moment == moment { return (next.place, 0) }
    let nearest = [last, next].compactMap(\.self).min { abs($0.moment - moment) < abs($1.moment - moment) }
    guard let nearest, abs(nearest.moment - moment) <= limit else { return nil }
    let distance = abs(nearest.moment - moment)
    guard let last, let next, next.moment - last.moment <= 2 * limit else { return (nearest.place, distance) }
    let part = (moment - last.moment) / (next.moment - last.moment)
    return (last.place.between(next.place, part), distance)
  }
}

extension PhotoMetadata.Place {
  /// Returns the place on the straight way to another one, at a part of it from 0 to 1. The way may cross the 180° meridian.
  fileprivate func between(_ other: Self, _ part: Double) -> Self {
    var east = other.longitude - longitude
    if abs(east) > 180 { east += east < 0 ? 360 : -360 }
    var new = longitude + east * part
    if abs(new) > 180 { new += new < 0 ? 360 : -360 }
    let height = altitude.flatMap { low in other.altitude.map { low + ($0 - low) * part } }
    return Self(latitude: latitude + (other.latitude - latitude) * part, longitude: new, altitude: height ?? altitude)
  }

  /// Returns the distance to another place in meters, on a sphere with the mean radius of WGS 84.
  public func distance(to other: Self) -> Double {
    let radians = Double.pi / 180
    let (north, east) = (
      sin((other.latitude - latitude) * radians / 2), sin((other.longitude - longitude) * radians / 2)
    )
    let haversine = north * north + cos(latitude * radians) * cos(other.latitude * radians) * east * east
    return 2 * 6_371_008.8 * asin(min(1, haversine.squareRoot()))
  }
}

extension [PositionTrack.Point] {
  fileprivate var isInOrder: Bool { zip(self, dropFirst()).allSatisfy { $0.moment <= $1.moment } }

  /// Returns the index of the first point at a moment or after it.
  fileprivate func firstIndex(from moment: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].moment >= moment { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
