/// Somebody who posts photos on the wall.
public struct Member: Identifiable, Hashable, Sendable {
  public let id: Int
  public let name: String
  public let avatar: ImageLocation

  public init(id: Int, name: String, avatar: ImageLocation) {
    self.id = id
    self.name = name
    self.avatar = avatar
  }
}
