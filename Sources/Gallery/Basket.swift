/// The prints that the person means to buy.
public struct Basket: Hashable, Sendable {
  /// One print, and how many of it.
  public struct Line: Hashable, Sendable {
    public let printID: Print.ID
    public let title: String
    /// Of one, when it was put in last.
    public let price: Money
    /// 1 at least.
    public let quantity: Int

    public init(printID: Print.ID, title: String, price: Money, quantity: Int) {
      self.printID = printID
      self.title = title
      self.price = price
      self.quantity = quantity
    }
  }

  public let lines: [Line]

  public init(lines: [Line] = []) {
    self.lines = lines
  }

  /// The number of prints.
  public var count: Int { lines.reduce(0) { $0 + $1.quantity } }

  /// What they cost together, for each currency, by its code's order.
  public var totals: [Money] {
    let sums = lines.reduce(into: [String: Int]()) { sums, line in
      sums[line.price.currency, default: 0] += line.price.minorUnits * line.quantity
    }
    return sums.sorted { $0.key < $1.key }.map { Money(minorUnits: $0.value, currency: $0.key) }
  }

  public func quantity(of id: Print.ID) -> Int {
    lines.first { $0.printID == id }?.quantity ?? 0
  }
}
