import Gallery

/// The last loaded page of a list with several pages.
public struct PageStatus: Hashable, Sendable {
  /// The number of the page, counted from 1.
  public let number: Int
  /// The number of pages.
  public let totalPages: Int

  /// The status as text, such as `Page 1 of 4`.
  public var text: String { localized("Page \(number) of \(totalPages)") }
}
