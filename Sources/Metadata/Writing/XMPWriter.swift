import Gallery

/// A new XMP packet with some of the properties of a photo (XMP Specification, parts 1 and 2; IPTC Photo Metadata Standard
/// 2021.1).
struct XMPWriter {
  /// The form of a property's value.
  enum Form: String {
    case text = ""
    case bag = "Bag"
    case sequence = "Seq"
    /// A text in the default language.
    case alternatives = "Alt"
  }

  /// A property that is written.
  struct Property {
    let name: String
    let form: Form
    /// The least metadata that the property belongs to: with ``ExportSpecification/Metadata/all`` for a place.
    let kind: ExportSpecification.Metadata
    /// The number of the same value in record 2 of IPTC's Information Interchange Model 4.2; nil if there is none.
    let dataSet: Int?
  }

  private static func property(
    _ name: String, _ form: Form = .text, _ kind: ExportSpecification.Metadata = .withoutPlace, iptc: Int? = nil
  ) -> Property {
    Property(name: name, form: form, kind: kind, dataSet: iptc)
  }

  /// The properties, in the order of the packet.
  static let properties = [
    property("dc:creator", .sequence, .copyright, iptc: 80),
    property("dc:rights", .alternatives, .copyright, iptc: 116),
    property("xmpRights:Marked", .text, .copyright), property("xmpRights:WebStatement", .text, .copyright),
    property("xmpRights:UsageTerms", .alternatives, .copyright), property("xmpRights:Owner", .bag, .copyright),
    property("photoshop:Credit", .text, .copyright, iptc: 110),
    property("photoshop:AuthorsPosition", .text, .copyright, iptc: 85),
    property("photoshop:Source", .text, .copyright, iptc: 115),
    property("xmp:Rating"), property("xmp:Label"), property("dc:title", .alternatives, iptc: 5),
    property("dc:description", .alternatives, iptc: 120), property("dc:subject", .bag, iptc: 25),
    property("lr:hierarchicalSubject", .bag), property("Iptc4xmpCore:AltTextAccessibility", .alternatives),
    property("Iptc4xmpCore:ExtDescrAccessibility", .alternatives),
    property("photoshop:Headline", iptc: 105), property("photoshop:Instructions", iptc: 40),
    property("photoshop:CaptionWriter", iptc: 122), property("photoshop:TransmissionReference", iptc: 103),
    property("photoshop:DateCreated"), property("xmp:CreateDate"), property("Iptc4xmpCore:IntellectualGenre"),
    property("Iptc4xmpCore:Scene", .bag), property("Iptc4xmpCore:SubjectCode", .bag),
    property("Iptc4xmpExt:Event", .alternatives), property("Iptc4xmpExt:PersonInImage", .bag),
    property("Iptc4xmpCore:Location", .text, .all, iptc: 92), property("photoshop:City", .text, .all, iptc: 90),
    property("photoshop:State", .text, .all, iptc: 95), property("photoshop:Country", .text, .all, iptc: 101),
    property("Iptc4xmpCore:CountryCode", .text, .all, iptc: 100),
    property("exif:GPSLatitude", .text, .all), property("exif:GPSLongitude", .text, .all),
    property("exif:GPSAltitude", .text, .all), property("exif:GPSAltitudeRef", .text, .all),
  ]

  private static let names = WantedNames(properties.map(\.name))

  private static let namespaces = [
    "dc": "http://purl.org/dc/elements/1.1/", "xmp": "http://ns.adobe.com/xap/1.0/",
    "xmpRights": "http://ns.adobe.com/xap/1.0/rights/", "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "lr": "http://ns.adobe.com/lightroom/1.0/", "exif": "http://ns.adobe.com/exif/1.0/",
    "Iptc4xmpCore": "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
    "Iptc4xmpExt": "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
  ]

  /// The most bytes of the properties. XMP in a JPEG has 64 kB.
  private static let mostBytes = 60_000

  private var values: [String: [String]]

