import Gallery

/// A member of the wall, whom the user can follow.
public final class MemberRow: RowViewModel, Pressable, Detailed {
  public let id: AnyHashable
  /// The day on which the member was suggested, such as `Sunday, 2003-12-14`.
  public let section: String?
  /// The time of that day, such as `12:01`.
  public let time: String
  /// The name of the member.
  public let name: String
  /// The location of the member's portrait.
  public let avatar: ImageLocation
  /// The number of photos that the member posted on the wall, such as `3 photos`.
  public var count: String { posted.count.photosText }
  /// Whether the user follows the member. All rows of the member share the value.
  public var follow: Observable<FollowState> { following.$state }
  public var detail: PhotoDetail {
    let fields = posted.enumerated().map { PhotoDetail.Field($0 == 0 ? count : " ", $1.displayName) }
    return PhotoDetail(name: name, fields: fields, image: avatar, photos: posted)
  }
  public var words: [String] { [count, followWord] }

  private let following: Following
  /// The photos that the member posted on the wall, newest first.
  private let posted: [Photo]

  init(_ member: Member, posted: [Photo], item: FeedItem, calendar: LocalClock, following: Following) {
    id = item.id
    let date = calendar.time(of: item.date)
    section = date.weekdayText
    time = date.clockText
    name = member.name
    avatar = member.avatar
    self.posted = posted
    self.following = following
  }

  private var followWord: String {
    switch follow.value {
    case .notFollowing: localized("Not following")
    case .following: localized("Following")
    case .asking(let toFollow): toFollow ? localized("Following…") : localized("Unfollowing…")
    }
  }

  /// Follows or unfollows the member. Does nothing while a request is unanswered.
  public func press() { following.toggle() }
}
