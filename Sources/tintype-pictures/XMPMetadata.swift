import Gallery

/// What an XMP packet says (XMP Specification, part 1: properties of RDF as elements or as attributes).
///
/// Only the properties that are wanted are looked for, by the names that the specification gives them; namespaces are
/// not resolved, and nothing has to be in order.
struct XMPMetadata {
  var metadata = PhotoMetadata()

  init(_ packet: ArraySlice<UInt8>) {
    let properties = XMPScanner.properties(of: packet, wanted: Self.names)
    func text(_ names: String...) -> String? { names.lazy.compactMap { properties[$0]?.first }.first }
    func number(_ name: String) -> Double? { text(name).flatMap(Self.number).flatMap { $0 > 0 ? $0 : nil } }
    metadata.takenAt =
      ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"].lazy
      .compactMap { text($0) }.compactMap { CaptureTime(metadata: $0) }.first
    metadata.camera = MetadataText.camera(make: text("tiff:Make"), model: text("tiff:Model"))
    metadata.lens = text("exifEX:LensModel", "aux:Lens")
    metadata.exposureTime = number("exif:ExposureTime")
    metadata.fNumber = number("exif:FNumber")
    metadata.focalLength = number("exif:FocalLength")
    metadata.iso = (number("exifEX:PhotographicSensitivity") ?? number("exif:ISOSpeedRatings")).flatMap {
      Int(exactly: $0)
    }
    let altitude = text("exif:GPSAltitude").flatMap(Self.number)
    metadata.place = PhotoMetadata.Place(
      latitude: text("exif:GPSLatitude").flatMap { Self.degrees($0, "N", "S") },
      longitude: text("exif:GPSLongitude").flatMap { Self.degrees($0, "E", "W") },
      altitude: text("exif:GPSAltitudeRef") == "1" ? altitude.map { -$0 } : altitude)
    metadata.title = text("dc:title")
    metadata.caption = text("dc:description")
    metadata.keywords = properties["dc:subject"] ?? []
    metadata.rating = text("xmp:Rating", "xap:Rating").flatMap(Double.init).flatMap { stars in
      (-1...5).contains(stars) ? Int(stars.rounded()) : nil
    }
    metadata.label = text("xmp:Label", "xap:Label")
  }

  private static let names: Set<String> = [
    "exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate", "tiff:Make", "tiff:Model", "exifEX:LensModel",
    "aux:Lens", "exif:ExposureTime", "exif:FNumber", "exif:FocalLength", "exifEX:PhotographicSensitivity",
    "exif:ISOSpeedRatings", "exif:GPSLatitude", "exif:GPSLongitude", "exif:GPSAltitude", "exif:GPSAltitudeRef",
    "dc:title", "dc:description", "dc:subject", "xmp:Rating", "xap:Rating", "xmp:Label", "xap:Label",
  ]

  /// A number, or a fraction: `1/200`.
  private static func number(_ text: String) -> Double? {
    let parts = text.split(separator: "/").map { Double($0) ?? .nan }
    let value = parts.count == 2 ? parts[0] / parts[1] : parts.first ?? .nan
    return value.isFinite ? value : nil
  }

  /// `59,25.5N` or `59,25,30N` (XMP Specification, part 2, "GPSCoordinate").
  private static func degrees(_ text: String, _ positive: Character, _ negative: Character) -> Double? {
    guard let direction = text.last, direction == positive || direction == negative else { return nil }
    let parts = text.dropLast().split(separator: ",").map { Double($0) ?? .nan }
    let value = zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    guard !parts.isEmpty, value.isFinite, parts.allSatisfy({ $0 >= 0 }), parts.dropFirst().allSatisfy({ $0 <= 60 })
    else {
      return nil
    }
    return direction == negative ? -value : value
  }
}

/// Goes through the tags of an XML text, whatever is wrong with it, and collects what stands in some of them.
enum XMPScanner {
  /// No more values of one property, and no more tags, are looked at.
  private static let (mostValues, mostTags) = (1000, 100_000)

  /// The values of the wanted properties; of one with several languages, the default one's alone.
  static func properties(of packet: ArraySlice<UInt8>, wanted: Set<String>) -> [String: [String]] {
    var found: [String: [String]] = [:]
    var current: String?
    var rest = packet
    for _ in 0..<mostTags {
      guard let open = rest.firstIndex(of: UInt8(ascii: "<")) else { break }
      if let current, found[current, default: []].count < mostValues, let text = text(rest[..<open]) {
        found[current, default: []].append(text)
      }
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { break }
      let tag = rest[(open + 1)..<close]
      rest = rest[(close + 1)...]
      let name = String(
        decoding: tag.prefix { !isBlank($0) && $0 != UInt8(ascii: "/") || $0 == tag.first }, as: UTF8.self)
      if tag.first == UInt8(ascii: "/") {
        if name.dropFirst() == current ?? "" { current = nil }
      } else if wanted.contains(name), found[name] == nil, tag.last != UInt8(ascii: "/") {
        current = name
      } else if current != nil, name == "rdf:li" {
        let language = attributes(tag).first { $0.name == "xml:lang" }?.value
        // The default comes first, mostly.
        if let language, let property = current, found[property] != nil {
          if language.elementsEqual("x-default".utf8) { found[property] = nil } else { current = nil }
        }
      } else if current == nil {
        for (name, value) in attributes(tag) where wanted.contains(name) && found[name] == nil {
          if let text = text(value) { found[name] = [text] }
        }
      }
    }
    return found
  }

  private static func attributes(_ tag: ArraySlice<UInt8>) -> [(name: String, value: ArraySlice<UInt8>)] {
    var result: [(name: String, value: ArraySlice<UInt8>)] = []
    var rest = tag.drop { !isBlank($0) }
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = rest[..<equals].filter { !isBlank($0) }
      rest = rest[(equals + 1)...].drop(while: isBlank)
      guard let quote = rest.popFirst(), let end = rest.firstIndex(of: quote) else { break }
      result.append((String(decoding: name, as: UTF8.self), rest[..<end]))
      rest = rest[(end + 1)...]
    }
    return result
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  /// Nil where there is nothing but white space.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.contains(where: { !isBlank($0) }), let text = MetadataText.decode(bytes) else { return nil }
    return text.contains("&") ? MetadataText.trim(resolvingEntities(text)) : text
  }

  private static func resolvingEntities(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      guard let end = rest[start...].prefix(12).firstIndex(of: ";") else {
        result += "&"
        rest = rest[rest.index(after: start)...]
        continue
      }
      let name = rest[rest.index(after: start)..<end]
      result += character(name) ?? String(rest[start...end])
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> String? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
      guard name.hasPrefix("#"), let value = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10) else { return nil }
      return Unicode.Scalar(value).map { String(Character($0)) }
    }
  }
}
