import Testing

@testable import ViewModels

@MainActor
@Suite struct ObservableTests {
  private let history = History()

  @Test func bindingTellsThePresentValueThenEachLaterOne() {
    let number = Observable(1)
    let subscription = number.bind { [history] in history.add("\($0)") }
    number.value = 2
    number.value = 3
    subscription.cancel()
    number.value = 4
    #expect(history.entries == ["1", "2", "3"])
    #expect(number.bound == 0)
  }

  @Test func aBindingGoesWithItsSubscription() {
    let number = Observable(1)
    var subscription: Subscription? = number.bind { [history] in history.add("\($0)") }
    #expect(subscription != nil)
    subscription = nil
    number.value = 2
    #expect(history.entries == ["1"])
    #expect(number.bound == 0)
  }

  @Test func whoIsCancelledByAnotherHearsNothing() {
    let number = Observable(1)
    var second: Subscription?
    let first = number.bind { if $0 == 2 { second?.cancel() } }
    second = number.bind { [history] in history.add("\($0)") }
    number.value = 2
    #expect(history.entries == ["1"])
    withExtendedLifetime(first) {}
  }

  @Test func nobodyHearsAnOlderValueAfterANewerOne() {
    let number = Observable(1)
    let first = number.bind { [number] in if $0 == 2 { number.value = 3 } }
    let second = number.bind { [history] in history.add("\($0)") }
    number.value = 2
    #expect(history.entries == ["1", "3", "3"])
    withExtendedLifetime((first, second)) {}
  }

  @Test func aSubjectSendsEventsOnlyToBoundHandlers() {
    let subject = Subject<Int>()
    subject.send(1)
    let subscription = subject.bind { [history] in history.add("\($0)") }
    subject.send(2)
    subject.send(3)
    subscription.cancel()
    subject.send(4)
    #expect(history.entries == ["2", "3"])
  }
}
