import FoundationEssentials
import Gallery

/// Every fact of a photo: ready strings.
public struct PhotoDetail: Hashable, Sendable {
  public struct Fact: Hashable, Sendable {
    public let label: String
    public let value: String

    public init(_ label: String, _ value: String) {
      self.label = label
      self.value = value
    }
  }

  public let name: String
  public let author: String?
  /// In paragraphs.
  public let description: [String]
  public let facts: [Fact]
  public let image: ImageLocation
  public let saleBadge: SaleBadge?

  public init(
    name: String, author: String? = nil, description: [String] = [], facts: [Fact] = [], image: ImageLocation,
    saleBadge: SaleBadge? = nil
  ) {
    self.name = name
    self.author = author
    self.description = description
    self.facts = facts
    self.image = image
    self.saleBadge = saleBadge
  }

  public init(_ photo: Photo, calendar: PersonsCalendar) {
    name = photo.displayName
    author = photo.author
    description = photo.description?.split(separator: "\n").map(String.init) ?? []
    facts = [
      Fact("Date", calendar.minute(of: photo.createdAt)),
      photo.camera.map { Fact("Camera", $0) },
      photo.license.map { Fact("License", $0) },
      Fact("Image", photo.imageURL.printable),
      Fact("Id", String(photo.id)),
    ].compactMap(\.self)
    image = photo.image
    saleBadge = photo.isForSale.map { SaleBadge(isForSale: $0) }
  }
}
