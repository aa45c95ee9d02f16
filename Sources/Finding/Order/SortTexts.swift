import Photos

/// The texts that photos are sorted by, encoded so that the order of the bytes is the order of the texts.
///
/// The texts are folded. Each number is preceded by the count of its digits, so that 2 comes before 10. Eight bytes
/// form one integer, so that they are compared at once.
struct SortTexts: Sendable {
  /// The encoded texts without their first eight bytes. The last integer of each is padded with zeros, which no text
  /// contains.
  private var words: [UInt64] = []
  /// The end of each text in `words`.
  private var ends: [UInt32] = []
  /// The encoded bytes of the text that is being appended.
  private var bytes: [UInt8] = []

  /// Appends the text of the next photo.
  ///
  /// - Returns: The first eight bytes of the encoded text, or nil if it is empty.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
    bytes.removeAll(keepingCapacity: true)
    var digits = 0
    Folding.fold(text) { byte in
      if byte &- 0x30 < 10 { return append(digit: byte, &digits) }
      digits = 0
      if byte > 0 {
        bytes.append(byte)
      } else if let last = bytes.last, last != 0x20 {
        bytes.append(0x20)
      }
    }
    for start in stride(from: 8, to: bytes.count, by: 8) { words.append(word(at: start)) }
    ends.append(UInt32(words.count))
    return bytes.isEmpty ? nil : word(at: 0)
  }

  private func word(at start: Int) -> UInt64 {
    (start..<start + 8).reduce(0) { $0 << 8 | ($1 < bytes.count ? UInt64(bytes[$1]) : 0) }
  }

  /// Appends a digit and updates the count of digits in front of the number.
  /// - Parameter digits: The number of digits so far.
  private mutating func append(digit: UInt8, _ digits: inout Int) {
    if digits == 1, bytes.last == 0x30 {
      // Leading zeros are dropped.
      bytes[bytes.count - 1] = digit
      return
    }
    // The count is one byte, so a number with more digits is split into several.
    if digits == 0 || digits == 0xFF {
      bytes += [0x30, 0]
      digits = 0
    }
    digits += 1
    bytes.append(digit)
    bytes[bytes.count - digits - 1] = UInt8(digits)
  }

  /// Appends the texts of the photos that follow these.
  mutating func append(_ next: SortTexts) {
    let start = UInt32(words.count)
    words += next.words
    ends += next.ends.map { $0 + start }
  }

  /// Calls `body` with a comparison of photos by these texts.
  /// - Parameter first: The photo that the first text belongs to.
  func withComparison<Result>(isAscending: Bool, first: TableIndex = 0, _ body: (KeyOrder) -> Result) -> Result {
    words.withUnsafeBufferPointer { words in
      ends.withUnsafeBufferPointer { ends in
        body(KeyOrder(words: words, ends: ends, first: first, isAscending: isAscending))
      }
    }
  }

  /// A comparison of photos by their keys. It is valid only during ``withComparison(isAscending:first:_:)``.
  struct KeyOrder {
    fileprivate let words: UnsafeBufferPointer<UInt64>
    fileprivate let ends: UnsafeBufferPointer<UInt32>
    fileprivate let first: TableIndex
    fileprivate let isAscending: Bool

    /// Returns whether the first photo comes before the other, or nil if their keys are equal.
    @inline(__always)
    func isBefore(_ one: SortEntry, _ other: SortEntry) -> Bool? {
      if one.prefix != other.prefix { return one.prefix < other.prefix }
      return ends.isEmpty ? nil : isTextBefore(range(of: one), range(of: other))
    }

    private func isTextBefore(_ one: Range<Int>, _ other: Range<Int>) -> Bool? {
      for offset in 0..<min(one.count, other.count) {
        let (word, otherWord) = (words[one.lowerBound + offset], words[other.lowerBound + offset])
        if word != otherWord { return (word < otherWord) == isAscending }
      }
      // If one text is the beginning of the other, the shorter one comes first.
      return one.count == other.count ? nil : (one.count < other.count) == isAscending
    }

    @inline(__always)
    private func range(of entry: SortEntry) -> Range<Int> {
      let place = first.distance(to: entry.index)
      return (place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])
    }
  }
}
