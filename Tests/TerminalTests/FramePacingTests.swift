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
    pacing.receiveKeys()
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
}
