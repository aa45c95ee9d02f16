import TestLimit
import Testing

@testable import Terminal

/// The questions to the terminal and tmux, and the end of the time in which images wait for the answers.
@Suite(.limited) struct QuestioningTests {
  private static let now = ContinuousClock.now
  private static let kitty = ["TERM": "xterm-kitty"]
  private static let tmux = ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"]
  private static let attributes = TerminalReply.deviceAttributes([62, 22])

  private func questioning(_ environment: [String: String]) -> Questioning {
    Questioning(environment: environment, aboutColors: nil) { "/dev/shm/question" }
  }

  /// The names of actions, without what belongs to them.
  private func names(_ actions: [Questioning.Effect]) -> [String] {
    actions.map { String("\($0)".prefix { $0 != "(" }) }
  }

  @Test func imagesAreDrawnOnceAllIsAnswered() {
    var questioning = questioning(Self.kitty)
    #expect(names(questioning.start(at: Self.now)) == ["send"])
    #expect(questioning.receive(.kitty(id: Questions.pixelsID, isAccepted: true), at: Self.now) == [])
    #expect(!questioning.isFinished)
    let actions = questioning.receive(Self.attributes, at: Self.now)
    #expect(actions == [.expectNoAnswer, .remove(file: "/dev/shm/question"), .finish])
    #expect(questioning.isFinished && questioning.stop() == [])
  }

  @Test func aTerminalThatTellsItsNameIsAskedMore() {
    var questioning = questioning(["TERM": "xterm-256color"])
    _ = questioning.start(at: Self.now)
    _ = questioning.receive(.version("WezTerm 2024"), at: Self.now)
    #expect(names(questioning.receive(Self.attributes, at: Self.now)) == ["expectNoAnswer", "send"])
    #expect(!questioning.isFinished)
    #expect(names(questioning.receive(Self.attributes, at: Self.now)) == ["expectNoAnswer", "remove", "finish"])
  }

  @Test func imagesDoNotWaitForeverAndALateAnswerCounts() {
    var questioning = questioning(Self.kitty)
    _ = questioning.start(at: Self.now)
    // The terminal may still read the file.
    #expect(questioning.timeIsUp() == [.finish] && questioning.isFinished)
    let late = questioning.receive(Self.attributes, at: Self.now + .seconds(60))
    #expect(late == [.expectNoAnswer, .remove(file: "/dev/shm/question"), .finish])
  }

  @Test func theFileIsRemovedAtTheEnd() {
    var questioning = questioning(Self.kitty)
    _ = questioning.start(at: Self.now)
    #expect(questioning.stop() == [.remove(file: "/dev/shm/question")] && questioning.stop() == [])
  }

  @Test func answersAreExpectedForSomeSeconds() {
    var questioning = questioning(Self.kitty)
    #expect(!questioning.expectsAnswer(at: Self.now))
    _ = questioning.start(at: Self.now)
    #expect(questioning.expectsAnswer(at: Self.now + .seconds(4)))
    #expect(!questioning.expectsAnswer(at: Self.now + .seconds(6)))
    _ = questioning.receive(Self.attributes, at: Self.now)
    #expect(!questioning.expectsAnswer(at: Self.now))
  }

  @Test func imagesWaitForTmuxToo() {
    var questioning = questioning(Self.tmux)
    #expect(names(questioning.start(at: Self.now)) == ["askForOuterTerminal", "send"])
    #expect(questioning.receive(Self.attributes, at: Self.now) == [.expectNoAnswer] && !questioning.isFinished)
    #expect(questioning.receive(nil) == [.finish] && questioning.isFinished)
  }

  @Test func anotherTerminalHasNoneOfTheImages() {
    func client(_ name: String, by process: Int, version: String = "") -> OuterTerminal? {
      OuterTerminal(answer: "\(name)|RGB|1|\(process)|\(version)\non\n")
    }
    var questioning = questioning(Self.tmux)
    _ = questioning.start(at: Self.now)
    _ = questioning.receive(Self.attributes, at: Self.now)
    #expect(questioning.receive(client("xterm-kitty", by: 1)) == [.finish])
    #expect(questioning.receive(client("xterm-kitty", by: 1, version: "kitty(0.41.1)")) == [.finish])
    #expect(questioning.receive(client("", by: 0)) == [.finish], "it is in no terminal")
    #expect(questioning.receive(client("xterm-kitty", by: 2)) == [.loseImages, .finish])
    #expect(questioning.receive(client("xterm-kitty", by: 2)) == [.finish])
  }

