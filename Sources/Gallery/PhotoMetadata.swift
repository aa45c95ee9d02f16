/// The metadata of a photo: what its file says in Exif, IPTC or XMP, or in an XMP file next to it.
///
/// Absent values are nil or empty. ``MetadataField/all`` lists the fields with everything that the program does with them.
public struct PhotoMetadata: Hashable, Sendable {
  /// The time at which the photo was taken.
  public var takenAt: CaptureTime?
  fileprivate var knownWidth: Int?
  fileprivate var knownHeight: Int?
  /// The camera's maker and model.
  public var camera: String?
  /// The lens's model.
  public var lens: String?
  /// The exposure time in seconds.
  public var exposureTime: Double?
  /// The focal length divided by the diameter of the aperture.
  public var fNumber: Double?
  /// The focal length in millimeters.
  public var focalLength: Double?
  /// The sensitivity (ISO 12232).
  public var iso: Int?
  /// The exposure bias in EV, positive for a brighter image (Exif 2.32, `ExposureBiasValue`).
  public var exposureBias: Double?
  /// The latitude in degrees (WGS 84), positive in the north.
  public var latitude: Double?
  /// The longitude in degrees (WGS 84), positive in the east.
  public var longitude: Double?
  /// The altitude in meters above the sea.
  public var altitude: Double?
  /// The stars from 1 to 5, 0 for none, or -1 for a rejected photo (XMP Specification, part 1, `xmp:Rating`).
  public var rating: Int?
  /// The keywords, in the order of the file.
  public var keywords: [String] = []
  /// The label, in most cases the name of a color (`xmp:Label`).
  public var label: String?
  /// The title.
  public var title: String?
  /// The caption, which may have several lines.
  public var caption: String?
  /// The text for those who do not see the image (IPTC Photo Metadata Standard 2021.1, Alt Text).
  public var altText: String?
  /// The orientation of the stored image (``ImageOrientation``), or nil if it is upright.
  public var orientation: Int?
  /// The orientation that a sidecar gives the image instead (`tiff:Orientation`).
  public var chosenOrientation: Int?
  /// Whether the file ends before the image does, as while it is being copied.
  public var isCutOff = false
  /// The focus point's distance from the left edge of the upright image (``FocusPoint/x``).
  public var focusX: Int?
  /// The focus point's distance from the upper edge of the upright image (``FocusPoint/y``).
  public var focusY: Int?
  /// The raw value of ``series``.
  public var seriesCode: Int?
  /// The number of the shot in its series, from 1, or nil if it is unknown.
  public var seriesNumber: Int?

  /// The values of ``exposureBias`` (Exif 2.32).
  public static let exposureBiases = -99.99...99.99

  /// Creates metadata without any value.
  public init() {}

  /// The place where a photo was taken (WGS 84).
  public struct Place: Hashable, Sendable {
    /// The latitude in degrees, positive in the north.
    public var latitude: Double
    /// The longitude in degrees, positive in the east.
    public var longitude: Double
    /// The altitude in meters above the sea, or nil if it is unknown.
    public var altitude: Double?

    /// Creates a place.
    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude
    }
  }

  /// The place, or nil if the latitude or the longitude is unknown.
  public var place: Place? {
    get {
      guard let latitude, let longitude else { return nil }
      return Place(latitude: latitude, longitude: longitude, altitude: altitude)
    }
    set { (latitude, longitude, altitude) = (newValue?.latitude, newValue?.longitude, newValue?.altitude) }
  }

  /// Whether only a part of a place is known. Such a part is never shown.
  public var hasIncompletePlace: Bool { place == nil && (latitude != nil || longitude != nil || altitude != nil) }

  /// The point that the camera focused on, or nil if one of its coordinates is unknown.
  public var focus: FocusPoint? {
    get {
      guard let focusX, let focusY else { return nil }
      return FocusPoint(x: focusX, y: focusY)
    }
    set { (focusX, focusY) = (newValue?.x, newValue?.y) }
  }

  /// The kind of series in which the camera took the photo, or nil if there is none or it is unknown.
  public var series: PhotoSeries? {
    get { seriesCode.flatMap(PhotoSeries.init) }
    set { seriesCode = newValue?.rawValue }
  }

  /// Whether only one coordinate of the focus point is known. It is never used alone.
  public var hasIncompleteFocus: Bool { (focusX == nil) != (focusY == nil) }

  /// The quarters by which the user has rotated the image clockwise, given the orientation that the sidecar says.
  public func quarters(to chosen: ImageOrientation?) -> Int {
    let own = orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .upright
    return chosen.flatMap(own.quarters) ?? 0
  }

  /// The upright image's width in pixels, or 0 if it is unknown.
  public var width: Int {
    get { knownWidth ?? 0 }
    set { knownWidth = newValue > 0 ? newValue : nil }
  }

  /// The upright image's height in pixels, or 0 if it is unknown.
  public var height: Int {
    get { knownHeight ?? 0 }
    set { knownHeight = newValue > 0 ? newValue : nil }
  }

  /// Exchanges the sides of the image, as when it is rotated by a quarter.
  public mutating func swapSides() { (knownWidth, knownHeight) = (knownHeight, knownWidth) }
}

