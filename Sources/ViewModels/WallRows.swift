import Finding
import Gallery

/// A photo that a member posted.
public final class WallPhotoRow: RowViewModel, Imaged, Pressable, Detailed {
  public let id: AnyHashable
  /// The day it was posted, yyyy-MM-dd on the person's clock.
  public let section: String?
  public let photo: Photo
  public let title: String
  /// One line; empty where there is none.
  public let description: String
  /// Who posted it.
  public let author: String
  public let image: ImageLocation
  public var detail: PhotoDetail { PhotoDetail(photo) }

  private let onPress: () -> Void

  init(_ photo: Photo, by member: Member, item: FeedItem, calendar: LocalClock, onPress: @escaping () -> Void) {
    id = item.id
    section = calendar.day(of: item.date)
    self.photo = photo
    title = photo.displayName
    description = photo.description?.printable ?? ""
    author = member.name
    image = photo.image
    self.onPress = onPress
  }

  /// Opens the photo.
  public func press() { onPress() }
}

/// A member, to follow or not.
public final class MemberRow: RowViewModel, Pressable, Detailed {
  public let id: AnyHashable
  /// The day the member was suggested, yyyy-MM-dd on the person's clock.
  public let section: String?
  public let name: String
  public let avatar: ImageLocation
  /// Shared by all rows of this member.
  public var follow: Observable<FollowState> { following.state }
  public var detail: PhotoDetail { PhotoDetail(name: name, image: avatar) }

  private let following: Following

  init(_ member: Member, item: FeedItem, calendar: LocalClock, following: Following) {
    id = item.id
    section = calendar.day(of: item.date)
    name = member.name
    avatar = member.avatar
    self.following = following
  }

  /// Follows the member, or no longer; nothing while the service has yet to answer.
  public func press() { following.toggle() }
}
