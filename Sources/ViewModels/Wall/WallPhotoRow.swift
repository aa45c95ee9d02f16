import Gallery

/// A photo that a member posted on the wall.
public final class WallPhotoRow: RowViewModel, Imaged, Pressable, Detailed {
  public let id: AnyHashable
  /// The day on which the photo was posted, such as `Sunday, 2003-12-14`.
  public let section: String?
  /// The time of that day, such as `12:01`.
  public let time: String
  /// The photo itself.
  public let photo: Photo
  /// The name of the photo.
  public let title: String
  /// The description in one line, or an empty string if there is none.
  public let description: String
  /// The name of the member who posted the photo.
  public let author: String
  public let image: ImageLocation
  public var detail: PhotoDetail { PhotoDetail(photo) }
  public var words: [String] { [localized("posted by \(author)")] }

  private let onPress: () -> Void

  init(_ photo: Photo, by member: Member, item: FeedItem, calendar: LocalClock, onPress: @escaping () -> Void) {
    id = item.id
    let date = calendar.time(of: item.date)
    section = date.weekdayText
    time = date.clockText
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
