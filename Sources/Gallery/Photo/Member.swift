/// A member of the wall, who posts photos.
public struct Member: Identifiable, Hashable, Sendable {
  /// The number of the member.
  public let id: Int
  /// The name of the member.
  public let name: String
  /// The image that represents the member.
  public let avatar: ImageLocation

  /// Creates a member.
  public init(id: Int, name: String, avatar: ImageLocation) {
    self.id = id
    self.name = name
    self.avatar = avatar
  }
}