  /// - Parameters:
  ///   - packet: The packet of the photo's file, or nothing.
  ///   - shown: The metadata that count before those of the file.
  ///   - former: The time at which the photo was taken in the file; nil if it has none.
  init(
    _ kind: ExportSpecification.Metadata, packet: ArraySlice<UInt8>, iptc: IPTCMetadata?, shown: PhotoMetadata,
    former: CaptureTime?
  ) {
    values = packet.isEmpty ? [:] : XMPScanner.properties(of: packet, wanted: Self.names)
    for property in Self.properties where values[property.name, default: []].isEmpty {
      values[property.name] = property.dataSet.flatMap { iptc?.texts[$0] }
    }
    // Other programs read these before the flat keywords, which the user may have changed.
    if values["dc:subject", default: []] != shown.keywords { values["lr:hierarchicalSubject"] = nil }
    values["xmp:Rating"] = shown.rating.map { [String($0)] }
    values["xmp:Label"] = shown.label.map { [$0] }
    for text in IPTCText.all {
      let value = text.value(of: shown)
      // Servers and catalogs say none of the others, so that those of the file count.
      if value == nil, text.decision != .title, text.decision != .altText { continue }
      values[text.property] = value.map { text.form == .names ? IPTCText.names(in: $0) : [$0] }
    }
    correctTime(from: former, to: shown.takenAt)
    correctPlace(to: shown.place)
    values["dc:description"] = shown.caption.map { [$0] }
    values["dc:subject"] = shown.keywords
    for property in Self.properties where !kind.includes(property.kind) { values[property.name] = nil }
  }

  /// Replaces the times that were the old one, if the user has corrected it. Those of scanning stay.
  private mutating func correctTime(from former: CaptureTime?, to time: CaptureTime?) {
    guard let former, let time, abs(former.clock - time.clock) >= 1 || former.offset != time.offset else { return }
    for name in ["photoshop:DateCreated", "xmp:CreateDate"] {
      let said = values[name]?.first.flatMap { CaptureTime(metadata: $0) }
      if let said, abs(said.clock - former.clock) < 1 { values[name] = [time.iso8601] }
    }
  }

  /// Replaces the position that the packet has, if the user has corrected it. Exif has it in any case.
  private mutating func correctPlace(to place: PhotoMetadata.Place?) {
    let own = PhotoMetadata.Place(
      latitude: values["exif:GPSLatitude"]?.first.flatMap(XMPPosition.latitude),
      longitude: values["exif:GPSLongitude"]?.first.flatMap(XMPPosition.longitude),
      altitude: values["exif:GPSAltitude"]?.first.flatMap(XMPPosition.altitude))
    guard let own, let place, own.isFar(from: place) else { return }
    values["exif:GPSLatitude"] = [XMPPosition.latitude(place.latitude)]
    values["exif:GPSLongitude"] = [XMPPosition.longitude(place.longitude)]
    values["exif:GPSAltitude"] = place.altitude.map { [XMPPosition.altitude(abs($0))] }
    values["exif:GPSAltitudeRef"] = place.altitude.map { [$0 < 0 ? "1" : "0"] }
  }

  /// The packet, or nothing if it has no property.
  var bytes: [UInt8] {
    var elements = Self.properties.compactMap { property in
      values[property.name].flatMap { Self.element(property, $0) }
    }
    while elements.reduce(0, { $0 + $1.utf8.count }) > Self.mostBytes,
      let longest = elements.indices.max(by: { elements[$0].utf8.count < elements[$1].utf8.count })
    {
      elements.remove(at: longest)
    }
    guard !elements.isEmpty else { return [] }
    let prefixes = Self.namespaces.keys.sorted().filter { prefix in elements.contains { $0.hasPrefix("   <\(prefix):") }
    }
    let packet = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Tintype">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""\(prefixes.map { "\n    xmlns:\($0)=\"\(Self.namespaces[$0]!)\"" }.joined())>
      \(elements.joined(separator: "\n"))
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """
    return Array(packet.utf8)
  }

  private static func element(_ property: Property, _ values: [String]) -> String? {
    guard let first = values.first else { return nil }
    let name = property.name
    let language = property.form == .alternatives ? " xml:lang=\"x-default\"" : ""
    let items = (property.form == .alternatives ? [first] : values).map { "<rdf:li\(language)>\(escaped($0))</rdf:li>" }
    let array = "rdf:\(property.form.rawValue)"
    let content = property.form == .text ? escaped(first) : "<\(array)>\(items.joined())</\(array)>"
    return "   <\(name)>\(content)</\(name)>"
  }

  /// Returns a text as XML 1.0 writes it, which has no control characters.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\t", "\n", "\r": result.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension ExportSpecification.Metadata {
  /// Whether metadata of another kind belong to this one, which is greater the lower its number is.
  fileprivate func includes(_ other: Self) -> Bool { rawValue <= other.rawValue }
}
