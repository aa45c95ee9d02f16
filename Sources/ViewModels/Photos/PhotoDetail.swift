import Finding
import FoundationEssentials
import Gallery

/// The detail of a photo or another item, as strings that are ready to show.
public struct PhotoDetail: Hashable, Sendable {
  /// A line with a label and a value.
  public struct Field: Hashable, Sendable {
    /// The label, such as `Camera`.
    public let label: String
    /// The value in one line.
    public let value: String

    /// Creates a field.
    public init(_ label: String, _ value: String) {
      self.label = label
      self.value = value
    }
  }

  /// The name of the item.
  public let name: String
  /// The name of the author, or nil if it is unknown.
  public let author: String?
  /// The paragraphs of the description.
  public let description: [String]
  /// The known fields in their order.
  public let fields: [Field]
  /// The location of the image.
  public let image: ImageLocation
  /// Whether the item is for sale, or nil if that is unknown.
  public let saleBadge: SaleBadge?
  /// The query whose matches are highlighted, or nil for none.
  private var query: PhotoQuery?

  /// Creates a detail from ready strings.
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

  /// Creates the detail of a photo.
  ///
  /// - Parameter query: The query whose matches are highlighted, or nil for none.
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

  /// Returns the ranges of the matches in a line of the description, or of the field with a label.
  public func found(in line: String, label: String? = nil) -> [Range<String.Index>] {
    let field: PhotoQuery.TextField? =
      switch label {
      case nil: .description
      case "Camera": .camera
      case "Image": .file
      case let label?: MetadataField.all.first { $0.label == label }.flatMap { PhotoQuery.TextField($0) }
      }
    return field.flatMap { query?.ranges(in: line, of: $0) } ?? []
  }

  /// Returns the ranges of the matches in the name or in a prefix of it.
  public func found(inName text: String) -> [Range<String.Index>] { query?.ranges(in: text, of: .name) ?? [] }
}
