/// A text of the IPTC Photo Metadata Standard 2021.1 that people write about a photo, in the form in which files have it.
///
/// ``all`` is the only list of them: reading, sidecars, templates and exports follow from a line there, and details and search from a
/// line of ``MetadataField/all``.
public struct IPTCText: Sendable {
  /// The form of the property in XMP (XMP Specification, part 1, "XMP data model").
  public enum Form: Sendable {
    case simple
    /// A text for each language, of which only the default one is used.
    case languages
    /// A list of names, which are separated by semicolons here.
    case names
  }

  /// The decision by which the user changes the text.
  public let decision: Decision
  /// The name of the property in XMP.
  public let property: String
  /// The form of the property.
  public let form: Form
  /// The number of the same text in record 2 of IPTC's Information Interchange Model 4.2; nil if it has none.
  public let dataSet: Int?
  private let path: MetadataField.Path<String?>
  /// The field of the text, which reaches the value faster than the path does.
  private let field: MetadataField

  /// All texts but the caption, which is older than this list.
  public static let all = [
    IPTCText(.title, "dc:title", .languages, iptc: 5, \.title),
    IPTCText(.altText, "Iptc4xmpCore:AltTextAccessibility", .languages, \.altText),
    IPTCText(.creator, "dc:creator", .names, iptc: 80, \.creator),
    IPTCText(.copyright, "dc:rights", .languages, iptc: 116, \.copyright),
    IPTCText(.credit, "photoshop:Credit", iptc: 110, \.credit),
    IPTCText(.usageTerms, "xmpRights:UsageTerms", .languages, \.usageTerms),
    IPTCText(.location, "Iptc4xmpCore:Location", iptc: 92, \.location),
    IPTCText(.city, "photoshop:City", iptc: 90, \.city),
    IPTCText(.state, "photoshop:State", iptc: 95, \.state),
    IPTCText(.country, "photoshop:Country", iptc: 101, \.country),
    IPTCText(.countryCode, "Iptc4xmpCore:CountryCode", iptc: 100, \.countryCode),
  ]

  private init(
    _ decision: Decision, _ property: String, _ form: Form = .simple, iptc dataSet: Int? = nil,
    _ path: MetadataField.Path<String?>
  ) {
    self.decision = decision
    self.property = property
    self.form = form
    self.dataSet = dataSet
    self.path = path
    guard let field = MetadataField.all.first(where: { $0.value.path == path }) else {
      preconditionFailure("each text is a field")
    }
    self.field = field
  }

  /// Returns the text of a photo.
  public func value(of metadata: PhotoMetadata) -> String? { field.get(path, of: metadata) }

  /// Sets the text of a photo.
  public func set(_ value: String?, of metadata: inout PhotoMetadata) { field.set(value, of: &metadata) }

  /// Returns the text of the values that a file has, or nil if there are none.
  public func text(of values: [String]) -> String? {
    form == .names ? values.joined(separator: Self.separator).nonEmpty : values.first?.nonEmpty
  }

  /// Whether the text may have several lines.
  public var hasLines: Bool { if case .lines = field.value { true } else { false } }

  /// Returns the values of a text that is a list of names.
  public static func names(in text: String) -> [String] {
    text.split(separator: ";").compactMap { name in
      guard let start = name.firstIndex(where: { !$0.isWhitespace }),
        let end = name.lastIndex(where: { !$0.isWhitespace })
      else { return nil }
      return String(name[start...end])
    }
  }

  private static let separator = "; "
}

extension Decision {
  /// The text that the decision is about, or nil if it is about none of ``IPTCText/all``.
  public var iptcText: IPTCText? { Self.iptcTexts[self] }

  private static let iptcTexts = Dictionary(uniqueKeysWithValues: IPTCText.all.map { ($0.decision, $0) })
}
