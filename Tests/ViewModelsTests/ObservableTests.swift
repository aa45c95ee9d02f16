import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct ObservableTests {
  @Published private var number = 1
  private let history = History()

  @Test func aBoundHandlerGetsTheCurrentValueThenEachLaterOne() {
    let subscription = $number.bind { [history] in history.add("\($0)") }
    number = 2
    number = 3
    subscription.cancel()
    number = 4
    #expect(history.entries == ["1", "2", "3"])
    #expect($number.subscriptionCount == 0)
  }

  @Test func aBindingEndsWhenItsSubscriptionIsReleased() {
    var subscription: Subscription? = $number.bind { [history] in history.add("\($0)") }
    #expect(subscription != nil)
    subscription = nil
    number = 2
    #expect(history.entries == ["1"])
    #expect($number.subscriptionCount == 0)
  }

  @Test func aHandlerCanceledByAnotherIsNotCalled() {
    var second: Subscription?
    let first = $number.bind { if $0 == 2 { second?.cancel() } }
    second = $number.bind { [history] in history.add("\($0)") }
    number = 2
    #expect(history.entries == ["1"])
    withExtendedLifetime(first) {}
  }

  @Test func noHandlerGetsAnOlderValueAfterANewerOne() {
    let first = $number.bind { [_number] in if $0 == 2 { _number.wrappedValue = 3 } }
    let second = $number.bind { [history] in history.add("\($0)") }
    number = 2
    #expect(history.entries == ["1", "3", "3"])
    withExtendedLifetime((first, second)) {}
  }

  /// A row binds its values each time it comes on the screen.
  @Test func releasedSubscriptionsLeaveNoEntries() {
    for _ in 0..<100 { _ = $number.bind { _ in } }
    let held = $number.bind { _ in }
    #expect($number.entryCount == 1)
    withExtendedLifetime(held) {}
  }
}
