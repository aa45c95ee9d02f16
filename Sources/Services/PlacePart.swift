import Gallery

/// A part of a source that can be opened by itself, such as an album of a server.
public struct PlacePart: Hashable, Sendable {
  /// The place that leads to the part.
  public let place: Place
  /// The number of photos, or nil if it is unknown.
  public let photoCount: Int?
  /// The photo that is shown as the cover of the part, or nil if there is none.
  public let cover: ImageLocation?

  /// Creates a part.
  public init(_ place: Place, photoCount: Int? = nil, cover: ImageLocation? = nil) {
    self.place = place
    self.photoCount = photoCount
    self.cover = cover
  }
}
