/// A print of a photo, for sale.
public struct Print: Identifiable, Hashable, Sendable {
  public let id: Int
  public let title: String
  public let image: ImageLocation
  public let price: Money
  /// The paper's measures as the seller writes them, such as `30 × 40 cm`.
  public let size: String
  public let paper: String
  /// How many can still be bought.
  public let left: Int

  public init(id: Int, title: String, image: ImageLocation, price: Money, size: String, paper: String, left: Int) {
    self.id = id
    self.title = title
    self.image = image
    self.price = price
    self.size = size
    self.paper = paper
    self.left = left
  }

  public var isSoldOut: Bool { left <= 0 }
}
