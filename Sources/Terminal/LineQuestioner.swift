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

  /// The time after which an answer counts as lost.
  private static let longestAnswerTime = DispatchTimeInterval.seconds(60)
  /// The question after an image, which every terminal answers (DA1).
  private static let question = Array("\u{1B}[c".utf8)
  /// The same question to tmux's terminal (DSR 5). tmux itself would answer the other one.
  private static let questionInTmux = Passthrough.wrapped("\u{1B}[5n")

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
    teletype.onWrite = { [unowned self] in line.write($0, at: .now) }
  }

  /// Asks if enough has been written since the last question.
  func askIfWorthwhile() {
    guard line.isWorthAsking, !isQueued, questioner.isComplete, terminal_guard_is_entered() else { return }
    isQueued = true
    guard asksTmuxsTerminal else { return ask(Self.question) }
    TmuxClient.checkFocus(environment: environment) { [unowned self] hasFocus in
      guard isQueued else { return }
      if hasFocus { return ask(Self.questionInTmux) }
      forgetQuestion()
      onChange()
    }
  }

  /// Takes note that the question has left.
  func questionHasLeft() {
    isQueued = false
    line.ask(at: .now)
    alarm.set(after: Self.longestAnswerTime) { [unowned self] in
      line.forgetQuestion()
      onChange()
    }
  }

  /// Takes note that the last question will not be answered.
  func forgetQuestion() {
    isQueued = false
    alarm.cancel()
    line.forgetQuestion()
  }

  /// Receives an answer of the terminal.
  /// - Returns: Whether it answers a question about the line and no other one.
  func receive(_ reply: TerminalReply) -> Bool {
    guard line.isAsking else { return false }
    switch reply {
    case .status: receiveAnswer()
    case .deviceAttributes where !asksTmuxsTerminal:
      guard questioner.isComplete else {
        line.receiveAnswer(at: .now)
        return false
      }
      receiveAnswer()
    default: return false
    }
    return true
  }

  private func receiveAnswer() {
    terminal_guard_await_answers(false)
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

  /// Whether questions about the line pass through tmux.
  private var asksTmuxsTerminal: Bool {
    if case .client(let client) = questioner.capabilities.tmux {
      client.passesThrough && !client.isInPopup
    } else {
      false
    }
  }
}
