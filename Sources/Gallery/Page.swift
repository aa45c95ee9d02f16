/// One page of a source's answer, and where it stands among the others.
public struct Page<Item: Sendable>: Sendable {
  public let items: [Item]
  /// Counted from 1.
  public let number: Int
  public let totalPages: Int
  /// The number of items on all pages together.
  public let totalItems: Int

  public init(items: [Item], number: Int = 1, totalPages: Int = 1, totalItems: Int? = nil) {
    self.items = items
    self.number = number
    self.totalPages = totalPages
    self.totalItems = totalItems ?? items.count
  }
}
