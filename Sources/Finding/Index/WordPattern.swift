/// A word of a query, in the form that is compared with the words of texts.
///
/// The pattern matches a word that has all of its letters in the same order. From best to worst, it matches the whole
/// word, its beginning, the beginning of a part (`jpg` in `dsc.jpg`), or anything inside; then scattered letters that
/// start at a part and are close together, start at a part, or start anywhere.
///
/// The extension of an image file counts only if it is typed as such (`jpg`, `.jpg`, `harb.jpg`). Otherwise, its
/// letters would complete nearly any word (`dog` in `picos-de-europa.jpg`).
struct WordPattern: Hashable, Sendable {
  /// The quality of a match, from worst to best.
  enum Match: UInt8, Comparable {
    case none, scattered, scatteredFromStart, close, inside, part, start, whole

    static func < (first: Match, second: Match) -> Bool { first.rawValue < second.rawValue }

    /// Returns the mark of a match, which is higher for better ones.
    /// - Parameter weight: The weight of the field among equal matches, from 0 to 3.
    @inline(__always)
    func mark(weight: UInt8) -> UInt8 { rawValue << 2 | weight }
  }

  /// The bytes of the folded word. There is at least one.
  let bytes: [UInt8]

  /// Returns how well the pattern matches a folded word.
  @inline(__always)
  func match(_ word: UnsafeBufferPointer<UInt8>) -> Match {
    bytes.withUnsafeBufferPointer { pattern in
      // Most words that match begin with the pattern, as in file names that a camera has numbered.
      if word.has(pattern, at: 0, bytes: 0..<pattern.count) { return word.count == pattern.count ? .whole : .start }
      guard pattern.count <= word.count, let span = Self.scatter(of: pattern, in: word) else { return .none }
      let piece = Self.bestPiece(pattern, in: word, from: span.lowerBound)
      // A match that ends before this cannot use letters of an extension.
      guard span.upperBound > word.count - ImageExtension.longest, let stem = ImageExtension.stem(of: word) else {
        return piece?.match ?? Self.match(scattered: span, pattern, in: word)
      }
      // Adjacent letters count if they start in the stem, at the dot, or at the first letter of the extension.
      if let piece, piece.start <= stem + 1 { return piece.match }
      let typed = Self.typedStem(of: pattern, in: word, stem: stem)
      let name = UnsafeBufferPointer(rebasing: word[..<stem])
      // Letters that were all found before the extension are found in the same places without it.
      if span.upperBound <= stem, typed.count == pattern.count {
        return Self.match(scattered: span, pattern, in: name)
      }
      guard let span = Self.scatter(of: typed, in: name) else { return .none }
      return Self.match(scattered: span, typed, in: name)
    }
  }

  /// Returns how well the pattern matches a folded word and the places of the matching bytes, or nil if it does not
  /// match.
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

  /// Returns the pattern without an extension, or without the beginning of one, that the word has, too (`harb` for
  /// `harb.jp`).
  private static func typedStem(
    of pattern: UnsafeBufferPointer<UInt8>, in word: UnsafeBufferPointer<UInt8>, stem: Int
  ) -> UnsafeBufferPointer<UInt8> {
    guard let dot = pattern.lastIndex(of: ImageExtension.dot), dot > 0, word[stem...].starts(with: pattern[dot...])
    else { return pattern }
    return UnsafeBufferPointer(rebasing: pattern[..<dot])
  }

  /// Returns the range from the first letter of the pattern to the last, or nil if the word lacks one of them. Each
  /// letter is the first one that fits.
  /// - Parameter visit: Called with the place of each matching byte.
  @inline(__always)
  private static func scatter(
    of pattern: UnsafeBufferPointer<UInt8>, in word: UnsafeBufferPointer<UInt8>, _ visit: (Int) -> Void = { _ in }
  ) -> Range<Int>? {
    var (wanted, start) = (0, 0)
    var index = 0
    while index < word.count {
      if word[index] == pattern[wanted] {
        // All bytes of a letter must match.
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

  /// Returns the best match with adjacent letters, and where it starts.
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
  /// Returns whether a range of another text's bytes is at the index.
  @inline(__always)
  fileprivate func has(_ other: Self, at index: Int, bytes: Range<Int>) -> Bool {
    guard index + bytes.count <= count else { return false }
    for offset in 0..<bytes.count where self[index + offset] != other[bytes.lowerBound + offset] { return false }
    return true
  }

  /// Returns the length of the UTF-8 scalar at the index.
  @inline(__always)
  fileprivate func scalarLength(at index: Int) -> Int {
    self[index] < 0x80 ? 1 : Swift.min(count - index, (~self[index]).leadingZeroBitCount)
  }

  /// Returns whether a part of a word starts at the index: after punctuation, or where letters and digits meet.
  @inline(__always)
  fileprivate func startsPart(at index: Int) -> Bool {
    if index == 0 { return true }
    let (before, here) = (self[index - 1], self[index])
    if !before.isLetterOrDigit { return true }
    return (before &- 0x30 < 10) != (here &- 0x30 < 10)
  }
}
