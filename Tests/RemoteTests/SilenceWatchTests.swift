import TestLimit
import Testing

@testable import Remote

@Suite(.limited) struct SilenceWatchTests {
  private let start = ContinuousClock.now
  private func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  /// Returns the seconds that the watch wants to wait at each of some times.
  private func rests(_ watch: inout SilenceWatch, at times: [Double]) -> [Double?] {
    times.map { seconds in watch.rest(isWaiting: true, at: time(seconds)).map { $0 / .seconds(1) } }
  }

  @Test func threeSilentPartsAreTooLong() {
    var watch = SilenceWatch()
    #expect(rests(&watch, at: [0, 5, 15, 20, 30]) == [15, 10, 15, 10, 15])
    #expect(!watch.isTooLong)
    #expect(rests(&watch, at: [45]) == [nil])
    #expect(watch.isTooLong)
  }

  @Test func whatComesEndsTheSilence() {
    var watch = SilenceWatch()
    _ = rests(&watch, at: [0, 15, 30])
    watch.heard()
    #expect(rests(&watch, at: [44, 59, 74]) == [15, 15, 15])
    #expect(!watch.isTooLong)
  }

  @Test func nothingIsMeasuredWhileNothingIsOnItsWay() {
    var watch = SilenceWatch()
    _ = rests(&watch, at: [0, 15, 30])
    #expect(watch.rest(isWaiting: false, at: time(100)) == nil)
    #expect(rests(&watch, at: [200, 215]) == [15, 15])
    #expect(!watch.isTooLong)
  }

  /// A program that was stopped hears after it goes on what has come meanwhile.
  @Test func aLongPauseIsOnePart() {
    var watch = SilenceWatch()
    #expect(rests(&watch, at: [0, 3600]) == [15, 15])
    #expect(!watch.isTooLong)
  }
}
