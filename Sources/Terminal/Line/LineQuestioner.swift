import CTerminalGuard
import Dispatch

/// Asks the terminal whether everything has arrived, and measures the line by the times of its answers (``LineModel``).
@MainActor
final class LineQuestioner {
  /// Called when the line may have become idle.
  var onChange: () -> Void = {}

  /// The state of the line to the terminal.
  private(set) var line: LineModel

  private let environment: [String: String]
  private let teletype: Teletype
  private let questioner: Questioner
  /// Runs while an answer is due.
  private let alarm = Alarm()
  /// Whether a question has not left.
  private var isQueued = false
  /// Whether the multiplexer was asked, before a question, how it shows the program.
  private var isAskingForVisibility = false
  /// Whether the question that is not answered is one about the line, and none of the first ones.
  private var isAboutLine = false
  /// Whether the terminal was asked another question because the last one has not been answered.
  private var isDoubted = false

  /// The time after which an answer counts as lost.
  private static let longestAnswerTime = DispatchTimeInterval.seconds(60)
  /// The time after which a multiplexer, which drops questions and images while it shows another window, is asked whether
  /// it does.
  private static let usualAnswerTime = DispatchTimeInterval.seconds(3)
  /// The time after an image in which another one may follow.
  private static let restTime = DispatchTimeInterval.milliseconds(300)
  /// The question after an image, which every terminal answers (DA1).
  private static let question = Array("\u{1B}[c".utf8)

  /// - Parameters:
  ///   - teletype: The device whose bytes are measured. It writes no more than the line has room for.
  ///   - questioner: The questioner, whose questions the terminal answers first.
  init(environment: [String: String], teletype: Teletype, questioner: Questioner) {
    self.environment = environment
    self.teletype = teletype
    self.questioner = questioner
    line = LineModel(environment: environment)
    teletype.onQuestion = { [unowned self] in line.ask(at: .now) }
    teletype.room = { [unowned self] in (line.room(at: .now), line.timeToRoom(at: .now)) }
    teletype.onWrite = { [unowned self] in
      line.write($0, at: .now)
      // The multiplexer would have to be asked before each question, by another process.
      if !questioner.capabilities.passesThrough, line.isWorthAsking(before: teletype.outbox.waitingBytes) {
        askIfWorthwhile()
      }
    }
  }

  /// Asks if enough has been written since the last question.
  func askIfWorthwhile() {
    guard line.isWorthAsking, !isQueued, !isAskingForVisibility, questioner.isComplete, terminal_guard_is_entered()
    else { return }
    isQueued = true
    line.hasBackPressure = !questioner.capabilities.passesThrough
    guard questioner.capabilities.passesThrough else { return ask(Self.question) }
    isAskingForVisibility = true
    OuterTerminal.askForVisibility(environment: environment) { [unowned self] visibility in
      isAskingForVisibility = false
      // The question may have been forgotten meanwhile.
      guard isQueued else { return askIfWorthwhile() }
      if visibility == .active { return ask(Passthrough.lineQuestion) }
      loseAnswer(visibility)
    }
  }

  /// Takes note that an image has left. A multiplexer may have dropped it, and on a local line there are no questions that
  /// show that.
  func imageHasLeft() {
    guard questioner.capabilities.passesThrough, line.usableThroughput == nil else { return }
    alarm.set(after: Self.restTime) { [unowned self] in
      OuterTerminal.askForVisibility(environment: environment) { [unowned self] in
        if $0 == .hidden { questioner.imagesMayBeLost() }
      }
    }
  }

  /// Takes note that the question has left.
  func questionHasLeft() {
    isQueued = false
    isAboutLine = true
    line.ask(at: .now)
    guard questioner.capabilities.passesThrough else { return awaitAnswer() }
    alarm.set(after: Self.usualAnswerTime) { [unowned self] in
      OuterTerminal.askForVisibility(environment: environment) { [unowned self] visibility in
        guard line.isAsking, !isQueued else { return }
        if visibility == .hidden { return loseAnswer(.hidden) }
        // The line may just have become slow. But if the terminal answers another question first, this one was dropped.
        if visibility == .active {
          isDoubted = true
          terminal_guard_await_answers(true)
          teletype.send { $0.send(Passthrough.presenceQuestion) }
        }
        awaitAnswer()
      }
    }
  }

  private func awaitAnswer() {
    let passesThrough = questioner.capabilities.passesThrough
    alarm.set(after: Self.longestAnswerTime) { [unowned self] in loseAnswer(passesThrough ? .hidden : .visible) }
  }

  /// Takes note that the answer will not come. If the program was not shown, images were dropped, too.
  private func loseAnswer(_ visibility: OuterTerminal.Visibility) {
    forgetQuestion()
    if visibility == .hidden { questioner.imagesMayBeLost() }
    onChange()
  }

  /// Takes note that the last question will not be answered.
  func forgetQuestion() {
    isQueued = false
    isAboutLine = false
    isDoubted = false
    alarm.cancel()
    line.forgetQuestion()
  }

  /// Receives an answer of the terminal.
  /// - Returns: Whether it answers a question about the line and no other one.
  func receive(_ reply: TerminalReply) -> Bool {
    if reply == .windowPixels, questioner.isComplete {
      // The terminal answers in the order of the questions.
      if isDoubted { loseAnswer(.hidden) }
      terminal_guard_await_answers(line.isAsking)
      return true
    }
    // A multiplexer answers this one itself.
    let isMultiplexers = if case .deviceAttributes = reply { questioner.capabilities.passesThrough } else { false }
    let isAnswer =
      switch reply {
      case .status: true
      // It may answer the first questions after another process has said which terminal it is in.
      case .deviceAttributes: !isMultiplexers || !isAboutLine && !questioner.isComplete
      default: false
      }
    guard isAnswer, line.isAsking else { return false }
    guard questioner.isComplete else {
      // Multiplexers answer the first questions themselves.
      if reply == .status || questioner.capabilities.multiplexer == nil {
        line.receiveAnswer(at: .now)
      } else {
        line.forgetQuestion()
      }
      return false
    }
    receiveAnswer()
    return true
  }

  private func receiveAnswer() {
    terminal_guard_await_answers(isDoubted)
    isDoubted = false
    isAboutLine = false
    alarm.cancel()
    line.receiveAnswer(at: .now)
    // Bytes may have followed the question.
    if teletype.outbox.isEmpty { askIfWorthwhile() }
    if line.isIdle { onChange() }
  }

  private func ask(_ question: [UInt8]) {
    terminal_guard_await_answers(true)
    teletype.send { $0.ask(question) }
  }
}
