/// An element of a file in EBML (RFC 8794).
struct EBMLElement {
  /// The identifier with its marker bit.
  let id: Int
  /// The place of the content. An element of unknown size has all of the place in which it was found.
  let content: Range<Int>
  /// Whether the size is known.
  let hasSize: Bool

  /// The longest identifier and size, in bytes.
  private static let longestHead = 12

  /// Reads the first element in a place of the file, which may claim more bytes than the place has. Returns nil if there is none.
  init?(_ file: ImageFile, in place: Range<Int>) {
    let head = file.bytes(at: place.lowerBound, count: min(place.count, Self.longestHead))
    guard let first = head.first, first.leadingZeroBitCount < 4 else { return nil }
    let idCount = first.leadingZeroBitCount + 1
    let rest = head.dropFirst(idCount)
    guard let mark = rest.first, mark != 0, rest.count > mark.leadingZeroBitCount else { return nil }
    let count = mark.leadingZeroBitCount + 1
    id = head.prefix(idCount).number(.bigEndian)
    let mask = 1 << (7 * count) - 1
    let size = rest.prefix(count).number(.bigEndian) & mask
    let start = place.lowerBound + idCount + count
    hasSize = size != mask
    // No file is larger, and sums of two such sizes don't overflow.
    guard start <= place.upperBound, !hasSize || size <= 1 << 48 else { return nil }
    content = start..<(hasSize ? start + size : place.upperBound)
  }
}

extension ImageFile {
  /// Returns an unsigned number of EBML, or nil if it has more than eight bytes or is larger than an `Int`.
  func ebmlNumber(_ place: Range<Int>) -> Int? {
    guard place.count <= 8, let value = wholeNumber(at: place.lowerBound, count: place.count, .bigEndian) else {
      return nil
    }
    return value >= 0 ? value : nil
  }

  /// Returns a floating-point number of EBML.
  func ebmlReal(_ place: Range<Int>) -> Double? {
    guard let bits = wholeNumber(at: place.lowerBound, count: min(place.count, 8), .bigEndian) else { return nil }
    switch place.count {
    case 4: return Double(Float(bitPattern: UInt32(bits)))
    case 8: return Double(bitPattern: UInt64(bitPattern: Int64(bits)))
    default: return nil
    }
  }

  /// Returns a text of EBML, of at most ``VideoTags/longest`` bytes.
  func ebmlText(_ place: Range<Int>) -> String? {
    MetadataText.decode(bytes(at: place.lowerBound, count: min(place.count, VideoTags.longest)).prefix { $0 != 0 })
  }
}
