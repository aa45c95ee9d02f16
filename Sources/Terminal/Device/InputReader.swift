import Dispatch

/// Turns the terminal's bytes into events: feeds ``InputParser``, and ends its waits in time.
@MainActor
final class InputReader {
  /// Called with the events that are complete.
  var onEvents: ([InputEvent]) -> Void = { _ in }
  /// Returns whether an answer of the terminal is expected.
  var expectsAnswer: () -> Bool = { false }

  private var parser = InputParser()
  private let alarm = Alarm()

  /// The time in which an Escape may turn out to be the beginning of a key's sequence.
  private static let keyTime = DispatchTimeInterval.milliseconds(25)
  /// The same time while an answer is expected, which a slow line may split.
  private static let answerTime = DispatchTimeInterval.milliseconds(200)
  /// The time after which an unfinished sequence is dropped.
  private static let sequenceTime = DispatchTimeInterval.seconds(1)

  /// Takes in bytes.
  func receive(_ bytes: [UInt8]) {
    onEvents(parser.feed(bytes))
    alarm.cancel()
    guard let wait = parser.wait else { return }
    alarm.set(after: time(for: wait)) { [unowned self] in onEvents(parser.flush()) }
  }

  private func time(for wait: InputParser.Wait) -> DispatchTimeInterval {
    switch wait {
    case .sequence: expectsAnswer() ? Self.answerTime : Self.keyTime
    case .end: Self.sequenceTime
    }
  }
}
