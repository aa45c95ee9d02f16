/// Collects the values of properties from the tags of an XML text, which may be invalid.
enum XMPScanner {
  /// The most values of one property, and the most tags, that are read.
  private static let (mostValues, mostTags) = (1000, 100_000)

  /// Returns the values of the wanted properties. A property in several languages has the value in the default language
  /// alone.
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
        // The default language usually comes first.
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

  /// Returns the text without white space around it, or nil if nothing is left.
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
