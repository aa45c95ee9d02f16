import TestLimit
import Testing

@testable import Gallery

@Suite(.limited) struct PositionTrackTests {
  private typealias Place = PhotoMetadata.Place

  private func track(_ points: (Double, Double, Double)...) -> PositionTrack {
    PositionTrack(points.map { .init(moment: $0.0, place: Place(latitude: $0.1, longitude: $0.2)) })
  }

  @Test func positionsLieBetweenPoints() {
    let track = track((200, 3, 4), (100, 1, 2), (100, 9, 9), (1000, 5, 5))
    #expect(track.points.map(\.moment) == [100, 200, 1000])
    #expect(track.position(at: 100, within: 10)?.place == Place(latitude: 1, longitude: 2))
    #expect(track.position(at: 150, within: 60)?.place == Place(latitude: 2, longitude: 3))
    // The nearest point is too far away in time.
    #expect(track.position(at: 150, within: 49) == nil)
    #expect(track.position(at: 600, within: 300) == nil)
    // The receiver was off, so that the way between the points is unknown.
    #expect(track.position(at: 210, within: 60)?.place == Place(latitude: 3, longitude: 4))
    #expect(track.position(at: 90, within: 10)?.place == Place(latitude: 1, longitude: 2))
    #expect(track.position(at: 89, within: 10) == nil && track.position(at: 1011, within: 10) == nil)
    #expect(PositionTrack([]).position(at: 0, within: 1e9) == nil)
  }

  @Test func theWayCrossesTheDateLine() throws {
    let track = track((0, 0, 179), (100, 0, -179))
    #expect(track.position(at: 25, within: 100)?.place.longitude == 179.5)
    #expect(track.position(at: 75, within: 100)?.place.longitude == -179.5)
  }

  /// A walk of two hours, a point in ten seconds, 1.4 m/s to the north east.
  private let walk = PositionTrack(
    (0...720).map { step in
      let way = Double(step) * 0.000_1
      return .init(
        moment: 1_777_800_000 + Double(step) * 10, place: Place(latitude: 59.9 + way, longitude: 10.7 + way * 1.5))
    })

  /// Returns photos of the walk by a clock that is ahead of UTC, of which each third one has a position.
  private func shots(ahead: Double, positions: Bool) -> [TrackClock.Shot] {
    stride(from: 30.0, to: 7000, by: 97).enumerated().map { index, second in
      let place = walk.position(at: 1_777_800_000 + second, within: 60)?.place
      return (1_777_800_000 + second + ahead, positions && index % 3 == 0 ? place : nil)
    }
  }

  /// The offset of the clock, also of one that is late, is found by photos with positions, to the second or nearly.
  @Test(arguments: [0, 7200, 19_800, 20_700, -34_200, 7235, 3472])
  func positionsSayTheOffset(ahead: Double) throws {
    let clock = try #require(
      TrackClock.guess(shots(ahead: ahead, positions: true), on: [walk], within: 300) { _ in 3600 })
    #expect(abs(clock.offset - ahead) <= 10, "\(clock)")
    guard case .positions(let count, let meters) = clock.reason else { throw Unexpected() }
    #expect(count == 24 && meters < 20)
  }

  private struct Unexpected: Error {}

  /// Without positions, the user's zone counts if most photos are on the track with it, and otherwise the offset that puts most there.
  @Test func theZoneOrTheOverlapSaysTheOffset() {
    let none = shots(ahead: 7200, positions: false)
    #expect(
      TrackClock.guess(none, on: [walk], within: 300) { _ in 7200 }
        == TrackClock(offset: 7200, reason: .zone(count: none.count)))
    let other = TrackClock.guess(none, on: [walk], within: 300) { _ in -18_000 }
    #expect(other?.offset == 7200 && other?.reason == .overlap(count: none.count))
    #expect(TrackClock.guess(none.map { ($0.clock + 1e7, nil) }, on: [walk], within: 300) { _ in 7200 } == nil)
    #expect(TrackClock.guess([], on: [walk], within: 300) { _ in 0 } == nil)
  }

  /// Positions of another day or of another place say nothing.
  @Test func positionsElsewhereSayNothing() {
    let far = shots(ahead: 7200, positions: true).map { shot in
      (shot.clock, shot.place.map { Place(latitude: $0.latitude + 1, longitude: $0.longitude) })
    }
    let clock = TrackClock.guess(far, on: [walk], within: 300) { _ in 7200 }
    #expect(clock?.reason == .zone(count: far.count))
  }
}
