import TestLimit
import Testing

@testable import ViewModels

/// The playback of a video, by the frames that it asks for.
@Suite(.limited) struct PlaybackTests {
  /// Plays until no frame follows, on a screen that has each frame some time after its request. Returns the times at which frames
  /// are shown, in milliseconds, and their positions.
  private func play(
    _ playback: inout Playback, effort: Int, until end: Int = 100_000
  ) -> [(time: Int, position: Int)] {
    var shown: [(time: Int, position: Int)] = []
    var now = 1000
    while now < end {
      playback.frameIsShown(at: .milliseconds(now))
      shown.append((now - 1000, playback.position))
      guard let next = playback.next else { break }
      // It is requested at once, and drawn when it is both there and due.
      let due = Int(next.time / .milliseconds(1))
      playback.showNext()
      now = max(due, now + effort)
    }
    return shown
  }

  @Test func eachFrameIsShownAtItsTimeIfThereIsTime() {
    var playback = Playback(duration: 400, frameInterval: 40)
    let shown = play(&playback, effort: 15)
    #expect(shown.map(\.position) == Array(stride(from: 1, to: 400, by: 40)))
    #expect(shown.allSatisfy { $0.time == $0.position - 1 })
    #expect(playback.isPaused && playback.next == nil)
  }

  @Test func aSlowScreenShowsFewerFramesAndDoesNotFallBehind() {
    var playback = Playback(duration: 20_000, frameInterval: 40)
    let shown = play(&playback, effort: 250)
    #expect((60...80).contains(shown.count), "\(shown.count) frames")
    for (time, position) in shown { #expect(abs(time - position) <= 300, "\(position) at \(time)") }
  }

  @Test func theSpeedChangesTheTimesAndNotTheFrames() {
    var playback = Playback(duration: 1000, frameInterval: 40)
    playback.changeSpeed(by: 2)
    #expect(playback.speed == 2)
    let fast = play(&playback, effort: 0)
    #expect(fast.count == 25 && fast.last?.time == 480)
    playback = Playback(duration: 1000, frameInterval: 40)
    playback.changeSpeed(by: -9)
    #expect(playback.speed == 0.25)
    #expect(play(&playback, effort: 0).last?.time == 3840)
  }

  @Test func timeStandsStillWhileTheVideoIsPaused() {
    var playback = Playback(duration: 1000, frameInterval: 40)
    playback.frameIsShown(at: .zero)
    playback.showNext()
    playback.togglePause()
    playback.frameIsShown(at: .seconds(5))
    #expect(playback.next == nil && playback.position == 41)
    playback.togglePause()
    playback.frameIsShown(at: .seconds(60))
    #expect(playback.next == Playback.Next(position: 81, time: .milliseconds(60_040)))
  }

  @Test func windingStaysInTheVideo() {
    var playback = Playback(duration: 12_000, frameInterval: 40)
    playback.wind(by: 5)
    #expect(playback.position == 5001 && !playback.isPaused)
    playback.wind(by: 5)
    playback.wind(by: 5)
    #expect(playback.position == 11_960)
    playback.wind(by: -60)
    #expect(playback.position == 1)
    // A slow first frame doesn't count as time of the video.
    playback.frameIsShown(at: .seconds(3))
    #expect(playback.next?.position == 41)
  }

  @Test func aStepPausesAndShowsTheNextFrame() {
    var playback = Playback(duration: 1000, frameInterval: 1000 / 30)
    playback.step(by: 1)
    playback.step(by: 1)
    #expect(playback.isPaused && playback.position == 67)
    playback.step(by: -1)
    playback.frameIsShown(at: .zero)
    #expect(playback.position == 34 && playback.next == nil)
  }

  @Test func theEndIsFollowedByTheStartInALoopOrOnDemand() {
    var playback = Playback(duration: 100, frameInterval: 40)
    _ = play(&playback, effort: 0)
    #expect(playback.isPaused && playback.position == 81)
    playback.togglePause()
    #expect(!playback.isPaused && playback.position == 1)
    playback.toggleLoop()
    let shown = play(&playback, effort: 0, until: 1400)
    #expect(shown.map(\.position) == [1, 41, 81, 1, 41, 81, 1, 41, 81, 1])
    #expect(shown.map(\.time) == [0, 40, 80, 120, 160, 200, 240, 280, 320, 360])
  }

  @Test func theDecoderKnowsTheDurationOfOtherFormats() {
    var playback = Playback(duration: 0)
    playback.wind(by: 1000)
    #expect(playback.position == 1_000_001)
    playback.frameIsShown(at: .zero, duration: 90)
    #expect(playback.duration == 90 && playback.position == 50 && playback.next == nil)
    playback.frameIsShown(at: .zero, duration: 90)
    #expect(playback.next == nil && playback.isPaused)
  }

  @Test func theDecoderSaysTheTimeBetweenFramesThatNothingElseSaid() {
    var (unknown, known) = (Playback(duration: 400), Playback(duration: 400, frameInterval: 40, from: 81))
    unknown.frameIsShown(at: .zero, interval: 100)
    known.frameIsShown(at: .zero, interval: 100)
    #expect(unknown.next == Playback.Next(position: 101, time: .milliseconds(100)))
    #expect(known.next == Playback.Next(position: 121, time: .milliseconds(40)))
  }
}
