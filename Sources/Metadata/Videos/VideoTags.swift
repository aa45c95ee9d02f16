import Gallery

/// The tags of a video by their names in lowercase. Each container has names of its own, and so have Apple and Android.
struct VideoTags {
  private var values: [String: String] = [:]
  /// The place in a box of numbers (3GPP TS 26.244, 8.12).
  var place: PhotoMetadata.Place?

  /// The longest tag that is read, in bytes. The rest of a longer one is ignored.
  static let longest = 1 << 16
  private static let mostKeywords = 1000

  /// Whether a tag is read.
  static func isKnown(_ name: String) -> Bool { names.contains(name.lowercased()) }

  /// Adds a tag, unless there is one of the same name or its name is not known.
  mutating func add(_ value: String?, as name: String) {
    let name = name.lowercased()
    guard Self.names.contains(name), let value, values[name] == nil else { return }
    values[name] = value
  }

  /// What the camera says.
  var metadata: PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.takenAt = value(Self.times).flatMap { $0.contains(":") ? CaptureTime(metadata: $0) : nil }
    metadata.camera = CameraName.joined(make: value(Self.makers), model: value(Self.models))
    metadata.lens = value(Self.lenses)
    metadata.place = value(Self.places).flatMap(PhotoMetadata.Place.init(iso6709:)) ?? place
    return metadata
  }

  /// What people say. XMP comes before it.
  var texts: PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.title = value(Self.titles)
    metadata.caption = value(Self.captions)
    metadata.keywords = value(Self.keywords).map(Self.split) ?? []
    metadata.rating = value(Self.ratings).flatMap(Double.init).flatMap { Int(exactly: $0.rounded()) }
      .flatMap { (1...5).contains($0) ? $0 : nil }
    return metadata
  }

  /// The day or the year of the recording, without a time.
  var day: CaptureTime? { value(Self.times).flatMap { CaptureTime(metadata: $0) } }

  private func value(_ names: [String]) -> String? { names.lazy.compactMap { values[$0] }.first }

  private static func split(_ keywords: String) -> [String] {
    keywords.split(whereSeparator: { $0 == "," || $0 == ";" }).prefix(mostKeywords).compactMap { MetadataText.trim($0) }
  }
}

// The names, those that are preferred first: of Apple's and Android's keys, of QuickTime's and iTunes's items, of 3GPP's boxes,
// and of Matroska's tags.
extension VideoTags {
  private static let times = ["com.apple.quicktime.creationdate", "©day", "date", "date_recorded"]
  private static let makers = ["com.apple.quicktime.make", "com.android.manufacturer", "©mak", "manu", "make"]
  private static let models = ["com.apple.quicktime.model", "com.android.model", "©mod", "modl", "model"]
  private static let lenses = ["com.apple.quicktime.camera.lens_model"]
  private static let places = ["com.apple.quicktime.location.iso6709", "©xyz", "location", "recording_location"]
  private static let titles = [
    "com.apple.quicktime.title", "com.apple.quicktime.displayname", "©nam", "titl", "title",
  ]
  private static let captions = [
    "com.apple.quicktime.description", "©des", "desc", "dscp", "description", "com.apple.quicktime.comment", "©cmt",
    "comment",
  ]
  private static let keywords = ["com.apple.quicktime.keywords", "©key", "keyw", "keywords"]
  private static let ratings = ["com.apple.quicktime.rating.user", "rating"]
  private static let names = Set(
    times + makers + models + lenses + places + titles + captions + keywords + ratings)
}
