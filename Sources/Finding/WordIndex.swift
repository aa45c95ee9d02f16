/// The words that some photos have in one field, each with the photos that have it: so a query is compared with some
/// thousand words, not with all texts.
struct WordIndex: Sendable {
  /// The words one behind the other, and where each ends.
  private let text: [UInt8]
  private let ends: [UInt32]
  /// The letters of each word, to leave most words out at once.
  private let letters: [LetterSet]
  /// The photos of each word one behind the other, and where those of each end.
  private let rows: [UInt16]
  private let rowEnds: [UInt32]

  init(_ builder: WordIndexBuilder) {
    // In no more memory than they need.
    text = builder.text.withUnsafeBufferPointer(Array.init)
    ends = builder.ends.withUnsafeBufferPointer(Array.init)
    letters = builder.letters.withUnsafeBufferPointer(Array.init)
    (rows, rowEnds) = builder.rowsOfWords()
  }

  /// Raises `marks`, of which each photo has one, to that of the best of its words.
  ///
  /// - Parameters:
  ///   - least: The worst match that counts.
  ///   - weight: How much the field counts among equal matches, from 0 to 3.
  func mark(_ pattern: WordPattern, from least: WordPattern.Match, weight: UInt8, _ marks: inout [UInt8]) {
    let needed = LetterSet(pattern.bytes)
    for number in letters.indices where letters[number].contains(needed) {
      let start = number == 0 ? 0 : Int(ends[number - 1])
      let match = text.withUnsafeBufferPointer { text in
        pattern.match(UnsafeBufferPointer(rebasing: text[start..<Int(ends[number])]))
      }
      if match == .none || match < least { continue }
      let mark = match.rawValue << 2 | weight
      let firstRow = number == 0 ? 0 : Int(rowEnds[number - 1])
      for row in rows[firstRow..<Int(rowEnds[number])] { marks[Int(row)] = max(marks[Int(row)], mark) }
    }
  }

  /// Marks the photos that have any word with 1.
  func markAll(_ marks: inout [UInt8]) {
    for row in rows { marks[Int(row)] = 1 }
  }
}

/// Which letters a word has: one bit for each of ASCII, for 0, 1 and 2, for the other digits, for signs, and for all else.
struct LetterSet: Sendable {
  private var bits: UInt32 = 0

  init(_ word: some Sequence<UInt8>) {
    for byte in word { bits |= 1 << Self.bit(byte) }
  }

  func contains(_ other: LetterSet) -> Bool { bits & other.bits == other.bits }

  private static func bit(_ byte: UInt8) -> UInt32 {
    switch byte {
    case 0x61...0x7A: UInt32(byte - 0x61)
    case 0x30...0x39: byte < 0x33 ? UInt32(byte - 0x30) + 26 : 29
    case 0..<0x80: 30
    default: 31
    }
  }
}
