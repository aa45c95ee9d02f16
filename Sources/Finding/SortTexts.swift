/// The texts that photos are sorted by, as bytes whose order is that of the texts: folded, and each number as how many
/// digits it has and then these, so that 2 comes before 10. Eight bytes are one number, to compare as many at a time.
struct SortTexts: Sendable {
  /// Of each text what is behind its first eight bytes, the last filled up with zeros, which no text has.
  private var words: [UInt64] = []
  /// Where each text ends.
  private var ends: [UInt32] = []
  /// The text that is being added.
  private var bytes: [UInt8] = []

  /// Adds the text of the next photo.
  ///
  /// - Returns: Its first eight bytes; nil if there is no text.
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

  /// - Parameter digits: How many of this number are there already.
  private mutating func append(digit: UInt8, _ digits: inout Int) {
    if digits == 1, bytes.last == 0x30 {
      // A zero in front.
      bytes[bytes.count - 1] = digit
      return
    }
    // A number that is longer than any count is two.
    if digits == 0 || digits == 0xFF {
      bytes += [0x30, 0]
      digits = 0
    }
    digits += 1
    bytes.append(digit)
    bytes[bytes.count - digits - 1] = UInt8(digits)
  }

  /// Adds the texts of the photos after these.
  mutating func append(_ next: SortTexts) {
    let start = UInt32(words.count)
    words += next.words
    ends += next.ends.map { $0 + start }
  }

  /// - Parameter first: The index in its table of the photo whose text is the first.
  func withComparison<Result>(isAscending: Bool, first: Int = 0, _ body: (Comparison) -> Result) -> Result {
    words.withUnsafeBufferPointer { words in
      ends.withUnsafeBufferPointer { ends in
        body(Comparison(words: words, ends: ends, first: first, isAscending: isAscending))
      }
    }
  }

  /// Compares photos by their keys; valid as long as the texts are lent.
  struct Comparison {
    fileprivate let words: UnsafeBufferPointer<UInt64>
    fileprivate let ends: UnsafeBufferPointer<UInt32>
    fileprivate let first: Int
    fileprivate let isAscending: Bool

    /// Nil if both have the same key.
    @inline(__always)
    func isBefore(_ one: SortedRun.Entry, _ other: SortedRun.Entry) -> Bool? {
      if one.prefix != other.prefix { return one.prefix < other.prefix }
      return ends.isEmpty ? nil : isTextBefore(range(of: one), range(of: other))
    }

    private func isTextBefore(_ one: Range<Int>, _ other: Range<Int>) -> Bool? {
      for offset in 0..<min(one.count, other.count) {
        let (word, otherWord) = (words[one.lowerBound + offset], words[other.lowerBound + offset])
        if word != otherWord { return (word < otherWord) == isAscending }
      }
      // Of the two that are the same so far the shorter comes first.
      return one.count == other.count ? nil : (one.count < other.count) == isAscending
    }

    @inline(__always)
    private func range(of entry: SortedRun.Entry) -> Range<Int> {
      let place = Int(entry.index) - first
      return (place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])
    }
  }
}
