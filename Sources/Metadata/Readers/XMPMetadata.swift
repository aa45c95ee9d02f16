import Gallery

/// The metadata of an XMP packet (XMP Specification, part 1: properties of RDF as elements or as attributes).
///
/// Properties are found by the prefixes that the specification gives them. Namespaces are not resolved, and the XML need not
/// be valid.
struct XMPMetadata {
  private(set) var metadata = PhotoMetadata()
  /// Whether the packet has keywords, a caption or a label without a value.
  private var hasEmpty = (keywords: false, caption: false, label: false)
  /// The texts that the packet has without a value.
  private var emptyTexts: [IPTCText] = []

  init(_ packet: ArraySlice<UInt8>) {
    if packet.isEmpty { return }
    let properties = XMPScanner.properties(of: packet, wanted: Self.names)
    if properties.isEmpty { return }
    func text(_ names: String...) -> String? {
      for name in names { if let text = properties[name]?.first { return text } }
      return nil
    }
    func number(_ name: String) -> Double? { text(name).flatMap(XMPPosition.number).flatMap { $0 > 0 ? $0 : nil } }
    metadata.takenAt =
      ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate", "xap:CreateDate"].lazy
      .compactMap { text($0) }.compactMap { CaptureTime(metadata: $0) }.first
    metadata.camera = CameraName.joined(make: text("tiff:Make"), model: text("tiff:Model"))
    metadata.lens = text("exifEX:LensModel", "aux:Lens")
    metadata.exposureTime = number("exif:ExposureTime")
    metadata.fNumber = number("exif:FNumber")
    metadata.focalLength = number("exif:FocalLength")
    metadata.exposureBias = text("exif:ExposureBiasValue").flatMap(XMPPosition.number).flatMap {
      PhotoMetadata.exposureBiases.contains($0) ? $0 : nil
    }
    metadata.iso = (number("exifEX:PhotographicSensitivity") ?? number("exif:ISOSpeedRatings")).flatMap {
      Int(exactly: $0)
    }
    let altitude = text("exif:GPSAltitude").flatMap(XMPPosition.number)
    metadata.place = PhotoMetadata.Place(
      latitude: text("exif:GPSLatitude").flatMap(XMPPosition.latitude),
      longitude: text("exif:GPSLongitude").flatMap(XMPPosition.longitude),
      altitude: text("exif:GPSAltitudeRef") == "1" ? altitude.map { -$0 } : altitude)
    metadata.caption = text("dc:description")
    for text in IPTCText.all { text.set(properties[text.property].flatMap(text.text), of: &metadata) }
    emptyTexts = IPTCText.all.filter { properties[$0.property]?.isEmpty == true }
    metadata.keywords =
      properties["dc:subject"] ?? properties["digiKam:TagsList"]?.lastLevels("/")
      ?? properties["lr:hierarchicalSubject"]?.lastLevels("|") ?? []
    let rating = PhotoDecisions(xmp: { properties[$0] ?? Self.otherNames[$0].flatMap { properties[$0] } })
    metadata.rating = rating.rating
    metadata.label = rating.label
    metadata.chosenOrientation = text("tiff:Orientation").flatMap { Int($0) }
    metadata.crop = PhotoCrop(xmp: { properties[$0] })?.text
    hasEmpty.keywords = properties["dc:subject"]?.isEmpty == true
    hasEmpty.caption = properties["dc:description"]?.isEmpty == true
    hasEmpty.label = properties["xmp:Label"]?.isEmpty == true
  }

  /// Removes from the metadata of a photo what this packet, its sidecar, has without a value: the user has removed it, and
  /// the file still has it.
  func removeEmpty(from photo: inout PhotoMetadata) {
    if hasEmpty.keywords { photo.keywords = [] }
    if hasEmpty.caption { photo.caption = nil }
    if hasEmpty.label { photo.label = nil }
    for text in emptyTexts { text.set(nil, of: &photo) }
  }

  /// The prefixes of an older version of the specification.
  private static let otherNames = [
    "xmp:Rating": "xap:Rating", "xmp:Label": "xap:Label", "xmp:CreateDate": "xap:CreateDate",
  ]

  private static let names = WantedNames(
    standardNames + IPTCText.all.map(\.property) + PhotoDecisions.xmpNames + PhotoCrop.xmpNames + otherNames.values)

  private static let standardNames = [
    "exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate", "tiff:Make", "tiff:Model", "exifEX:LensModel",
    "aux:Lens", "exif:ExposureTime", "exif:FNumber", "exif:FocalLength", "exifEX:PhotographicSensitivity",
    "exif:ISOSpeedRatings", "exif:GPSLatitude", "exif:GPSLongitude", "exif:GPSAltitude", "exif:GPSAltitudeRef",
    "dc:description", "dc:subject", "tiff:Orientation", "exif:ExposureBiasValue", "digiKam:TagsList",
    "lr:hierarchicalSubject",
  ]
}

extension [String] {
  /// Returns the last level of each keyword of a program that writes the levels above it, too.
  fileprivate func lastLevels(_ separator: Character) -> [String] {
    compactMap { $0.split(separator: separator).last.map(String.init) }
  }
}
