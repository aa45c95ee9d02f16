import Finding
import FoundationEssentials
import Gallery

/// A photo in the photo list, as strings that are ready to show.
public final class PhotoRow: RowViewModel, Pressable, Imaged, Markable, Detailed {
  public let id: AnyHashable
  /// The name of the photo.
  public let name: String
  /// The camera and the description, joined by " - ". Missing parts are left out.
  public let subtitle: String
  /// The day on which the photo was taken, by the camera's clock, in the format yyyy-MM-dd.
  public let date: String
  public let image: ImageLocation
  /// Whether the photo is for sale, or nil if the source doesn't say.
  public let saleBadge: SaleBadge?
  public var detail: PhotoDetail { PhotoDetail(photo, query: query) }

  /// The identifier of the photo.
  var photoID: Photo.ID { photo.id }
  /// The index of the photo in its table when the row was created.
  let photoIndex: Int

  private let photo: Photo
  private let marks: PhotoMarks?
  private let query: PhotoQuery?
  private let onPress: (Photo) -> Void

  /// Creates the row of a photo.
  ///
  /// - Parameters:
  ///   - photoIndex: The index of the photo in its table.
  ///   - marks: The marks of the list, or nil if its rows can't be marked.
  ///   - query: The query whose matches are highlighted, or nil for none.
  ///   - onPress: Called with the photo when the row is pressed.
  public init(
    _ photo: Photo, photoIndex: Int = 0, marks: PhotoMarks? = nil, query: PhotoQuery? = nil,
    onPress: @escaping (Photo) -> Void = { _ in }
  ) {
    self.photo = photo
    self.photoIndex = photoIndex
    self.marks = marks
    self.query = query
    self.onPress = onPress
    id = photo.id
    name = photo.displayName
    subtitle = [photo.camera, photo.description?.printable].compactMap(\.self).joined(separator: " - ")
    date = CalendarTime(clock: photo.clock).dayText
    image = photo.image
    saleBadge = photo.isForSale.map { SaleBadge(isForSale: $0) }
  }

  /// Selects and opens the photo, or shows an alert if it is not for sale.
  public func press() { onPress(photo) }

  public var isMarked: Bool { marks?.contains(photo.id) ?? false }

  public func toggleMark() { marks?.toggle(photo.id) }

  /// Whether a range of marks begins at the row.
  public var isRangeStart: Bool { marks?.rangeStart == photo.id }
}

// MARK: - Matches of the search

extension PhotoRow {
  /// Returns the ranges of the matches in the name or in a prefix of it.
  public func found(inName text: String) -> [Range<String.Index>] { query?.ranges(in: text, of: .name) ?? [] }

  /// Returns the ranges of the matches in the subtitle or in a prefix of it.
  public func found(inSubtitle text: String) -> [Range<String.Index>] {
    guard let query else { return [] }
    return [.description, .camera].flatMap { query.ranges(in: text, of: $0) }
  }

  /// Returns an excerpt that shows why the search found the photo, if the visible texts don't.
  ///
  /// - Parameters:
  ///   - name: The visible part of the name.
  ///   - subtitle: The visible part of the subtitle.
  /// - Returns: An excerpt that contains a word of the query, or nil if each word is visible or there is no query.
  public func finding(besideName name: String, subtitle: String = "") -> FoundText? {
    guard let query else { return nil }
    let hidden = query.words.first { word in
      [(name, .name), (subtitle, .description), (subtitle, .camera)].allSatisfy {
        word.ranges(in: $0, of: $1).isEmpty
      }
    }
    return hidden.flatMap { FoundText($0, in: photo, query: query) }
  }
}

extension Photo {
  /// The name, or `Untitled` if it is empty.
  var displayName: String { name.allSatisfy(\.isWhitespace) ? "Untitled" : name }
}
