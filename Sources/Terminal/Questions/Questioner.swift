import CTerminalGuard
import Dispatch

/// Asks the terminal and a multiplexer what they can do: performs the actions of ``Questioning``.
@MainActor
final class Questioner {
  /// Called when images can be drawn, or can be drawn better than before.
  var onFinish: () -> Void = {}

  /// Called when the terminal may have none of the images: it is another one, or they were not passed on.
  var onImagesLost: () -> Void = {}

  private let environment: [String: String]
  private let send: @MainActor ([UInt8]) -> Void
  private var questioning: Questioning
  private let alarm = Alarm()
  private var watch: OuterTerminalWatch?

  /// The time for which images wait for the terminal's answers.
  private static let terminalTime = DispatchTimeInterval.milliseconds(200)
  /// The time for which images wait for a multiplexer's answer. It takes a process to ask, and the multiplexer may just have
  /// been started.
  private static let multiplexerTime = DispatchTimeInterval.seconds(1)

  /// - Parameters:
  ///   - aboutColors: The question about colors.
  ///   - send: Writes to the terminal.
  init(
    environment: [String: String], aboutColors: ColorQuestion?, send: @escaping @MainActor ([UInt8]) -> Void
  ) {
    self.environment = environment
    self.send = send
    questioning = Questioning(environment: environment, aboutColors: aboutColors) {
      QuestionFile.make(environment: environment)
    }
  }

  /// The terminal's capabilities, as far as it has answered.
  var capabilities: Capabilities { questioning.capabilities }
  /// Whether the terminal has answered, or has had its time to.
  var isFinished: Bool { questioning.isFinished }
  /// Whether the terminal has answered all questions so far.
  var isComplete: Bool { capabilities.missingAnswers == 0 && isFinished }
  /// Whether bytes that come now may be an answer.
  var expectsAnswer: Bool { questioning.expectsAnswer(at: .now) }

  /// Asks the first questions.
  func start(kernelCellSize: CellSize?) {
    perform(questioning.start(at: .now, kernelCellSize: kernelCellSize))
    let hasOuterTerminal = capabilities.hasOuterTerminal
    if hasOuterTerminal {
      watch = OuterTerminalWatch(environment: environment) { [unowned self] in
        perform(questioning.terminalMayHaveChanged())
      }
    }
    alarm.set(after: hasOuterTerminal ? Self.multiplexerTime : Self.terminalTime) { [unowned self] in
      perform(questioning.timeIsUp())
    }
  }

  /// Takes in an answer of the terminal.
  func receive(_ reply: TerminalReply) { perform(questioning.receive(reply, at: .now)) }

  /// Takes note that the window may have another size, or that the outer terminal may be another one.
  func windowMayHaveChanged(kernelCellSize: CellSize?) {
    perform(questioning.windowMayHaveChanged(kernelCellSize: kernelCellSize))
  }

  /// Takes note that the user has returned, after a pause or from another window, and perhaps in another terminal. There are
  /// ways to attach one that nothing shows.
  func userHasReturned() { perform(questioning.terminalMayHaveChanged()) }

  /// Takes note that images were sent while the program may not have been shown, so that they were dropped.
  func imagesMayBeLost() { perform(questioning.imagesMayBeLost()) }

  /// Ends the questioning with the program.
  func stop() { perform(questioning.stop()) }

  private func perform(_ actions: [Questioning.Effect]) {
    for action in actions {
      switch action {
      case .send(let questions):
        terminal_guard_await_answers(true)
        send(questions)
      case .expectNoAnswer: terminal_guard_await_answers(false)
      case .askForOuterTerminal:
        OuterTerminal.ask(environment: environment) { [unowned self] in perform(questioning.receive($0)) }
      case .askForVisibility:
        OuterTerminal.askForVisibility(environment: environment) { [unowned self] in perform(questioning.receive($0)) }
      case .wake(let milliseconds):
        alarm.set(after: .milliseconds(milliseconds)) { [unowned self] in perform(questioning.timeIsUp()) }
      case .remove(let file): QuestionFile.remove(file)
      case .loseImages: onImagesLost()
      case .finish:
        alarm.cancel()
        onFinish()
      }
    }
  }
}
