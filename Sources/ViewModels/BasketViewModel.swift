import Finding
import Gallery
import Services
import WorkerPool

/// The basket, for every room that sells and for the header.
@MainActor
public final class BasketViewModel {
  /// Called with what the person must be told.
  public var onAlert: (Alert) -> Void = { _ in }

  /// What is in it and what that costs, a sum for each currency: `2 prints, 48.00 EUR and 30.00 USD`; empty where
  /// nothing is in it.
  public let total = Observable("")

  private let service: any BasketServiceProtocol
  private var basket = Basket()
  private var quantities: [Print.ID: Observable<Int>] = [:]
  /// The last thing asked for: each waits for the one before, so that answers come in order.
  private(set) var work: Task<Void, Never>?

  public init(service: any BasketServiceProtocol) {
    self.service = service
  }

  /// Reads the basket that was kept.
  public func load() {
    enqueue { [service] () throws(APIError) in try await service.basket() }
  }

  /// Puts in one of this print, or alerts that there is none left to put in.
  public func put(_ print: Print) {
    guard !print.isSoldOut else {
      onAlert(Alert(message: "This print is sold out"))
      return
    }
    enqueue(
      { [service] () throws(APIError) in try await service.put(print) },
      ifNil: Alert(message: "All that are left of this print are in your basket"))
  }

  /// Takes out one of this print, if there is one.
  public func takeOut(_ print: Print) {
    enqueue { [service] () throws(APIError) in try await service.takeOut(print.id) }
  }

  /// Waits until all that was put in or taken out is kept, or could not be.
  public func settle() async { await work?.value }

  /// How many of a print are in it.
  public func quantity(of print: Print.ID) -> Observable<Int> {
    if let known = quantities[print] { return known }
    let quantity = Observable(basket.quantity(of: print))
    quantities[print] = quantity
    return quantity
  }

  private func enqueue(_ body: @escaping @Sendable () async throws(APIError) -> Basket?, ifNil alert: Alert? = nil) {
    work = Task.onMainActor { [self, before = work] in
      await before?.value
      switch await result(body) {
      case .success(let basket?): receive(basket)
      case .success(nil): if let alert { onAlert(alert) }
      case .failure(let error): onAlert(Alert(message: error.message))
      }
    }
  }

  private func receive(_ basket: Basket) {
    guard basket != self.basket else { return }
    self.basket = basket
    total.value = basket.text
    for (print, quantity) in quantities where quantity.value != basket.quantity(of: print) {
      quantity.value = basket.quantity(of: print)
    }
  }
}

extension Basket {
  fileprivate var text: String {
    guard count > 0 else { return "" }
    let sums = totals.map(\.text).joined(separator: " and ")
    return "\(count) \(count == 1 ? "print" : "prints"), \(sums)"
  }
}
