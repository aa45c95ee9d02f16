import FoundationEssentials

/// The wall as a social service answers: what there is to see, and whom the person follows.
public struct WallFeed: Hashable, Sendable {
  /// In any order.
  public let items: [FeedItem]
  public let followed: Set<Member.ID>

  public init(items: [FeedItem], followed: Set<Member.ID> = []) {
    self.items = items
    self.followed = followed
  }
}

/// One thing that happened, for the wall to show.
public struct FeedItem: Identifiable, Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    /// A member posted a photo.
    case photo(Photo, by: Member)
    /// A member is suggested to the person.
    case member(Member)
  }

  public let id: Int
  /// When it happened.
  public let date: Date
  public let content: Content

  public init(id: Int, date: Date, content: Content) {
    self.id = id
    self.date = date
    self.content = content
  }
}
