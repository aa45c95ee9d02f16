/// The distinct words that some photos have in one field, each with the photos that contain it.
///
/// A query is compared with a few thousand distinct words instead of with all texts.
struct WordIndex: Sendable {
  /// The words, one after another.
  private let text: [UInt8]
  /// The end of each word in `text`.
  private let ends: [UInt32]
  /// The letters of each word, which rule out most words at once.
  private let letters: [LetterSet]
  /// The photos of each word, one list after another.
  private let rows: [UInt16]
  /// The end of each word's list in `rows`.
  private let rowEnds: [UInt32]

  init(_ builder: WordIndexBuilder) {
    // The copies have no spare capacity.
    text = builder.text.withUnsafeBufferPointer(Array.init)
    ends = builder.ends.withUnsafeBufferPointer(Array.init)
    letters = builder.letters.withUnsafeBufferPointer(Array.init)
    (rows, rowEnds) = builder.rowsOfWords()
  }

  /// Raises the mark of each photo to that of its best word.
  ///
  /// - Parameters:
  ///   - least: The worst match that counts.
  ///   - weight: The weight of the field among equal matches, from 0 to 3.
  ///   - marks: One mark for each photo.
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

  /// Sets the mark of each photo that has any word to 1.
  func markAll(_ marks: inout [UInt8]) {
    for row in rows { marks[Int(row)] = 1 }
  }
}

/// The set of letters in a word.
///
/// Each ASCII letter has a bit, and so has each of the digits 0, 1, and 2. The other digits share a bit, the rest of
/// ASCII shares one, and all other characters share one.
struct LetterSet: Sendable {
  private var bits: UInt32 = 0

  init(_ word: some Sequence<UInt8>) {
    for byte in word { bits |= 1 << Self.bit(byte) }
  }

  /// Returns whether this set has all letters of another.
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
