import Gallery

/// The texts in a movie's user data and in its metadata: boxes of Apple (QuickTime File Format, "Metadata"; those of iTunes) and of
/// 3GPP (TS 26.244, 8).
struct QuickTimeItems {
  private(set) var tags = VideoTags()
  /// The names of the items in the current list, whose types are numbers.
  private var keys: [String] = []

  /// The most names that are read.
  private static let mostKeys = 1000

  /// Forgets the names of a list, since each list has names of its own.
  mutating func removeKeys() { keys = [] }

  mutating func read(_ box: Box<Range<Int>>, in outer: String, of file: ImageFile) {
    func bytes() -> ArraySlice<UInt8> {
      file.bytes(at: box.content.lowerBound, count: min(box.content.count, VideoTags.longest))
    }
    switch (outer, box.type) {
    case ("meta", "keys"): readKeys(bytes())
    case ("ilst", _):
      // The type of an item with a name is its number.
      let index = file.number(at: box.content.lowerBound - 4, count: 4, .bigEndian) - 1
      let name = keys.indices.contains(index) ? keys[index] : box.type
      if VideoTags.isKnown(name) { tags.add(Self.value(bytes()), as: name) }
    case ("udta", "loci"): tags.place = tags.place ?? Self.place(bytes())
    case ("udta", let name) where VideoTags.isKnown(name):
      let bytes = bytes()
      tags.add(name.first == "©" ? Self.international(bytes) : Self.text(Self.withoutLanguage(bytes)), as: name)
    default: break
    }
  }

  private mutating func readKeys(_ bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes.dropFirst(8))
    while keys.count < Self.mostKeys, let size = reader.number(4), size >= 8, reader.bytes(4) != nil,
      let name = reader.bytes(size - 8)
    {
      keys.append(String(decoding: name, as: UTF8.self))
    }
  }

  /// Returns the value of an item: a text, or a number.
  private static func value(_ bytes: ArraySlice<UInt8>) -> String? {
    var reader = ByteReader(bytes)
    guard let box = reader.box(), box.type == "data", box.content.count > 8 else { return nil }
    var content = ByteReader(box.content)
    let type = content.number(4)
    content.skip(4)
    switch (type, content.rest.count) {
    case (21, 1...4), (22, 1...4): return "\(content.rest.number(.bigEndian))"
    case (23, 4): return "\(Float(bitPattern: UInt32(content.rest.number(.bigEndian))))"
    case (24, 8): return "\(Double(bitPattern: UInt64(bitPattern: Int64(content.rest.number(.bigEndian)))))"
    case (2, _): return MetadataText.decode(Array(String(decoding: content.rest.utf16, as: UTF16.self).utf8))
    default: return text(content.rest)
    }
  }

  /// Returns the first of the texts in a box, each of which has a length and a language. Some cameras write a bare text.
  private static func international(_ bytes: ArraySlice<UInt8>) -> String? {
    var reader = ByteReader(bytes)
    if let count = reader.number(2), count > 0, reader.bytes(2) != nil, let text = reader.bytes(count) {
      return Self.text(text)
    }
    return text(bytes)
  }

  /// Returns the text behind the version and the language of a box of 3GPP, which boxes of other makers don't have.
  private static func withoutLanguage(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.starts(with: [0, 0, 0, 0]) ? bytes.dropFirst(6) : bytes
  }

  /// Returns the text before the first zero, in UTF-8, or in UTF-16 with a mark.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    if bytes.starts(with: [0xFE, 0xFF]) {
      let text = String(decoding: bytes.dropFirst(2).utf16.prefix { $0 != 0 }, as: UTF16.self)
      return MetadataText.trim(text)
    }
    return MetadataText.decode(bytes.prefix { $0 != 0 })
  }

  /// Returns the place in a box of 3GPP, whose numbers have 16 bits of a fraction.
  private static func place(_ bytes: ArraySlice<UInt8>) -> PhotoMetadata.Place? {
    var rest = bytes.dropFirst(6)
    // A name comes first.
    if rest.starts(with: [0xFE, 0xFF]) {
      guard let end = rest.utf16.firstIndex(of: 0) else { return nil }
      rest = rest.dropFirst(2 * end + 2)
    } else {
      guard let end = rest.firstIndex(of: 0) else { return nil }
      rest = rest[(end + 1)...]
    }
    var reader = ByteReader(rest.dropFirst())
    let numbers = (0..<3).map { _ in reader.number(4).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 } }
    return PhotoMetadata.Place(latitude: numbers[1], longitude: numbers[0], altitude: numbers[2])
  }
}

extension ArraySlice<UInt8> {
  /// The big-endian numbers of two bytes each.
  fileprivate var utf16: [UInt16] {
    stride(from: startIndex, to: endIndex - 1, by: 2).map { UInt16(self[$0]) << 8 | UInt16(self[$0 + 1]) }
  }
}
