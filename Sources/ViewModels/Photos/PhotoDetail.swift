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
    let file = photo.metadata
    let date = UserCalendar.utc.minute(of: Date(timeIntervalSince1970: photo.clock))
    let known: [(String, String?)] = [
      ("Date", date), ("Camera", photo.camera), ("Lens", file?.lens?.printable),
      ("Exposure", file?.exposureText), ("Pixels", file?.pixelsText), ("Place", file?.place?.text),
      ("Rating", file?.ratingText), ("Keywords", file?.keywordsText), ("License", photo.license),
      ("Image", photo.imageURL.printable), ("Id", String(photo.id)),
    ]
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
      case "Lens": .lens
      case "Keywords": .keyword
      case "Image": .file
      default: nil
      }
    return field.flatMap { query?.ranges(in: line, of: $0) } ?? []
  }

  /// Returns the ranges of the matches in the name or in a prefix of it.
  public func found(inName text: String) -> [Range<String.Index>] { query?.ranges(in: text, of: .name) ?? [] }
}

extension PhotoMetadata {
  /// The known parts of the exposure, such as `1/250 s, f/2.8, 35 mm, ISO 400`.
  fileprivate var exposureText: String? {
    let parts: [String?] = [
      exposureTime.flatMap { $0 > 0 ? ($0 < 0.3 ? "1/\(Int((1 / $0).rounded())) s" : "\($0.short) s") : nil },
      fNumber.map { "f/\($0.short)" }, focalLength.map { "\($0.short) mm" }, iso.map { "ISO \($0)" },
    ]
    let known = parts.compactMap(\.self)
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }

  fileprivate var pixelsText: String? { width > 0 && height > 0 ? "\(width)×\(height)" : nil }

  /// The rating as stars, or `rejected`.
  fileprivate var ratingText: String? {
    switch rating {
    case .some(1...5): String(repeating: "★", count: rating ?? 0)
    case .some(-1): "rejected"
    default: nil
    }
  }

  fileprivate var keywordsText: String? {
    keywords.isEmpty ? nil : keywords.map(\.printable).joined(separator: ", ")
  }
}

extension PhotoMetadata.Place {
  /// The coordinates in degrees with four decimals, which is about ten meters.
  fileprivate var text: String {
    func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
      let parts = Int((abs(value) * 10_000).rounded())
      let fraction = String(parts % 10_000 + 10_000).dropFirst()
      return "\(parts / 10_000).\(fraction)° \(value < 0 ? negative : positive)"
    }
    return "\(degrees(latitude, "N", "S")), \(degrees(longitude, "E", "W"))"
  }
}

extension Double {
  /// The number with one decimal, or without decimals if that one is 0.
  fileprivate var short: String {
    guard abs(self) < 1e9 else { return "?" }
    let tenths = Int((self * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
