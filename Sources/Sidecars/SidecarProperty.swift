import Gallery

/// A property of XMP that is read or written.
///
/// The specification names each property by a namespace and a local name. The prefix is only a habit.
struct SidecarProperty: RawRepresentable, Hashable, Codable, CodingKeyRepresentable {
  let rawValue: String

  init?(rawValue: String) {
    self.rawValue = rawValue
    guard Self.known.contains(self) else { return nil }
  }

  private init(_ rawValue: String) { self.rawValue = rawValue }

  // The decisions (XMP Specification, parts 1 and 2; Lightroom's namespace is described by the Metadata Working Group).
  static let rating = SidecarProperty("xmp:Rating")
  static let label = SidecarProperty("xmp:Label")
  static let keywords = SidecarProperty("dc:subject")
  static let hierarchicalKeywords = SidecarProperty("lr:hierarchicalSubject")
  static let caption = SidecarProperty("dc:description")
  static let orientation = SidecarProperty("tiff:Orientation")
  static let hasCrop = SidecarProperty("crs:HasCrop")
  static let cropLeft = SidecarProperty("crs:CropLeft")
  static let cropTop = SidecarProperty("crs:CropTop")
  static let cropRight = SidecarProperty("crs:CropRight")
  static let cropBottom = SidecarProperty("crs:CropBottom")
  static let cropAngle = SidecarProperty("crs:CropAngle")
  static let alreadyApplied = SidecarProperty("crs:AlreadyApplied")
  static let takenAt = SidecarProperty("exif:DateTimeOriginal")
  static let latitude = SidecarProperty("exif:GPSLatitude")
  static let longitude = SidecarProperty("exif:GPSLongitude")
  static let altitude = SidecarProperty("exif:GPSAltitude")
  /// 1 for an altitude below the sea, which ``altitude`` has without a sign.
  static let isBelowSea = SidecarProperty("exif:GPSAltitudeRef")
  static let metadataDate = SidecarProperty("xmp:MetadataDate")
  // The properties of other programs that are kept in step. See `XMPEditor+Decisions.swift`.
  static let darktableLabels = SidecarProperty("darktable:colorlabels")
  static let digiKamLabel = SidecarProperty("digiKam:ColorLabel")
  static let digiKamPick = SidecarProperty("digiKam:PickLabel")
  static let digiKamTags = SidecarProperty("digiKam:TagsList")
  static let lightroomPick = SidecarProperty("xmpDM:pick")
  static let lightroomGood = SidecarProperty("xmpDM:good")
  static let acdseeRating = SidecarProperty("acdsee:rating")
  static let microsoftRating = SidecarProperty("MicrosoftPhoto:Rating")
  static let microsoftKeywords = SidecarProperty("MicrosoftPhoto:LastKeywordXMP")
  static let exifToolRating = SidecarProperty("MicrosoftPhoto_1_:Rating")
  static let exifToolKeywords = SidecarProperty("MicrosoftPhoto_1_:LastKeywordXMP")
  static let mediaProSets = SidecarProperty("mediapro:CatalogSets")
  static let dateCreated = SidecarProperty("photoshop:DateCreated")
  static let createDate = SidecarProperty("xmp:CreateDate")

  /// The properties, each of which is kept for undo.
  static let allCases: [SidecarProperty] =
    [
      .rating, .label, .keywords, .hierarchicalKeywords, .caption, .orientation, .hasCrop, .cropLeft,
      .cropTop, .cropRight, .cropBottom, .cropAngle, .alreadyApplied, .metadataDate, .darktableLabels,
      .digiKamLabel, .digiKamPick, .digiKamTags, .lightroomPick, .lightroomGood, .acdseeRating,
      .microsoftRating, .microsoftKeywords, .exifToolRating, .exifToolKeywords, .mediaProSets, .takenAt, .latitude,
      .longitude, .altitude, .isBelowSea, .dateCreated, .createDate,
    ] + IPTCText.all.map { SidecarProperty($0.property) }

  private static let known = Set(allCases)

  /// The property that holds a decision, or nil if sidecars can't hold it.
  init?(_ decision: Decision) {
    switch decision {
    case .rating: self = .rating
    case .label: self = .label
    case .keywords: self = .keywords
    case .hierarchicalKeywords: self = .hierarchicalKeywords
    case .caption: self = .caption
    case .orientation: self = .orientation
    case .crop: self = .hasCrop
    case .favorite: return nil
    case .takenAt: self = .takenAt
    case .latitude: self = .latitude
    case .longitude: self = .longitude
    case .altitude: self = .altitude
    default:
      guard let text = decision.iptcText else { return nil }
      self.init(text.property)
    }
  }

  /// Whether the property has a value for each language.
  var hasLanguages: Bool { self == .caption || iptcText?.form == .languages }

  /// The text that the property has, or nil if it has none of ``IPTCText/all``.
  var iptcText: IPTCText? { Self.iptcTexts[self] }

  private static let iptcTexts = Dictionary(
    uniqueKeysWithValues: IPTCText.all.map { (SidecarProperty($0.property), $0) })

  var prefix: String { String(rawValue.prefix { $0 != ":" }) }

  var name: XMLName { XMLName(Self.namespaces[prefix]!, String(rawValue.drop { $0 != ":" }.dropFirst())) }

  private static let namespaces = [
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "lr": "http://ns.adobe.com/lightroom/1.0/",
    "tiff": "http://ns.adobe.com/tiff/1.0/",
    "exif": "http://ns.adobe.com/exif/1.0/",
    "crs": "http://ns.adobe.com/camera-raw-settings/1.0/",
    "xmpRights": "http://ns.adobe.com/xap/1.0/rights/",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "Iptc4xmpCore": "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
    "xmpDM": "http://ns.adobe.com/xmp/1.0/DynamicMedia/",
    "darktable": "http://darktable.sf.net/",
    "digiKam": "http://www.digikam.org/ns/1.0/",
    "acdsee": "http://ns.acdsee.com/iptc/1.0/",
    "mediapro": "http://ns.iview-multimedia.com/mediapro/1.0/",
    "MicrosoftPhoto": "http://ns.microsoft.com/photo/1.0/",
    // Windows itself and ExifTool leave the last slash out.
    "MicrosoftPhoto_1_": "http://ns.microsoft.com/photo/1.0",
  ]
}

/// The value of a property (XMP Specification, part 1, "XMP data model").
enum XMPValue: Hashable, Codable, Sendable {
  /// A simple value.
  case text(String)
  /// An array of simple values. Of an array of language alternatives, only the default language (`x-default`).
  case array([String], Form)

  /// The form of an array: its element of RDF.
  enum Form: String, Codable {
    case unordered = "Bag"
    case ordered = "Seq"
    case alternative = "Alt"
  }

  /// The simple value, or the first item of the array.
  var text: String? {
    switch self {
    case .text(let text): text
    case .array(let items, _): items.first
    }
  }

  /// The items of the array, or the simple value as the only one.
  var items: [String] {
    switch self {
    case .text(let text): [text]
    case .array(let items, _): items
    }
  }

  /// The form of the array, or nil of a simple value.
  var form: Form? {
    if case .array(_, let form) = self { form } else { nil }
  }
}
