import Gallery
import Services
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct BasketViewModelTests {
  private let service = HeldBasketService()
  private let history = History()
  private let basket: BasketViewModel
  private let subscriptions: [Subscription]

  init() {
    let basket = BasketViewModel(service: service)
    self.basket = basket
    subscriptions = [
      basket.$total.bind { [history] in history.add("total \($0)") },
      basket.quantity(of: 1).bind { [history] in history.add("quantity \($0)") },
      basket.alerts.bind { [history] in history.add("alert \($0.message)") },
    ]
  }

  @Test func theTotalFollowsTheService() async throws {
    basket.load()
    try await service.work.answer(0, .success(Basket(lines: [line(2, 300, "USD", 1)])))
    basket.put(print(1, left: 2))
    try await service.work.answer(1, .success(Basket(lines: [line(1, 2400, "EUR", 2), line(2, 300, "USD", 1)])))
    basket.takeOut(print(1, left: 2))
    try await service.work.answer(2, .success(Basket()))
    try await history.wait(for: 7)
    #expect(
      history.entries == [
        "total ", "quantity 0", "total 1 print, 3.00 USD", "total 3 prints, 48.00 EUR and 3.00 USD", "quantity 2",
        "total ", "quantity 0",
      ])
    #expect(await service.work.requests == ["basket", "put 1", "take out 1"])
  }

  @Test func requestsAreSentOneAfterAnother() async throws {
    basket.put(print(1, left: 9))
    basket.put(print(2, left: 9))
    try await service.work.waitUntilAsked(1)
    #expect(await service.work.requests == ["put 1"])
    try await service.work.answer(0, .success(Basket()))
    try await service.work.waitUntilAsked(2)
    #expect(await service.work.requests == ["put 1", "put 2"])
  }

  @Test func aPrintThatIsSoldOutAlerts() async throws {
    basket.put(print(1, left: 0))
    #expect(history.entries[2...] == ["alert This print is sold out. Choose another one."])
    basket.put(print(1, left: 2))
    try await service.work.answer(0, .success(nil))
    try await history.wait(for: 4)
    #expect(history.entries[3...] == ["alert All remaining copies of this print are in your basket."])
    #expect(await service.work.requests == ["put 1"])
  }

  @Test func aChangeThatIsNotStoredAlerts() async throws {
    let error = APIError.notKept(path: "/s", .full)
    basket.put(print(1, left: 2))
    try await service.work.answer(0, .failure(error))
    try await history.wait(for: 3)
    #expect(history.entries[2...] == ["alert \(error.message)"])
    #expect(basket.quantity(of: 1).value == 0)
  }

  private func line(_ id: Int, _ minorUnits: Int, _ currency: String, _ quantity: Int) -> Basket.Line {
    Basket.Line(printID: id, title: "A", price: Money(minorUnits: minorUnits, currency: currency), quantity: quantity)
  }
}

final class HeldBasketService: BasketServiceProtocol {
  let work = Held<String, Basket?>()

  func basket() async throws(APIError) -> Basket { try await work.ask("basket") ?? Basket() }
  func put(_ print: Print) async throws(APIError) -> Basket? { try await work.ask("put \(print.id)") }
  func takeOut(_ print: Print.ID) async throws(APIError) -> Basket {
    try await work.ask("take out \(print)") ?? Basket()
  }
}

/// Returns a print of which a number of copies are left.
func print(_ id: Int, left: Int) -> Print {
  Print(
    id: id, title: "P\(id)", image: .file("/a.jpg"), price: Money(minorUnits: 2400, currency: "EUR"),
    size: "20 × 30 cm", paper: "matte", left: left)
}
