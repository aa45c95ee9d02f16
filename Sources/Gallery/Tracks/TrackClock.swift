/// The offset of a camera's clock from UTC, by which photos are found on a track, and the reason for it.
public struct TrackClock: Hashable, Sendable {
  /// The seconds that the clock is ahead of UTC.
  public let offset: Double
  /// The reason for the offset.
  public let reason: Reason

  /// A reason for an offset.
  public enum Reason: Hashable, Sendable {
    /// Some photos of the camera have positions near the track: their number, and the median distance in meters.
    case positions(count: Int, meters: Double)
    /// The clock shows the time of the user's zone, whose offset depends on the day: the number of photos that are on the track then.
    case zone(count: Int)
    /// Fewer photos are on the track with other offsets: the number of photos that are on it with this one.
    case overlap(count: Int)
  }

  /// A photo of the camera: the time that its clock showed, and the position if the photo has one.
  public typealias Shot = (clock: Double, place: PhotoMetadata.Place?)

  /// The most meters from the track at which a photo's own position speaks for an offset.
  private static let near = 500.0
  /// The most photos that are tried for each offset.
  private static let mostShots = 400
  /// The offsets of all time zones, a quarter of an hour apart.
  private static let offsets = stride(from: -12 * 3600, through: 14 * 3600, by: 900).map(Double.init)

  /// Creates a clock.
  public init(offset: Double, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }

  /// Guesses the offset of a camera's clock. Returns nil if no photo is on a track with any.
  ///
  /// Photos that have a position give the offset to the second. Without them, the clock is taken for that of the user's time zone, unless far
  /// fewer photos are on the tracks then than with another offset.
  ///
  /// - Parameters:
  ///   - shots: The photos of the camera.
  ///   - tracks: The tracks.
  ///   - limit: The most seconds from a photo to the nearest point.
  ///   - zone: The offset of the user's time zone at a time of the clock, in seconds.
  public static func guess(
    _ shots: [Shot], on tracks: [PositionTrack], within limit: Double, zone: (_ clock: Double) -> Int
  ) -> TrackClock? {
    let placed = sample(shots.filter { $0.place != nil })
    if let found = byPositions(placed, tracks, limit) { return found }
    let sample = sample(shots)
    guard let first = sample.first else { return nil }
    let counts = offsets.map { offset in (offset, count(sample, tracks, limit) { _ in offset }) }
    guard let most = counts.map(\.1).max(), most > 0 else { return nil }
    let local = Double(zone(first.clock))
    let localCount = count(sample, tracks, limit) { Double(zone($0)) }
    if localCount * 2 > most { return TrackClock(offset: local, reason: .zone(count: localCount)) }
    // Of several offsets, that nearest to the user's zone is the most probable.
    let best = counts.filter { $0.1 == most }.min { abs($0.0 - local) < abs($1.0 - local) }
    return best.map { TrackClock(offset: $0.0, reason: .overlap(count: most)) }
  }

  private static func sample(_ shots: [Shot]) -> [Shot] {
    let step = max(1, shots.count / mostShots)
    return stride(from: 0, to: shots.count, by: step).map { shots[$0] }
  }

  private static func count(
    _ shots: [Shot], _ tracks: [PositionTrack], _ limit: Double, _ offset: (Double) -> Double
  ) -> Int {
    shots.count { shot in
      let moment = shot.clock - offset(shot.clock)
      return tracks.contains { $0.position(at: moment, within: limit) != nil }
    }
  }

  /// Looks for the offset with which photos that have positions are nearest to the tracks: first by quarters of an hour, then, because
  /// clocks are late, by smaller and smaller steps.
  private static func byPositions(_ shots: [Shot], _ tracks: [PositionTrack], _ limit: Double) -> TrackClock? {
    func distances(_ offset: Double) -> [Double] {
      shots.compactMap { shot in
        tracks.compactMap { $0.position(at: shot.clock - offset, within: limit)?.place }
          .compactMap { place in shot.place.map(place.distance) }.min()
      }.sorted()
    }
    func best(_ offsets: [Double]) -> (offset: Double, count: Int, meters: Double)? {
      offsets.compactMap { offset in
        let all = distances(offset)
        let near = all.filter { $0 <= Self.near }
        return near.isEmpty ? nil : (offset, near.count, all[all.count / 2])
      }.max { ($0.count, -$0.meters) < ($1.count, -$1.meters) }
    }
    guard var found = best(offsets) else { return nil }
    for step in [60.0, 10, 1] {
      let near = stride(from: -10 * step, through: 10 * step, by: step).map { found.offset + $0 }
      // What is nearer by less than the receiver's error says nothing.
      if let finer = best(near), finer.count > found.count || finer.meters < found.meters - 5 { found = finer }
    }
    guard found.count * 2 > shots.count else { return nil }
    return TrackClock(offset: found.offset, reason: .positions(count: found.count, meters: found.meters))
  }
}
