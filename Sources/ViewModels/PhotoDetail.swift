import Finding
import FoundationEssentials
import Gallery

/// The fields of a photo as ready strings.
public struct PhotoDetail: Hashable, Sendable {
  public struct Field: Hashable, Sendable {
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
  public let fields: [Field]
  public let image: ImageLocation
  public let saleBadge: SaleBadge?
  /// What was searched for.
  private var query: PhotoQuery?

  public init(
    name: String, author: String? = nil, description: [String] = [], fields: [Field] = [], image: ImageLocation,
    saleBadge: SaleBadge? = nil
  ) {
    self.name = name
    self.author = author
    self.description = description
    self.fields = fields
    self.image = image
    self.saleBadge = saleBadge
  }

  public init(_ photo: Photo, query: PhotoQuery? = nil) {
    self.query = query
    name = photo.displayName
    author = photo.author
    description = photo.description?.split(separator: "\n").map(String.init) ?? []
    let date = CalendarTime(clock: photo.clock).minuteText
    let metadata = photo.metadata ?? PhotoMetadata()
    let known =
      [("Date", date), ("Camera", photo.camera)]
      + MetadataField.all.compactMap { field in field.label.map { ($0, field.text(metadata)) } }
      + [("License", photo.license), ("Image", photo.imageURL.printable), ("Id", String(photo.id))]
    fields = known.compactMap { label, value in value.map { Field(label, $0) } }
    image = photo.image
    saleBadge = photo.isForSale.map { SaleBadge(isForSale: $0) }
  }

  /// What was searched for and is in a line of the description, or of the field with this label.
  public func found(in line: String, label: String? = nil) -> [Range<String.Index>] {
    let field: PhotoQuery.TextField? =
      switch label {
      case nil: .description
      case "Camera": .camera
      case "Lens": .lens
      case "Keywords": .keyword
      case "Image": .file
      default: nil
      }
    return field.flatMap { query?.ranges(in: line, of: $0) } ?? []
  }

  /// What was searched for and is in the name, or in the beginning of it.
  public func found(inName text: String) -> [Range<String.Index>] { query?.ranges(in: text, of: .name) ?? [] }
}
