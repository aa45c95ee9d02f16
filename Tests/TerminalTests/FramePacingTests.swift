import Dispatch
import TestLimit
import Testing

@testable import Terminal

/// The pacing decides when frames are drawn, and when an image is broken off.
@Suite(.limited) struct FramePacingTests {
  @Test func oneFrameIsDrawnHoweverOftenItIsAskedFor() {
    var pacing = FramePacing()
    #expect([pacing.requestFrame(), pacing.requestFrame()] == [true, false])
    pacing.endTurn()
    #expect(pacing.beginFrame(isReady: true) == false)
    #expect(pacing.beginFrame(isReady: true) == nil)
    #expect([pacing.requestFrame(), pacing.requestFrame()] == [true, false], "the next turn is another")
  }

  @Test func aFrameWaitsUntilTheTerminalIsReady() {
    var pacing = FramePacing()
    _ = pacing.requestFrame()
    pacing.endTurn()
    #expect(pacing.beginFrame(isReady: false) == nil)
    #expect(pacing.beginFrame(isReady: true) == false)
  }

  @Test func theFrameAfterKeysIsTheirAnswer() {
    var pacing = FramePacing()
    pacing.receiveKeys(at: .now)
    #expect(!pacing.isAnswerDue, "no frame has been asked for yet")
    _ = pacing.requestFrame()
    #expect(pacing.isAnswerDue)
    #expect(pacing.beginFrame(isReady: true) == true)
    #expect(!pacing.isAnswerDue)
    _ = pacing.requestFrame()
    #expect(pacing.beginFrame(isReady: true) == false, "one frame answers them")
  }

  @Test func theTimerRunsWhileAnAnswerIsHeldUp() {
    var pacing = FramePacing()
    #expect(pacing.watch(isHeldUp: false) == nil)
    #expect(pacing.watch(isHeldUp: true) == .start)
    #expect(pacing.watch(isHeldUp: true) == nil, "it is not started again")
    #expect(pacing.watch(isHeldUp: false) == .stop)
    #expect(pacing.watch(isHeldUp: true) == .start)
    pacing.timeIsUp()
    #expect(pacing.watch(isHeldUp: false) == nil, "it has fired")
    #expect(pacing.watch(isHeldUp: true) == .start)
  }

  @Test func theIntervalOfKeysHasALimit() {
    var pacing = FramePacing()
    let start = ContinuousClock.now
    #expect(pacing.keyInterval == .seconds(10), "there has been no key")
    pacing.receiveKeys(at: start)
    #expect(pacing.keyInterval == .seconds(10), "the first key follows no other")
    pacing.receiveKeys(at: start + .milliseconds(300))
    #expect(pacing.keyInterval == .milliseconds(300))
    pacing.receiveKeys(at: start + .seconds(60))
    #expect(pacing.keyInterval == .seconds(10))
  }

  @Test func aKeyWaitsLessOnASlowLineUnlessItIsHeldDown() {
    let start = ContinuousClock.now
    var line = LineModel(environment: ["SSH_CONNECTION": "yes"])
    var pacing = FramePacing()
    pacing.receiveKeys(at: start)
    #expect(pacing.longestHoldUp(rest: 1000, on: line) == .milliseconds(200), "the line has not been measured")
    line.write(100_000, at: start)
    line.ask(at: start)
    line.receiveAnswer(at: start + .seconds(1))
    #expect(line.isSlow)
    #expect(pacing.longestHoldUp(rest: 1000, on: line) == .milliseconds(20))
    pacing.receiveKeys(at: start + .milliseconds(40))
    #expect(pacing.longestHoldUp(rest: 1000, on: line) == .milliseconds(200), "the image soon ends")
    #expect(pacing.longestHoldUp(rest: 50_000, on: line) == .milliseconds(20), "the image takes half a second")
  }
}
