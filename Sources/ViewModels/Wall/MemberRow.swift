import Gallery

/// A member of the wall, whom the user can follow.
public final class MemberRow: RowViewModel, Pressable, Detailed {
  public let id: AnyHashable
  /// The day on which the member was suggested, in the format yyyy-MM-dd.
  public let section: String?
  /// The name of the member.
  public let name: String
  /// The location of the member's portrait.
  public let avatar: ImageLocation
  /// Whether the user follows the member. All rows of the member share the value.
  public var follow: Observable<FollowState> { following.$state }
  public var detail: PhotoDetail { PhotoDetail(name: name, image: avatar) }
  public var words: [String] {
    switch follow.value {
    case .notFollowing: [localized("Not following")]
    case .following: [localized("Following")]
    case .asking(let toFollow): [toFollow ? localized("Following…") : localized("Unfollowing…")]
    }
  }

  private let following: Following

  init(_ member: Member, item: FeedItem, calendar: LocalClock, following: Following) {
    id = item.id
    section = calendar.day(of: item.date)
    name = member.name
    avatar = member.avatar
    self.following = following
  }

  /// Follows or unfollows the member. Does nothing while a request is unanswered.
  public func press() { following.toggle() }
}
