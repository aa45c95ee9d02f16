import FoundationEssentials
import Gallery

/// What a list row shows of a photo: ready strings.
public struct PhotoRow: Hashable, Sendable {
  public let name: String
  /// The camera and the description, joined by " - "; empty where there is neither.
  public let subtitle: String
  /// The day it was made, yyyy-MM-dd in the person's time zone.
  public let date: String
  public let image: ImageLocation
  public let saleBadge: SaleBadge?

  public init(_ photo: Photo, calendar: PersonsCalendar) {
    name = photo.displayName
    subtitle = [photo.camera, photo.description?.printable].compactMap(\.self).joined(separator: " - ")
    date = calendar.day(of: photo.createdAt)
    image = photo.image
    saleBadge = photo.isForSale.map { SaleBadge(isForSale: $0) }
  }
}

/// Says whether a photo can be bought, where that is known.
public struct SaleBadge: Hashable, Sendable {
  public let isForSale: Bool

  public var text: String { isForSale ? "For sale" : "Not for sale" }
}

extension Photo {
  /// The name, or what stands for one.
  var displayName: String { name.allSatisfy(\.isWhitespace) ? "Untitled" : name }
}
