import Finding
import FoundationEssentials
import Gallery

/// What a list row shows of a photo: ready strings.
public final class PhotoRow: RowViewModel, Pressable, Imaged, Markable, Detailed {
  public let id: AnyHashable
  public let name: String
  /// The camera and the description, joined by " - "; empty where there is neither.
  public let subtitle: String
  /// The day it was made by the camera's clock, yyyy-MM-dd.
  public let date: String
  public let image: ImageLocation
  public let saleBadge: SaleBadge?
  public var detail: PhotoDetail { PhotoDetail(photo, query: query) }

  /// What was searched for and is in the name, or in the beginning of it.
  public func found(inName text: String) -> [Range<String.Index>] { query?.ranges(in: text, of: .name) ?? [] }

  /// What was searched for and is in the subtitle, or in the beginning of it.
  public func found(inSubtitle text: String) -> [Range<String.Index>] {
    guard let query else { return [] }
    return [.description, .camera].flatMap { query.ranges(in: text, of: $0) }
  }

  /// The text in which the search found the photo, where the row doesn't show what was searched for: for the row to
  /// show instead. nil where nothing is searched for, or all of it is in view.
  ///
  /// - Parameters:
  ///   - name: The name, as far as it is in view.
  ///   - subtitle: The subtitle, as far as it is in view.
  public func finding(besideName name: String, subtitle: String = "") -> FoundText? {
    guard let query else { return nil }
    let hidden = query.words.first { word in
      [(name, .name), (subtitle, .description), (subtitle, .camera)].allSatisfy {
        word.ranges(in: $0, of: $1).isEmpty
      }
    }
    return hidden.flatMap { FoundText($0, in: photo, query: query) }
  }

  /// Whether the person has chosen it.
  public var isMarked: Bool { marks?.contains(photo.id) ?? false }
  public func toggleMark() { marks?.toggle(photo.id) }

  /// Whether a range of marks begins here.
  public var isRangeStart: Bool { marks?.rangeStart == photo.id }

  var photoID: Photo.ID { photo.id }
  /// Where the photo was in its table when the row was made.
  var photoIndex = 0
  private let photo: Photo
  private let marks: PhotoMarks?
  private let query: PhotoQuery?
  private let onPress: (Photo) -> Void

  /// - Parameters:
  ///   - query: What was searched for.
  ///   - onPress: What a press does.
  public init(
    _ photo: Photo, marks: PhotoMarks? = nil, query: PhotoQuery? = nil, onPress: @escaping (Photo) -> Void = { _ in }
  ) {
    self.photo = photo
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

  /// Opens the photo, if it is for sale.
  public func press() { onPress(photo) }
}

/// Says whether something can be bought, where that is known.
public struct SaleBadge: Hashable, Sendable {
  public let isForSale: Bool
  public let text: String

  public init(isForSale: Bool, text: String? = nil) {
    self.isForSale = isForSale
    self.text = text ?? (isForSale ? "For sale" : "Not for sale")
  }
}

extension Photo {
  /// The name, or what stands for one.
  var displayName: String { name.allSatisfy(\.isWhitespace) ? "Untitled" : name }
}
