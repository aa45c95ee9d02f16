import Gallery

/// The label that says whether an item is for sale.
public struct SaleBadge: Hashable, Sendable {
  /// Whether the item is for sale.
  public let isForSale: Bool
  /// The text of the label.
  public let text: String

  /// Creates a label.
  ///
  /// - Parameter text: The text of the label; nil for `For sale` or `Not for sale`.
  public init(isForSale: Bool, text: String? = nil) {
    self.isForSale = isForSale
    self.text = text ?? (isForSale ? localized("For sale") : localized("Not for sale"))
  }
}
