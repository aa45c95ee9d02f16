import Gallery

@testable import Tracks

/// The promises of the tracks of GPS receivers: the input is a file in GPX, KML or NMEA.
struct TrackPromises {
  private let bytes: [UInt8]

  init(_ input: [UInt8]) { bytes = input }

  func check() throws {
    guard let track = try? TrackReader.track(of: bytes), let moments = track.moments else { return }
    try promise(moments.lowerBound.isFinite && moments.upperBound.isFinite, "moments are numbers")
    for (point, next) in zip(track.points, track.points.dropFirst()) {
      try promise(point.moment < next.moment, "points are in the order of their moments")
    }
    for point in track.points {
      try check(point.place)
      for seconds in [-0.5, 0, 7, 1e9] {
        if let found = track.position(at: point.moment + seconds, within: 60) { try check(found.place) }
      }
    }
    let middle = moments.lowerBound + (moments.upperBound - moments.lowerBound) / 2
    let shots: [TrackClock.Shot] = [(middle + 3600, nil), (moments.upperBound + 3600, track.points[0].place)]
    if let clock = TrackClock.guess(shots, on: [track], within: 60, zone: { _ in 3600 }) {
      try promise(abs(clock.offset) < 16 * 3600, "a clock is less than 16 hours from UTC")
    }
  }

  private func check(_ place: PhotoMetadata.Place) throws {
    let isOnEarth = (-90...90).contains(place.latitude) && (-180...180).contains(place.longitude)
    try promise(isOnEarth && place.altitude.map { abs($0) <= 1e6 } ?? true, "places are on earth")
  }
}
