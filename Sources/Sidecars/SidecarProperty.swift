import Gallery

/// A property of XMP that is read or written.
///
/// The specification names each property by a namespace and a local name. The prefix is only a habit.
enum SidecarProperty: String, CaseIterable, Codable, CodingKeyRepresentable {
  // The decisions (XMP Specification, parts 1 and 2; Lightroom's namespace is described by the Metadata Working Group).
  case rating = "xmp:Rating"
  case label = "xmp:Label"
  case keywords = "dc:subject"
  case hierarchicalKeywords = "lr:hierarchicalSubject"
  case caption = "dc:description"
  case orientation = "tiff:Orientation"
  case hasCrop = "crs:HasCrop"
  case cropLeft = "crs:CropLeft"
  case cropTop = "crs:CropTop"
  case cropRight = "crs:CropRight"
  case cropBottom = "crs:CropBottom"
  case cropAngle = "crs:CropAngle"
  case alreadyApplied = "crs:AlreadyApplied"
  case metadataDate = "xmp:MetadataDate"
  // The properties of other programs that are kept in step. See `XMPEditor+Decisions.swift`.
  case darktableLabels = "darktable:colorlabels"
  case digiKamLabel = "digiKam:ColorLabel"
  case digiKamPick = "digiKam:PickLabel"
  case digiKamTags = "digiKam:TagsList"
  case lightroomPick = "xmpDM:pick"
  case lightroomGood = "xmpDM:good"
  case acdseeRating = "acdsee:rating"
  case microsoftRating = "MicrosoftPhoto:Rating"
  case microsoftKeywords = "MicrosoftPhoto:LastKeywordXMP"
  case exifToolRating = "MicrosoftPhoto_1_:Rating"
  case exifToolKeywords = "MicrosoftPhoto_1_:LastKeywordXMP"
  case mediaProSets = "mediapro:CatalogSets"

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
    }
  }

  /// Whether the property has a value for each language.
  var hasLanguages: Bool { self == .caption }

  var prefix: String { String(rawValue.prefix { $0 != ":" }) }

  var name: XMLName { XMLName(Self.namespaces[prefix]!, String(rawValue.drop { $0 != ":" }.dropFirst())) }

  private static let namespaces = [
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "lr": "http://ns.adobe.com/lightroom/1.0/",
    "tiff": "http://ns.adobe.com/tiff/1.0/",
    "crs": "http://ns.adobe.com/camera-raw-settings/1.0/",
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
