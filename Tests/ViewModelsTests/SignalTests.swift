import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct SignalTests {
  private let subject = Subject<Int>()
  private let history = History()

  @Test func aBoundHandlerGetsTheEventsFromThenOn() {
    let signal: Signal<Int> = subject
    subject.send(1)
    let subscription = signal.bind { [history] in history.add("\($0)") }
    subject.send(2)
    subject.send(3)
    subscription.cancel()
    subject.send(4)
    #expect(history.entries == ["2", "3"])
  }

  /// A row binds its signals each time it comes on the screen.
  @Test func releasedSubscriptionsLeaveNoEntries() {
    for _ in 0..<100 { _ = subject.bind { _ in } }
    let held = subject.bind { _ in }
    #expect(subject.entryCount == 1)
    withExtendedLifetime(held) {}
  }
}
