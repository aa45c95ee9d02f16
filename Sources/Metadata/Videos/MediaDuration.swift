/// A duration in units of its own.
struct MediaDuration {
  let units: Double
  /// The number of units in a second.
  let scale: Double

  var seconds: Double { units / scale }
}

extension ByteReader {
  /// Reads a number of units in a second and a number of units, which the head of a movie and of a track have. Returns nil for a
  /// duration that is not known.
  mutating func duration(version: Int) -> MediaDuration? {
    guard let scale = number(4), let units = number(version == 1 ? 8 : 4), scale > 0 else { return nil }
    let isKnown = units > 0 && (version == 1 || units < 0xFFFF_FFFF)
    return MediaDuration(units: isKnown ? Double(units) : 0, scale: Double(scale))
  }
}
