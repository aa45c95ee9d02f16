import Testing

@testable import ViewModels

@MainActor
@Suite struct ObservableKeepsNothingTests {
  /// A row that comes on the screen and leaves it, again and again, leaves nothing behind.
  @Test func bindingsThatAreLetGoAreForgotten() {
    let value = Observable(0)
    let subject = Subject<Int>()
    for _ in 0..<100 {
      _ = value.bind { _ in }
      _ = subject.bind { _ in }
    }
    let held = value.bind { _ in }
    #expect(value.kept == 1)
    withExtendedLifetime(held) {}
  }
}