  @Test func imagesWaitUntilTmuxPassesThemOnToAnotherTerminal() {
    var questioning = inTmux()
    #expect(questioning.receive(.status, at: Self.now) == [], "an answer about the line")
    #expect(questioning.receive(Self.kitty(by: 2)) == [.askForVisibility] && !questioning.isFinished)
    #expect(questioning.receive(.active) == [.send(Passthrough.presenceQuestion), .wake(milliseconds: 1000)])
    #expect(questioning.timeIsUp() == [.askForVisibility] && !questioning.isFinished, "tmux has dropped the question")
    #expect(questioning.receive(.active) == [.send(Passthrough.presenceQuestion), .wake(milliseconds: 2000)])
    // The answer to the other question may still come.
    #expect(questioning.receive(.windowPixels, at: Self.now) == [.loseImages, .finish])
    #expect(questioning.isFinished)
    #expect(questioning.receive(Self.kitty(by: 2)) == [.finish])
  }

  @Test func imagesWaitUntilTmuxShowsTheProgramButNotWithoutEnd() {
    var questioning = inTmux()
    #expect(questioning.imagesMayBeLost() == [.askForOuterTerminal])
    #expect(questioning.receive(Self.kitty(by: 1)) == [.askForVisibility] && !questioning.isFinished)
    var pauses: [Int] = []
    for _ in 1...100 {
      guard case .wake(let pause)? = questioning.receive(.hidden).first else { break }
      pauses.append(pause)
      #expect(questioning.timeIsUp() == [.askForVisibility] && !questioning.isFinished)
    }
    #expect(pauses.prefix(4) == [1000, 2000, 4000, 8000] && pauses.max() == 8000 && pauses.reduce(0, +) < 130_000)
    // The user returns.
    #expect(questioning.terminalMayHaveChanged() == [.askForOuterTerminal])
    #expect(questioning.receive(Self.kitty(by: 1)) == [.askForVisibility])
    #expect(questioning.receive(.active) == [.send(Passthrough.presenceQuestion), .wake(milliseconds: 1000)])
    #expect(questioning.receive(.windowPixels, at: Self.now) == [.expectNoAnswer, .loseImages, .finish])
    #expect(questioning.receive(Self.kitty(by: 1)) == [.finish])
  }

  @Test func imagesDoNotWaitForATerminalThatNeverAnswers() {
    var questioning = inTmux()
    #expect(questioning.receive(Self.kitty(by: 2)) == [.askForVisibility])
    for _ in 1...3 { #expect(questioning.receive(.active).count == 2) }
    #expect(questioning.timeIsUp() == [.loseImages, .finish] && questioning.isFinished)
    #expect(questioning.imagesMayBeLost() == [], "it would be asked again for ever")
    #expect(questioning.receive(Self.kitty(by: 3)) == [.askForVisibility], "another terminal may answer")
  }

  @Test func aTerminalThatCannotBeAskedNowIsAskedWhenTheUserReturns() {
    var questioning = inTmux()
    #expect(questioning.receive(Self.kitty(by: 2)) == [.askForVisibility])
    #expect(questioning.receive(.visible) == [.loseImages, .finish] && questioning.isFinished)
    #expect(questioning.terminalMayHaveChanged() == [.askForOuterTerminal])
    #expect(questioning.receive(Self.kitty(by: 2)) == [.askForVisibility])
    #expect(questioning.receive(.active) == [.send(Passthrough.presenceQuestion), .wake(milliseconds: 1000)])
    #expect(questioning.receive(.windowPixels, at: Self.now) == [.expectNoAnswer, .loseImages, .finish])
    #expect(questioning.receive(Self.kitty(by: 2)) == [.finish])
  }

  @Test func tmuxLosesNothingIfItPassesEverythingOnAlways() {
    var questioning = inTmux(passing: "all")
    #expect(questioning.imagesMayBeLost() == [])
  }

  private static func kitty(by process: Int, passing: String = "on") -> OuterTerminal? {
    OuterTerminal(answer: "xterm-kitty|RGB|1|\(process)|kitty(0.41.1)\n\(passing)\n")
  }

  /// Returns the questioning in tmux that was attached by process 1, after all answers.
  private func inTmux(passing: String = "on") -> Questioning {
    var questioning = questioning(Self.tmux)
    _ = questioning.start(at: Self.now)
    _ = questioning.receive(Self.attributes, at: Self.now)
    #expect(questioning.receive(Self.kitty(by: 1, passing: passing)) == [.finish])
    return questioning
  }

  @Test func tmuxIsAskedAgainAfterAChangeOnceItHasAnswered() {
    var questioning = questioning(Self.tmux)
    _ = questioning.start(at: Self.now)
    let size = CellSize(width: 9, height: 18)
    #expect(questioning.windowMayHaveChanged(kernelCellSize: size) == [], "it is being asked")
    #expect(questioning.capabilities.cellSize == size)
    #expect(questioning.receive(nil) == [.askForOuterTerminal], "it may have answered before the change")
    #expect(questioning.receive(nil) == [])
    #expect(questioning.windowMayHaveChanged(kernelCellSize: size) == [.askForOuterTerminal])
    _ = questioning.receive(nil)
    #expect(questioning.terminalMayHaveChanged() == [.askForOuterTerminal])
    var alone = self.questioning(Self.kitty)
    #expect(alone.windowMayHaveChanged(kernelCellSize: size) == [])
  }
}
