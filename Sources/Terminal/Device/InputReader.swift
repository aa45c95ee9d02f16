import Dispatch

/// Turns the terminal's bytes into events: feeds ``InputParser``, and ends its waits in time.
@MainActor
final class InputReader {
  /// Called with the events that are complete.
  var onEvents: ([InputEvent]) -> Void = { _ in }
  /// Returns whether an answer of the terminal is expected.
  var expectsAnswer: () -> Bool = { false }

  /// Returns whether bytes have arrived that were not taken in yet.
  var hasMore: () -> Bool = { false }

  private var parser = InputParser()
  private let alarm = Alarm()
  /// Whether the time of an Escape has passed while bytes had arrived.
  private var isLate = false

  /// The time in which an Escape may turn out to be the beginning of a key's sequence.
  private static let keyTime = DispatchTimeInterval.milliseconds(25)
  /// The same time while an answer is expected, which a slow line may split.
  private static let answerTime = DispatchTimeInterval.milliseconds(200)
  /// The time after which an unfinished sequence is dropped.
  private static let sequenceTime = DispatchTimeInterval.seconds(1)

  /// The bytes with which the sequences of keys and answers go on after an Escape.
  private static let continuations = Set("[O]P_".utf8)

  /// Takes in bytes.
  func receive(_ bytes: [UInt8]) {
    let goesOn = bytes.first.map(Self.continuations.contains) ?? true
    if isLate, parser.isEscape, !goesOn { onEvents(parser.flush()) }
    isLate = false
    onEvents(parser.feed(bytes))
    alarm.cancel()
    guard let wait = parser.wait else { return }
    alarm.set(after: time(for: wait)) { [unowned self] in
      // After a long frame, the alarm may come before the rest of a sequence that was there in time.
      isLate = hasMore()
      if !isLate { onEvents(parser.flush()) }
    }
  }

  private func time(for wait: InputParser.Wait) -> DispatchTimeInterval {
    switch wait {
    case .sequence: expectsAnswer() ? Self.answerTime : Self.keyTime
    case .end: Self.sequenceTime
    }
  }
}
