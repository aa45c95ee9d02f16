import FoundationEssentials

/// The items of the wall, and the members whom the user follows.
public struct WallFeed: Hashable, Sendable {
  /// The items in any order.
  public let items: [FeedItem]
  /// The ids of the members whom the user follows.
  public let followed: Set<Member.ID>

  /// Creates a feed.
  public init(items: [FeedItem], followed: Set<Member.ID> = []) {
    self.items = items
    self.followed = followed
  }
}

/// An event that the wall shows.
public struct FeedItem: Identifiable, Hashable, Sendable {
  /// The kinds of events.
  public enum Content: Hashable, Sendable {
    /// A member posted a photo.
    case photo(Photo, by: Member)
    /// A member is suggested to the user.
    case member(Member)
  }

  /// The number of the item.
  public let id: Int
  /// The moment of the event.
  public let date: Date
  /// The kind of event, with its photo or member.
  public let content: Content

  /// Creates an item.
  public init(id: Int, date: Date, content: Content) {
    self.id = id
    self.date = date
    self.content = content
  }
}
