/// One page of a list that a service delivers page by page.
public struct Page<Item: Sendable>: Sendable {
  /// The items of this page.
  public let items: [Item]
  /// The number of this page, from 1.
  public let number: Int
  /// The number of all pages.
  public let totalPages: Int
  /// The number of items on all pages.
  public let totalItems: Int

  /// Creates a page. By default, it is the only one.
  public init(items: [Item], number: Int = 1, totalPages: Int = 1, totalItems: Int? = nil) {
    self.items = items
    self.number = number
    self.totalPages = totalPages
    self.totalItems = totalItems ?? items.count
  }
}
