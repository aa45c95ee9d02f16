import TestLimit
import Testing

@testable import ViewModels

/// The playback of a video, by the frames that it asks for.
@Suite(.limited) struct PlaybackTests {
  @Test func aFrameThatIsMissingPauses() {
    var playback = Playback(duration: 0)
    playback.frameIsMissing()
    #expect(playback.isPaused && playback.upcoming.isEmpty && playback.position == 1)
    playback.frameIsShown(at: .zero)
    #expect(playback.next == nil)
    playback.togglePause()
    playback.frameIsShown(at: .zero)
    #expect(playback.next != nil)
  }

  /// Plays until no frame follows, on a screen that has each frame some time after its request, with a timer that rings with a
  /// delay. Returns the times at which frames are shown, in milliseconds, and their positions.
  private func play(
    _ playback: inout Playback, effort: Int, delay: Int = 0, until end: Int = 100_000
  ) -> [(time: Int, position: Int)] {
    var shown: [(time: Int, position: Int)] = []
    var ready: [Int: Int] = [:]
    var (now, free) = (1000, 0)
    while now < end {
      playback.frameIsShown(at: .milliseconds(now))
      shown.append((now - 1000, playback.position))
      // One after the other is made, and drawn when it is both there and due.
      for frame in playback.upcoming where ready[frame.position] == nil {
        free = max(free, now) + effort
        ready[frame.position] = free
      }
      guard let next = playback.next else { break }
      let due = Int(next.time / .milliseconds(1)) + delay
      playback.showNext(at: .milliseconds(due))
      now = max(due, ready[next.position] ?? 0)
      ready[next.position] = nil
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
    // How slow the screen is shows in the first frames.
    for (time, position) in shown.prefix(8) { #expect(abs(time - position) <= 500, "\(position) at \(time)") }
    for (time, position) in shown.dropFirst(8) { #expect(abs(time - position) <= 300, "\(position) at \(time)") }
  }

  @Test func aLateTimerLeavesNoFramesOut() {
    var playback = Playback(duration: 4000, frameInterval: 40)
    #expect(play(&playback, effort: 15, delay: 12).count == 100)
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
    playback.showNext(at: .milliseconds(40))
    playback.togglePause()
    playback.frameIsShown(at: .seconds(5))
    #expect(playback.next == nil && playback.position == 41)
    playback.togglePause()
    playback.frameIsShown(at: .seconds(60))
    #expect(playback.next == Playback.Next(position: 81, time: .milliseconds(60_040)))
  }

  @Test func windingStaysInTheVideo() {
    var playback = Playback(duration: 12_000, frameInterval: 40)
    playback.wind(by: 5, showsKeyFrame: false)
    #expect(playback.position == 5001 && !playback.isPaused)
    playback.wind(by: 5, showsKeyFrame: false)
    playback.wind(by: 5, showsKeyFrame: false)
    #expect(playback.position == 11_960)
    playback.wind(by: -60)
    #expect(playback.position == 1)
    // A slow first frame doesn't count as time of the video.
    playback.frameIsShown(at: .seconds(3))
    #expect(playback.next?.position == 41)
  }

  /// Also while it is paused. From the start, no key frame comes before the frame.
  @Test(arguments: [false, true]) func theKeyFrameIsShownFirstAfterWinding(isPaused: Bool) {
    var playback = Playback(duration: 12_000, frameInterval: 40)
    if isPaused { playback.togglePause() }
    playback.wind(by: 5)
    #expect(playback.position == 5001 && playback.frame == -5001)
    playback.frameIsShown(at: .zero)
    #expect(playback.frame == 5001 && playback.upcoming == [])
    playback.frameIsShown(at: .seconds(1))
    #expect(playback.upcoming.map(\.position) == (isPaused ? [] : [5041, 5081]))
    playback.wind(by: -60)
    #expect(playback.frame == 1)
    playback.wind(by: 5, showsKeyFrame: false)
    #expect(playback.frame == 5001)
    playback.wind(by: 5)
    playback.step(by: 1)
    #expect(playback.frame == playback.position)
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
    playback.wind(by: 1000, showsKeyFrame: false)
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
