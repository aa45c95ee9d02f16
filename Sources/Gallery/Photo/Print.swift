/// A print of a photo that is for sale.
public struct Print: Identifiable, Hashable, Sendable {
  /// The number of the print.
  public let id: Int
  /// The title of the print.
  public let title: String
  /// The location of an image of the print.
  public let image: ImageLocation
  /// The price of one copy.
  public let price: Money
  /// The size of the paper as the seller writes it, such as `30 × 40 cm`.
  public let size: String
  /// The kind of paper, such as `matte`.
  public let paper: String
  /// The number of copies that are left.
  public let left: Int

  /// Creates a print.
  public init(id: Int, title: String, image: ImageLocation, price: Money, size: String, paper: String, left: Int) {
    self.id = id
    self.title = title
    self.image = image
    self.price = price
    self.size = size
    self.paper = paper
    self.left = left
  }

  /// Whether no copy is left.
  public var isSoldOut: Bool { left <= 0 }
}
