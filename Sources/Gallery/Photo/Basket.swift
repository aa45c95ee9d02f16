/// The prints that the user wants to buy.
public struct Basket: Hashable, Sendable {
  /// A print and its quantity.
  public struct Line: Hashable, Sendable {
    /// The id of the print.
    public let printID: Print.ID
    /// The title of the print.
    public let title: String
    /// The price of one print when it was last added.
    public let price: Money
    /// The number of copies, at least 1.
    public let quantity: Int

    /// Creates a line.
    public init(printID: Print.ID, title: String, price: Money, quantity: Int) {
      self.printID = printID
      self.title = title
      self.price = price
      self.quantity = quantity
    }
  }

  /// The lines, one for each print.
  public let lines: [Line]

  /// Creates a basket with these lines.
  public init(lines: [Line] = []) {
    self.lines = lines
  }

  /// The number of copies of all prints.
  public var count: Int { lines.reduce(0) { $0 + $1.quantity } }

  /// The total price in each currency, sorted by the code of the currency.
  public var totals: [Money] {
    let sums = lines.reduce(into: [String: Int]()) { sums, line in
      sums[line.price.currency, default: 0] += line.price.minorUnits * line.quantity
    }
    return sums.sorted { $0.key < $1.key }.map { Money(minorUnits: $0.value, currency: $0.key) }
  }

  /// Returns how many copies of a print are in the basket.
  public func quantity(of id: Print.ID) -> Int {
    lines.first { $0.printID == id }?.quantity ?? 0
  }
}
