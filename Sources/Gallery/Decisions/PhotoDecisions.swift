/// The decisions about a photo: its rating, label, keywords, caption and other texts, orientation, and crop, whether it is a favorite,
/// and its time and position, which the user can correct.
///
/// A part is nil if nothing is decided. ``Decision`` is the table of the parts.
public struct PhotoDecisions: Hashable, Sendable {
  /// The stars from 1 to 5, 0 for none, or -1 for a rejected photo (XMP Specification, part 1, `xmp:Rating`).
  public var rating: Int?
  /// The label, in most cases the English name of a color (`xmp:Label`).
  public var label: String?
  /// All keywords (`dc:subject`), in the order of the sidecar.
  public var keywords: [String]?
  /// The keywords with the levels above them (`lr:hierarchicalSubject`), separated by `|`: `Places|Norway|Bergen`. Only
  /// decisions that were read from a sidecar have them.
  public var hierarchicalKeywords: [String]?
  /// The caption in the default language (`dc:description`), which may have several lines.
  public var caption: String?
  /// The orientation that replaces the photo's own (TIFF 6.0, tag 274; `tiff:Orientation`).
  public var orientation: ImageOrientation?

  /// The part of the stored image that the photo is cropped to.
  public var crop: PhotoCrop?
  /// Whether the photo is a favorite. Sidecars have no property for that, but servers do.
  public var isFavorite = false
  /// The time at which the photo was taken (`exif:DateTimeOriginal`).
  public var takenAt: CaptureTime?
  /// The latitude in degrees, positive in the north (`exif:GPSLatitude`).
  public var latitude: Double?
  /// The longitude in degrees, positive in the east (`exif:GPSLongitude`).
  public var longitude: Double?
  /// The altitude in meters above sea level (`exif:GPSAltitude`).
  public var altitude: Double?
  /// The texts of ``IPTCText/all`` by their decisions.
  private var texts: [Decision: String] = [:]

  /// The rating of a rejected photo.
  public static let rejected = Decision.rejectedRating

  /// Creates decisions.
  public init(
    rating: Int? = nil, label: String? = nil, keywords: [String]? = nil, caption: String? = nil,
    orientation: ImageOrientation? = nil, crop: PhotoCrop? = nil
  ) {
    self.rating = rating
    self.label = label
    self.keywords = keywords
    self.caption = caption
    self.orientation = orientation
    self.crop = crop
  }

  /// Creates the decisions that a photo's metadata contains. They do not tell the photo's own from those of its sidecar.
  public init(_ metadata: PhotoMetadata?) {
    let keywords = metadata?.keywords ?? []
    self.init(
      rating: metadata?.rating, label: metadata?.label, keywords: keywords.isEmpty ? nil : keywords,
      caption: metadata?.caption,
      orientation: metadata?.chosenOrientation.flatMap(ImageOrientation.init(rawValue:)),
      crop: metadata?.crop.flatMap(PhotoCrop.init(text:)))
    isFavorite = metadata?.isFavorite == true
    guard let metadata else { return }
    takenAt = metadata.takenAt
    latitude = metadata.latitude
    longitude = metadata.longitude
    altitude = metadata.altitude
    for text in IPTCText.all { texts[text.decision] = text.value(of: metadata) }
  }

  /// The value of a decision.
  public subscript(decision: Decision) -> DecisionValue? {
    get {
      switch decision {
      case .rating: rating.map(DecisionValue.number)
      case .label: label.map(DecisionValue.text)
      case .keywords: keywords.map(DecisionValue.list)
      case .hierarchicalKeywords: hierarchicalKeywords.map(DecisionValue.list)
      case .caption: caption.map(DecisionValue.text)
      case .orientation: orientation.map { .number($0.rawValue) }
      case .crop: crop.map { .text($0.text) }
      case .favorite: isFavorite ? 1 : nil
      case .takenAt: takenAt.map { .text($0.iso8601) }
      case .latitude: latitude.map { .text(XMPPosition.latitude($0)) }
      case .longitude: longitude.map { .text(XMPPosition.longitude($0)) }
      case .altitude: altitude.map { .text(XMPPosition.altitude($0)) }
      default: texts[decision].map(DecisionValue.text)
      }
    }
    set {
      switch decision {
      case .rating: rating = newValue?.number
      case .label: label = newValue?.text
      case .keywords: keywords = newValue?.list
      case .hierarchicalKeywords: hierarchicalKeywords = newValue?.list
      case .caption: caption = newValue?.text
      case .orientation: orientation = newValue?.number.flatMap(ImageOrientation.init(rawValue:))
      case .crop: crop = newValue?.text.flatMap(PhotoCrop.init(text:))
      case .favorite: isFavorite = newValue?.number == 1
      case .takenAt: takenAt = newValue?.text.flatMap { CaptureTime(metadata: $0) }
      case .latitude: latitude = newValue?.text.flatMap(XMPPosition.latitude)
      case .longitude: longitude = newValue?.text.flatMap(XMPPosition.longitude)
      case .altitude: altitude = newValue?.text.flatMap(XMPPosition.altitude)
      default: texts[decision] = newValue?.text
      }
    }
  }

  /// Copies the parts of other decisions that are missing here. Zero stars, which cameras write, are replaced by others.
  public mutating func fill(from other: PhotoDecisions) {
    rating = Self.rating(rating, orElse: other.rating)
    for decision in Decision.allCases where self[decision] == nil { self[decision] = other[decision] }
  }

  /// Returns a rating, or the one of the shot's next file if it is missing or zero.
  public static func rating(_ rating: Int?, orElse other: Int?) -> Int? {
    rating == nil || rating == 0 ? other ?? rating : rating
  }

  /// Whether the photo is rejected.
  public var isRejected: Bool { rating == Self.rejected }
}

extension PhotoDecisions {
  /// Returns the decisions after edits.
  public func applying(_ edits: DecisionEdits) -> PhotoDecisions {
    var new = self
    for decision in edits.changed {
      if let value = edits[decision].value { new[decision] = value }
    }
    return new
  }
}

extension DecisionEdits {
  /// Returns the edits that restore the values of `former`.
  public func inverse(restoring former: PhotoDecisions) -> DecisionEdits {
    var inverse = DecisionEdits()
    for decision in changed { inverse[decision] = DecisionEdit(former[decision]) }
    return inverse
  }

  /// The edits as a screen shows them: an empty value is none. The levels above the keywords, which no screen shows and metadata
  /// does not have, stay.
  public var shown: DecisionEdits {
    var shown = self
    shown[.hierarchicalKeywords] = .keep
    for decision in changed where self[decision] == DecisionEdit(decision.form.empty) { shown[decision] = .remove }
    return shown
  }
}
