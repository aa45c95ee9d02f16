import Gallery
import Services
import WorkerPool

/// The view model of the basket, which the prints room and the header share.
@MainActor
public final class BasketViewModel {
  /// The content of the basket with a sum for each currency, such as `2 prints, 48.00 EUR and 30.00 USD`; an empty
  /// string if the basket is empty.
  @Published public private(set) var total = ""
  /// The alerts to show: a print is sold out, or a change was not stored.
  public var alerts: Signal<Alert> { alertSubject }

  private let service: any BasketServiceProtocol
  private let alertSubject = Subject<Alert>()
  private var basket = Basket()
  private var quantities: [Print.ID: Quantity] = [:]
  /// The last request. Each request waits for the one before, so that the answers come in order.
  private(set) var work: Task<Void, Never>?

  /// The number of copies of one print. All rows of the print share it.
  @MainActor
  private final class Quantity {
    @Published var count: Int

    init(_ count: Int) { self.count = count }
  }

  /// Creates an empty basket. Call ``load()`` to read its content.
  public init(service: any BasketServiceProtocol) {
    self.service = service
  }

  /// Reads the stored basket.
  public func load() {
    enqueue { [service] () throws(APIError) in try await service.basket() }
  }

  /// Adds one copy of a print, or sends an alert if none is left.
  public func put(_ print: Print) {
    guard !print.isSoldOut else {
      alertSubject.send(
        Alert(title: localized("Sold out"), message: localized("This print is sold out. Choose another one.")))
      return
    }
    enqueue(
      { [service] () throws(APIError) in try await service.put(print) },
      ifNil: Alert(
        title: localized("No more left"), message: localized("All remaining copies of this print are in your basket.")))
  }

  /// Removes one copy of a print, if there is one.
  public func takeOut(_ print: Print) {
    enqueue { [service] () throws(APIError) in try await service.takeOut(print.id) }
  }

  /// Waits until all changes are stored or have failed.
  public func settle() async { await work?.value }

  /// Returns the number of copies of a print.
  public func quantity(of print: Print.ID) -> Observable<Int> {
    let quantity = quantities[print] ?? Quantity(basket.quantity(of: print))
    quantities[print] = quantity
    return quantity.$count
  }

  private func enqueue(_ body: @escaping @Sendable () async throws(APIError) -> Basket?, ifNil alert: Alert? = nil) {
    work = Task.onMainActor { [self, before = work] in
      await before?.value
      switch await result(body) {
      case .success(let basket?): receive(basket)
      case .success(nil): if let alert { alertSubject.send(alert) }
      case .failure(let error): alertSubject.send(Alert(title: localized("Basket error"), message: error.message))
      }
    }
  }

  private func receive(_ basket: Basket) {
    guard basket != self.basket else { return }
    self.basket = basket
    total = basket.text
    for (print, quantity) in quantities where quantity.count != basket.quantity(of: print) {
      quantity.count = basket.quantity(of: print)
    }
  }
}

extension Basket {
  fileprivate var text: String {
    guard count > 0 else { return "" }
    let sums = totals.dropFirst().reduce(totals.first?.text ?? "") { localized("\($0) and \($1.text)") }
    let prints = localized("\(count) print", plural: "\(count) prints", count: count)
    return localized("\(prints), \(sums)")
  }
}
