import Gallery

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
  ///   - scores: The score of each photo. The mark of a photo with a score of 0 may stay as it is.
  ///   - marks: One mark for each photo.
  func mark(
    _ pattern: WordPattern, from least: WordPattern.Match, weight: UInt8, among scores: [UInt16], _ marks: inout [UInt8]
  ) {
    forEachWord(with: LetterSet(pattern.bytes)) { word, rows in
      // Most file names belong to one photo, and need no comparison if an earlier word has ruled it out.
      if rows.count == 1, scores[Int(rows[0])] == 0 { return }
      let match = pattern.match(word)
      if match == .none || match < least { return }
      let mark = match.mark(weight: weight)
      marks.withUnsafeMutableBufferPointer { marks in
        for row in rows { marks[Int(row)].raise(to: mark) }
      }
    }
  }

  /// Returns the word that is most like another one, with the number of typing errors by which it differs; nil if none is like
  /// it. Words with digits are left out, since most of them number something.
  func nearest(to word: [UInt8], atMost most: Int) -> (word: [UInt8], distance: Int)? {
    let wanted = LetterSet(word)
    var best: (word: [UInt8], distance: Int)?
    for number in letters.indices where letters[number].differences(from: wanted) <= 2 * most {
      let candidate = text[range(of: number, in: ends)]
      let limit = best.map { $0.distance - 1 } ?? most
      guard abs(candidate.count - word.count) <= limit, !candidate.contains(where: \.isDigit),
        let distance = Spelling.distance(word, candidate, atMost: limit)
      else { continue }
      best = (Array(candidate), distance)
    }
    return best
  }

  /// Calls `body` with each word that begins with some letters, and with the number of photos that contain it.
  func forEachWord(beginningWith letters: [UInt8], _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void) {
    forEachWord(with: LetterSet(letters)) { word, rows in if word.starts(with: letters) { body(word, rows.count) } }
  }

  /// Calls `body` with each word that has all of some letters, and with the photos that contain it.
  @inline(__always)
  private func forEachWord(
    with needed: LetterSet, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt16>) -> Void
  ) {
    text.withUnsafeBufferPointer { text in
      rows.withUnsafeBufferPointer { rows in
        letters.withUnsafeBufferPointer { letters in
          for number in letters.indices where letters[number].contains(needed) {
            body(
              UnsafeBufferPointer(rebasing: text[range(of: number, in: ends)]),
              UnsafeBufferPointer(rebasing: rows[range(of: number, in: rowEnds)]))
          }
        }
      }
    }
  }

  private func range(of number: Int, in ends: [UInt32]) -> Range<Int> {
    (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
  }

  /// Sets the mark of each photo that has any word to 1.
  func markAll(_ marks: inout [UInt8]) {
    for row in rows { marks[Int(row)] = 1 }
  }
}

extension UInt8 {
  /// Sets this to the larger of itself and another number.
  ///
  /// The sign of the difference is used as a mask, because the compiler makes a branch of `max`, which takes several
  /// times as long where no processor can predict it.
  @inline(__always)
  fileprivate mutating func raise(to other: UInt8) {
    let difference = Int32(other) &- Int32(self)
    self = UInt8(truncatingIfNeeded: Int32(self) &+ (difference & ~(difference >> 31)))
  }
}
