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

  /// The form of a packed value.
  enum Kind {
    case time
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case text, lines, texts, flag

    init(_ value: Value) {
      self =
        switch value {
        case .time: .time
        case .integer(_, let range): .integer(range)
        case .number(_, let range, _): .number(range)
        case .text: .text
        case .lines: .lines
        case .texts: .texts
        case .flag: .flag
        }
    }
  }

  /// The parts of a photo's details.
  public enum Section: Sendable {
    case remarks, capture, place, file
  }

  /// The unit of a number. A catalog may write it behind the number.
  public enum Unit: Sendable {
    case fNumber, seconds, millimeters, exposureValues, degrees, meters, perSecond
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
  let kind: Kind

  private init(
    _ value: Value, _ home: Home, fault: LocalizedText = LocalizedText("is not a string"), label: LocalizedText? = nil,
    in section: Section = .remarks,
    text: @escaping @Sendable (PhotoMetadata) -> String? = { _ in nil },
    link: @escaping @Sendable (PhotoMetadata) -> String? = { _ in nil }, search: Search? = nil, sort: Sort? = nil
  ) {
    self.value = value
    self.home = home
    self.fault = fault
    self.text = text
    labelText = label
    self.section = section
    self.link = link
    self.search = search
    self.sort = sort
    guard let offset = MemoryLayout<PhotoMetadata>.offset(of: value.path) else {
      preconditionFailure("the value of a field is a stored property")
    }
    self.offset = offset
    kind = Kind(value)
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
      .integer(\.fileSize, in: 0...Int.max), .none, label: LocalizedText("Size"), in: .file,
      text: { $0.fileSize.map { Int64($0).fileSizeText } },
      search: .number(
        "size", { $0.fileSize.map { Double($0) / 1_000_000 } }, expected: LocalizedText("megabytes such as >20 or 1..5")
      ),
      sort: .number("file size", \.fileSize, label: LocalizedText("File size"), heading: LocalizedText("by file size"))),
    MetadataField(
      .integer(\.kindCode, in: PhotoKind.codes), .none,
      search: .number("kind", \.kindCode, expected: LocalizedText("1 image, 2 raw, 3 animation, 4 video, or 5 page"))),
    MetadataField(
      .integer(\.movieSize, in: counts), .none,
      search: .number(
        "movie", { $0.movieSize.map { Double($0) / 1_000_000 } }, expected: LocalizedText("megabytes such as >2"))),
    MetadataField(
      .number(\.duration, in: 0...1e7, .seconds), .none, label: LocalizedText("Duration"), in: .file,
      text: { $0.duration?.durationText },
      search: .number("duration", \.duration, expected: LocalizedText("seconds such as >30 or 5..60")),
      sort: .number(
        "duration", { $0.duration.map { Int($0 * 1000) } }, label: LocalizedText("Duration"),
        heading: LocalizedText("by duration"), ascendingNote: LocalizedText("shortest first"),
        descendingNote: LocalizedText("longest first"))),
    MetadataField(.number(\.frameRate, in: 0...1e4, .perSecond), .none),
    MetadataField(
      .text(\.codec), .none, label: LocalizedText("Video"), in: .file, text: \.videoText,
      search: .words("codec", \.codec, isDefault: false)),
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
    MetadataField(
      .text(\.creator), .none, label: LocalizedText("Creator"), text: { $0.creator?.printable },
      search: .words("creator", \.creator, has: "creator")),
    MetadataField(
      .text(\.copyright), .none, label: LocalizedText("Rights"), text: { $0.copyright?.printable },
      search: .words("copyright", \.copyright, has: "copyright", isDefault: false)),
    MetadataField(
      .text(\.credit), .none, label: LocalizedText("Credit"), text: { $0.credit?.printable },
      search: .words("credit", \.credit, isDefault: false)),
    MetadataField(
      .lines(\.usageTerms), .none, label: LocalizedText("Terms"), text: { $0.usageTerms?.printable },
      search: .words("terms", \.usageTerms, isDefault: false)),
    // The details show the place in one line.
    MetadataField(
      .text(\.location), .none, label: LocalizedText("Location"), in: .place, text: \.locationText,
      search: .words("location", \.location)),
    MetadataField(.text(\.city), .none, search: .words("city", \.city, has: "city")),
    MetadataField(.text(\.state), .none, search: .words("state", \.state)),
    MetadataField(
      .text(\.country), .none,
      search: .words("country", { [$0.country, $0.countryCode].compactMap(\.self) }, has: "country")),
    MetadataField(.text(\.countryCode), .none),
    MetadataField(
      .text(\.prompt), .none, label: LocalizedText("Prompt"), text: { $0.prompt?.printable },
      search: .words("prompt", \.prompt, has: "prompt")),
    MetadataField(
      .text(\.generation), .none, label: LocalizedText("Recipe"), in: .file, text: { $0.generation?.printable },
      search: .words("generated", \.generation, isDefault: false)),
    MetadataField(.text(\.title), .photo),
    MetadataField(.lines(\.caption), .photo),
    MetadataField(.flag(\.isCutOff), .none),
    MetadataField(.integer(\.orientation, in: 1...8), .none),
    MetadataField(.integer(\.chosenOrientation, in: 1...8), .none),
    MetadataField(.text(\.crop), .none),
    MetadataField(.integer(\.focusX, in: FocusPoint.coordinates), .none),
    MetadataField(.integer(\.focusY, in: FocusPoint.coordinates), .none),
    MetadataField(.integer(\.seriesCode, in: PhotoSeries.codes), .none),
    MetadataField(.integer(\.seriesNumber, in: counts), .none),
    MetadataField(
      .flag(\.isFavorite), .none, label: LocalizedText("Favorite"),
      text: { $0.isFavorite ? localized("yes") : nil }, search: .has("favorite", \.isFavorite)),
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

extension MetadataField.Value {
  /// The path of the property, of any type.
  var path: PartialKeyPath<PhotoMetadata> {
    switch self {
    case .time(let path): path
    case .integer(let path, _): path
    case .number(let path, _, _): path
    case .text(let path), .lines(let path): path
    case .texts(let path): path
    case .flag(let path): path
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
