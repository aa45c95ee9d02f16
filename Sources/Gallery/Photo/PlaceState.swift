/// The order and the highlighted photo with which the user has left a place.
public struct PlaceState: Hashable, Sendable {
  /// The order in which the photos were last sorted, by its name; nil if they were not.
  public var order: String?
  /// The photo that was highlighted; nil for the first one.
  public var photo: ImageLocation?

  /// Creates the state of a place.
  public init(order: String? = nil, photo: ImageLocation? = nil) {
    self.order = order
    self.photo = photo
  }
}