/// One field of a photo's metadata, with everything that the program does with it.
///
/// ``all`` is the only list of the fields: a new field needs a property of ``PhotoMetadata``, a line there, and a reader
/// that sets the property. Packing, merging, catalogs, details, search, and sort follow from the line.
///
/// It is a class because the fields are copied for each photo that is unpacked, and copies of their closures cost time.
public final class MetadataField: Sendable {
  /// The path of a property with a field's value.
  public typealias Path<Value> = any WritableKeyPath<PhotoMetadata, Value> & Sendable

  /// The property with the field's value, and the values that it can have.
  public enum Value: Sendable {
    case time(Path<CaptureTime?>)
    case integer(Path<Int?>, in: ClosedRange<Int>)
    case number(Path<Double?>, in: ClosedRange<Double>, Unit)
    case text(Path<String?>)
    /// A text of any number of lines.
    case lines(Path<String?>)
    case texts(Path<[String]>)
    case flag(Path<Bool>)
  }

  /// The parts of a photo's details.
  public enum Section: Sendable {
    case remarks, capture, place, file
  }

  /// The unit of a number. A catalog may write it behind the number.
  public enum Unit: Sendable {
    case fNumber, seconds, millimeters, exposureValues, degrees, meters
  }

  /// The place where a field is stored in a catalog.
  public enum Home: Sendable {
    /// A member of a photo in a catalog, with the names that it is read by. The first name is the one that is written.
    case member([String])
    /// The same as ``member(_:)``, for a part of the place where the photo was taken.
    case memberOfPlace([String])
    /// A property of ``Photo`` itself.
    case photo
    /// No member. The value is not stored in catalogs.
    case none
  }

  /// The property with the value, and the range of its values.
  public let value: Value
  /// The place where the value is kept.
  public let home: Home
  /// The fault of an invalid value, as a clause without a subject, such as "is not a string".
  public let fault: LocalizedText
  /// The label in a photo's details, or nil if the field is not shown by itself.
  public var label: String? { labelText?.text }
  private let labelText: LocalizedText?
  /// Returns the text that a photo's details show behind the label, or nil if there is nothing to show.
  public let text: @Sendable (PhotoMetadata) -> String?
  /// The part of a photo's details that shows the field.
  public let section: Section
  /// Returns the address that the text links to, or nil for none.
  public let link: @Sendable (PhotoMetadata) -> String?
  /// The way in which a query finds photos by the field, or nil if it can't. Properties of ``Photo`` itself are found
  /// as columns of the photo table instead.
  public let search: Search?
  /// The way in which photos are sorted by the field, or nil if they can't. The same exception applies.
  public let sort: Sort?
  /// The offset of the value in ``PhotoMetadata``. A key path takes ten times as long, and if the value were computed, a
  /// hundred times.
  private let offset: Int
  /// The kind of the value.
  let kind: MetadataLayout.Kind

  private init(
    _ value: Value, _ home: Home, fault: LocalizedText = LocalizedText("is not a string"), label: LocalizedText? = nil,
    in section: Section = .remarks,
    text: @escaping @Sendable (PhotoMetadata) -> String? = { _ in nil },
    link: @escaping @Sendable (PhotoMetadata) -> String? = { _ in nil }, search: Search? = nil, sort: Sort? = nil
  ) {
    (self.value, self.home, self.fault, self.text) = (value, home, fault, text)
    labelText = label
    (self.section, self.link, self.search, self.sort) = (section, link, search, sort)
    guard let offset = MemoryLayout<PhotoMetadata>.offset(of: value.path) else {
      preconditionFailure("the value of a field is a stored property")
    }
    self.offset = offset
    kind = MetadataLayout.Kind(value)
  }

  private static let positive = Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude
  private static let counts = 1...Int(Int32.max)
  private static let pixels = LocalizedText("a number of pixels such as 4000, >=4000 or 1000..4000")
  private static let degrees = LocalizedText("degrees such as >60 or 47..48.5")

