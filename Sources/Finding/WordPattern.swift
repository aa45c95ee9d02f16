/// A word that is looked for, as it is compared with the words of texts.
///
/// It matches a word that has all its letters in their order. How well is told in steps: the whole word, its beginning,
/// the beginning of a part of it (`jpg` in `dsc.jpg`), anything inside it, letters close to each other from the
/// beginning of a part on, from there on, anywhere.
///
/// The extension of an image file's name counts only where it is typed as such (`jpg`, `.jpg`, `harb.jpg`): its letters
/// would complete nearly any word (`dog` in `picos-de-europa.jpg`).
struct WordPattern: Hashable, Sendable {
  enum Match: UInt8, Comparable {
    case none, scattered, scatteredFromStart, close, inside, part, start, whole

    static func < (first: Match, second: Match) -> Bool { first.rawValue < second.rawValue }
  }

  /// Folded, and not empty.
  let bytes: [UInt8]

  /// How well this is in a folded word.
  @inline(__always)
  func match(_ word: UnsafeBufferPointer<UInt8>) -> Match {
    bytes.withUnsafeBufferPointer { pattern in
      guard pattern.count <= word.count, let span = Self.scatter(of: pattern, in: word) else { return .none }
      let piece = Self.bestPiece(pattern, in: word, from: span.lowerBound)
      // Only what reaches behind a dot can touch an extension.
      guard span.upperBound > word.count - ImageExtension.longest, let stem = ImageExtension.stem(of: word) else {
        return piece?.match ?? Self.match(scattered: span, pattern, in: word)
      }
      // From within the stem, the dot or the first letter of the extension on.
      if let piece, piece.start <= stem + 1 { return piece.match }
      let typed = Self.typedStem(of: pattern, in: word, stem: stem)
      let name = UnsafeBufferPointer(rebasing: word[..<stem])
      guard let span = Self.scatter(of: typed, in: name) else { return .none }
      return Self.match(scattered: span, typed, in: name)
    }
  }

  /// Where in a folded word it is, and how well; nil where it is not.
  func places(in word: [UInt8]) -> (match: Match, places: [Int])? {
    word.withUnsafeBufferPointer { word in
      bytes.withUnsafeBufferPointer { pattern in
        let match = match(word)
        guard match > .none else { return nil }
        let stem = ImageExtension.stem(of: word)
        if let piece = Self.bestPiece(pattern, in: word, from: 0), stem.map({ piece.start <= $0 + 1 }) ?? true {
          return (match, Array(piece.start..<piece.start + pattern.count))
        }
        let typed = stem.map { Self.typedStem(of: pattern, in: word, stem: $0) } ?? pattern
        var places: [Int] = []
        _ = Self.scatter(of: typed, in: word) { places.append($0) }
        if let stem { places += stem..<stem + pattern.count - typed.count }
        return (match, places)
      }
    }
  }

  private static func match(
    scattered span: Range<Int>, _ pattern: UnsafeBufferPointer<UInt8>, in word: UnsafeBufferPointer<UInt8>
  ) -> Match {
    guard word.startsPart(at: span.lowerBound) else { return .scattered }
    return span.count <= pattern.count + 2 ? .close : .scatteredFromStart
  }

  /// The pattern without an extension, or the beginning of one, that is typed behind it and that the word has, too
  /// (`harb` of `harb.jp`).
  private static func typedStem(
    of pattern: UnsafeBufferPointer<UInt8>, in word: UnsafeBufferPointer<UInt8>, stem: Int
  ) -> UnsafeBufferPointer<UInt8> {
    guard let dot = pattern.lastIndex(of: ImageExtension.dot), dot > 0, word[stem...].starts(with: pattern[dot...])
    else { return pattern }
    return UnsafeBufferPointer(rebasing: pattern[..<dot])
  }

  /// From the first of the letters to behind the last, where all are there in their order: each the first that is.
  @inline(__always)
  private static func scatter(
    of pattern: UnsafeBufferPointer<UInt8>, in word: UnsafeBufferPointer<UInt8>, _ visit: (Int) -> Void = { _ in }
  ) -> Range<Int>? {
    var (wanted, start) = (0, 0)
    var index = 0
    while index < word.count {
      if word[index] == pattern[wanted] {
        // A letter of several bytes is there as a whole, or not.
        let length = pattern.scalarLength(at: wanted)
        if length == 1 || word.has(pattern, at: index, bytes: wanted..<wanted + length) {
          if wanted == 0 { start = index }
          for offset in 0..<length { visit(index + offset) }
          wanted += length
          if wanted == pattern.count { return start..<index + length }
          index += length
          continue
        }
      }
      index += 1
    }
    return nil
  }

  /// The best place of the pattern in one piece.
  @inline(__always)
  private static func bestPiece(
    _ pattern: UnsafeBufferPointer<UInt8>, in word: UnsafeBufferPointer<UInt8>, from first: Int
  ) -> (match: Match, start: Int)? {
    var best: (match: Match, start: Int)?
    var start = first
    while start + pattern.count <= word.count {
      if word[start] == pattern[0], word.has(pattern, at: start, bytes: 0..<pattern.count) {
        if start == 0 { return (word.count == pattern.count ? .whole : .start, 0) }
        if word.startsPart(at: start) { return (.part, start) }
        if best == nil { best = (.inside, start) }
      }
      start += 1
    }
    return best
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether some bytes of another text are here.
  @inline(__always)
  fileprivate func has(_ other: Self, at index: Int, bytes: Range<Int>) -> Bool {
    guard index + bytes.count <= count else { return false }
    for offset in 0..<bytes.count where self[index + offset] != other[bytes.lowerBound + offset] { return false }
    return true
  }

  /// The length of the UTF-8 scalar that starts here.
  @inline(__always)
  fileprivate func scalarLength(at index: Int) -> Int {
    self[index] < 0x80 ? 1 : Swift.min(count - index, (~self[index]).leadingZeroBitCount)
  }

  /// Whether a part of a word starts here: behind a sign, or where letters and digits meet.
  @inline(__always)
  fileprivate func startsPart(at index: Int) -> Bool {
    if index == 0 { return true }
    let (before, here) = (self[index - 1], self[index])
    if !before.isLetterOrDigit { return true }
    return (before &- 0x30 < 10) != (here &- 0x30 < 10)
  }
}
