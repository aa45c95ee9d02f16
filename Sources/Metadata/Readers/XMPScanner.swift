#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Collects the values of properties from the tags of an XML text, which may be invalid.
enum XMPScanner {
  /// The most values of one property, and the most tags, that are read.
  private static let (mostValues, mostTags) = (1000, 100_000)

  /// Returns the values of the wanted properties, which are empty for an empty property. A property in several languages has
  /// the value in the default language alone.
  static func properties(of packet: ArraySlice<UInt8>, wanted: WantedNames) -> [String: [String]] {
    var found: [String: [String]] = [:]
    var current: String?
    var rest = packet
    for _ in 0..<mostTags {
      guard let open = rest.firstPlace(of: UInt8(ascii: "<")) else { break }
      if let current, found[current, default: []].count < mostValues, let text = text(rest[..<open]) {
        found[current, default: []].append(text)
      }
      guard let close = rest[open...].firstPlace(of: UInt8(ascii: ">")) else { break }
      let tag = rest[(open + 1)..<close]
      rest = rest[(close + 1)...]
      let name = tag.prefix { !isBlank($0) && $0 != UInt8(ascii: "/") || $0 == tag.first }
      if tag.first == UInt8(ascii: "/") {
        if name.dropFirst().elementsEqual((current ?? "").utf8) { current = nil }
      } else if let property = wanted.name(name), found[property] == nil {
        found[property] = []
        if tag.last != UInt8(ascii: "/") { current = property }
      } else if current != nil {
        guard name.elementsEqual("rdf:li".utf8) else { continue }
        var language: ArraySlice<UInt8>?
        forEachAttribute(of: tag) { name, value in
          if language == nil, name.elementsEqual("xml:lang".utf8) { language = value }
        }
        // The default language usually comes first.
        if let language, let property = current, found[property]?.isEmpty == false {
          if language.elementsEqual("x-default".utf8) { found[property] = [] } else { current = nil }
        }
      } else {
        forEachAttribute(of: tag) { name, value in
          guard let property = wanted.name(name), found[property] == nil else { return }
          found[property] = text(value).map { [$0] } ?? []
        }
      }
    }
    return found
  }

  /// Returns the wanted attributes of each tag that has some.
  static func attributes(of packet: ArraySlice<UInt8>, wanted: WantedNames) -> [[String: String]] {
    var found: [[String: String]] = []
    var rest = packet
    while found.count < mostValues, let open = rest.firstPlace(of: UInt8(ascii: "<")),
      let close = rest[open...].firstPlace(of: UInt8(ascii: ">"))
    {
      var attributes: [String: String] = [:]
      forEachAttribute(of: rest[(open + 1)..<close]) { name, value in
        if let name = wanted.name(name) { attributes[name] = text(value) }
      }
      if !attributes.isEmpty { found.append(attributes) }
      rest = rest[(close + 1)...]
    }
    return found
  }

  private static func forEachAttribute(
    of tag: ArraySlice<UInt8>, _ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void
  ) {
    var rest = tag.drop { !isBlank($0) }
    while let equals = rest.firstPlace(of: UInt8(ascii: "=")) {
      var name = rest[..<equals].drop(while: isBlank)
      while let last = name.last, isBlank(last) { name.removeLast() }
      rest = rest[(equals + 1)...].drop(while: isBlank)
      guard let quote = rest.popFirst(), let end = rest.firstPlace(of: quote) else { break }
      body(name, rest[..<end])
      rest = rest[(end + 1)...]
    }
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

/// The names of properties, which are compared with the names in a packet byte by byte: most of those are others.
struct WantedNames {
  private let names: [(text: String, bytes: [UInt8])]

  init(_ names: [String]) { self.names = names.map { ($0, Array($0.utf8)) } }

  /// Returns the name that these bytes are, or nil if it is not wanted.
  func name(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let last = bytes.last else { return nil }
    return names.first { $0.bytes.count == bytes.count && $0.bytes.last == last && $0.bytes.elementsEqual(bytes) }?.text
  }
}

extension ArraySlice<UInt8> {
  /// Returns the index of the first byte of this value, as `firstIndex(of:)` does, but looks at many bytes at once.
  fileprivate func firstPlace(of byte: UInt8) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let place = memchr(start, Int32(byte), bytes.count) else { return nil }
      return startIndex + (UnsafeRawPointer(place) - start)
    }
  }

  /// Returns whether the bytes contain an ASCII text, which is found faster than tags are read.
  func contains(_ text: StaticString) -> Bool {
    let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    var rest = self
    while let first = text.first, let place = rest.firstPlace(of: first) {
      rest = rest[place...]
      if rest.starts(with: text) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