  /// The fields, in the order in which they are packed, written, and shown.
  public static let all: [MetadataField] = [
    MetadataField(
      .time(\.takenAt), .member(["taken_at"]),
      fault: LocalizedText("must be an ISO 8601 date and time, with or without a time zone"),
      search: .has("date") { $0.takenAt != nil }),
    MetadataField(.text(\.camera), .photo),
    MetadataField(
      .text(\.lens), .member(["lens"]), label: LocalizedText("Lens"), in: .capture, text: { $0.lens?.printable },
      search: .words("lens", \.lens, has: "lens", isDefault: false)),
    // 500px calls the exposure time "shutter_speed" and the keywords "tags".
    MetadataField(
      .number(\.exposureTime, in: positive, .seconds), .member(["exposure_time", "shutter_speed"]),
      fault: LocalizedText("is not a time in seconds"), label: LocalizedText("Exposure"), in: .capture,
      text: \.exposureText,
      search: .number(
        "exposure", \.shownExposureTime, expected: LocalizedText("seconds such as 1/250, <1/500 or 0.5..2"))),
    MetadataField(
      .number(\.fNumber, in: positive, .fNumber), .member(["aperture"]), fault: LocalizedText("is not an f-number"),
      search: .number(
        "aperture", { $0.fNumber?.roundedAsShown }, expected: LocalizedText("an f-number such as 4, <2 or 1.4..2.8"))),
    MetadataField(
      .number(\.focalLength, in: positive, .millimeters), .member(["focal_length"]),
      fault: LocalizedText("is not a length in millimeters"),
      search: .number(
        "focal", { $0.focalLength?.roundedAsShown }, expected: LocalizedText("millimeters such as 50, >200 or 35..85"))),
    MetadataField(
      .integer(\.iso, in: counts), .member(["iso"]), fault: LocalizedText("is not a sensitivity"),
      search: .number("iso", \.iso, has: "iso", expected: LocalizedText("a sensitivity such as 400, >1600 or 100..400"))
    ),
    MetadataField(
      .number(\.exposureBias, in: PhotoMetadata.exposureBiases, .exposureValues), .member(["exposure_bias"]),
      fault: LocalizedText("is not an exposure bias in EV"),
      search: .number(
        "bias", { $0.exposureBias?.roundedAsShown }, expected: LocalizedText("EV such as 0, >0 or -2..-0.3"))),
    MetadataField(
      .integer(\.knownWidth, in: counts), .member(["width"]), fault: LocalizedText("is not a number of pixels"),
      label: LocalizedText("Pixels"),
      in: .file,
      text: \.pixelsText, search: .number("width", \.knownWidth, expected: pixels)),
    MetadataField(
      .integer(\.knownHeight, in: counts), .member(["height"]), fault: LocalizedText("is not a number of pixels"),
      search: .number("height", \.knownHeight, expected: pixels)),
    MetadataField(
      .number(\.latitude, in: -90...90, .degrees), .memberOfPlace(["latitude"]),
      fault: LocalizedText("is not from -90 to 90 degrees"), label: LocalizedText("Place"), in: .place,
      text: { $0.place?.text },
      link: { $0.place?.mapAddress },
      search: .number("latitude", { $0.place?.latitude }, has: "gps", expected: degrees)),
    MetadataField(
      .number(\.longitude, in: -180...180, .degrees), .memberOfPlace(["longitude"]),
      fault: LocalizedText("is not from -180 to 180 degrees"),
      search: .number("longitude", { $0.place?.longitude }, expected: degrees)),
    MetadataField(
      .number(\.altitude, in: -1e6...1e6, .meters), .memberOfPlace(["altitude"]),
      fault: LocalizedText("is not an altitude in meters")),
    MetadataField(
      .integer(\.rating, in: -1...5), .member(["stars"]), fault: LocalizedText("is not from -1 to 5"),
      label: LocalizedText("Rating"),
      text: \.ratingText,
      search: .number(
        "rating", \.rating, has: "rating", absent: 0,
        expected: LocalizedText("a number of stars such as 4, >=4 or 3..5")),
      sort: .number(
        "rating", \.rating, label: LocalizedText("Rating"), heading: LocalizedText("by rating"),
        ascendingNote: LocalizedText("worst first"), descendingNote: LocalizedText("best first"))),
    MetadataField(
      .texts(\.keywords), .member(["keywords", "tags"]), fault: LocalizedText("is not a list of strings"),
      label: LocalizedText("Keywords"),
      text: \.keywordsText, search: .words("keyword", \.keywords, has: "keywords", weight: 2)),
    MetadataField(
      .text(\.label), .member(["label"]), label: LocalizedText("Label"), text: { $0.label?.colorText.printable },
      search: .words("label", \.label, has: "label", isDefault: false)),
    MetadataField(
      .text(\.altText), .member(["alt_text"]), label: LocalizedText("Alt text"), text: { $0.altText?.printable },
      search: .words("alt", \.altText)),
    MetadataField(.text(\.title), .photo),
    MetadataField(.lines(\.caption), .photo),
    MetadataField(.flag(\.isCutOff), .none),
    MetadataField(.integer(\.orientation, in: 1...8), .none),
    MetadataField(.integer(\.chosenOrientation, in: 1...8), .none),
    MetadataField(.integer(\.focusX, in: FocusPoint.coordinates), .none),
    MetadataField(.integer(\.focusY, in: FocusPoint.coordinates), .none),
    MetadataField(.integer(\.seriesCode, in: PhotoSeries.codes), .none),
    MetadataField(.integer(\.seriesNumber, in: counts), .none),
  ]
}

extension MetadataField {
  /// The names of the member that keeps the field in a catalog, or an empty list.
  public var names: [String] {
    switch home {
    case .member(let names), .memberOfPlace(let names): names
    case .photo, .none: []
    }
  }

  /// Whether the value is a part of the place where the photo was taken.
  public var isOfPlace: Bool { if case .memberOfPlace = home { true } else { false } }
  /// Whether the value is also a property of ``Photo``.
  public var isOfPhoto: Bool { if case .photo = home { true } else { false } }

  /// Returns the field's value, which has this path.
  func get<Value>(_ path: Path<Value>, of metadata: PhotoMetadata) -> Value {
    withUnsafeBytes(of: metadata) { $0.load(fromByteOffset: offset, as: Value.self) }
  }

  /// Sets the field's value, which has this type.
  func set<Value>(_ value: Value, of metadata: inout PhotoMetadata) {
    withUnsafeMutablePointer(to: &metadata) { metadata in
      (UnsafeMutableRawPointer(metadata) + offset).assumingMemoryBound(to: Value.self).pointee = value
    }
  }

  /// Copies the value of another photo's metadata, unless this field has a value.
  fileprivate func fill(_ metadata: inout PhotoMetadata, from other: PhotoMetadata) {
    switch value {
    case .time(let path): fill(path, of: &metadata, from: other)
    case .integer(let path, _): fill(path, of: &metadata, from: other)
    case .number(let path, _, _): fill(path, of: &metadata, from: other)
    case .text(let path), .lines(let path): fill(path, of: &metadata, from: other)
    case .texts(let path): if get(path, of: metadata).isEmpty { set(get(path, of: other), of: &metadata) }
    case .flag(let path): if get(path, of: other) { set(true, of: &metadata) }
    }
  }

  private func fill<Value>(_ path: Path<Value?>, of metadata: inout PhotoMetadata, from other: PhotoMetadata) {
    if get(path, of: metadata) == nil { set(get(path, of: other), of: &metadata) }
  }

  /// Makes the texts printable and removes a value that is out of range.
  fileprivate func check(_ metadata: inout PhotoMetadata) {
    switch value {
    case .time(let path):
      if let time = metadata[keyPath: path], !CaptureTime.clocks.contains(time.clock) { metadata[keyPath: path] = nil }
    case .integer(let path, let range):
      if let value = metadata[keyPath: path], !range.contains(value) { metadata[keyPath: path] = nil }
    case .number(let path, let range, _):
      if let value = metadata[keyPath: path], !range.contains(value) { metadata[keyPath: path] = nil }
    case .text(let path): metadata[keyPath: path] = metadata[keyPath: path]?.printable.nonEmpty
    case .lines(let path): metadata[keyPath: path] = metadata[keyPath: path]?.printableLines.nonEmpty
    case .texts(let path): metadata[keyPath: path] = metadata[keyPath: path].map(\.printable)
    case .flag: break
    }
  }
}

extension PhotoMetadata {
  /// Copies the values of `other` for all fields that are unknown here. A place and a focus point are taken as a whole.
  public mutating func fill(from other: PhotoMetadata) {
    let hasPlace = place != nil
    let point = focus ?? other.focus
    for field in MetadataField.all where !(hasPlace && field.isOfPlace) { field.fill(&self, from: other) }
    focus = point
  }

  /// Makes all texts printable and removes values that are out of range, as for metadata from another process or a file.
  public mutating func check() {
    for field in MetadataField.all { field.check(&self) }
    if hasIncompletePlace { place = nil }
    if hasIncompleteFocus { focus = nil }
  }
}

/// The time at which a photo was taken, by the clock of its camera, whose offset from UTC may be unknown.
public struct CaptureTime: Hashable, Sendable {
  /// The time that the clock showed, in seconds since 1970-01-01 00:00:00 of the same clock.
  public var clock: Double
  /// The clock's offset from UTC in seconds, positive in the east, or nil if the file does not say.
  public var offset: Int?

  /// Creates a time.
  public init(clock: Double, offset: Int? = nil) {
    self.clock = clock
    self.offset = offset
  }

  /// The values of ``clock`` that ISO 8601 can write: the years 0 to 9999.
  public static let clocks = -62_167_219_200.0..<253_402_300_800
}
