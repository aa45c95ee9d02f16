/// A comparison of words that tolerates typing errors.
enum Spelling {
  /// Returns the number of errors that a word of some letters may have: letters that are missing, added, wrong or swapped
  /// with the next one. A short word would resemble too many others.
  static func mostErrors(letters: Int) -> Int { letters < 4 ? 0 : letters < 7 ? 1 : 2 }

  /// Returns the one of some names that is most like a word, or nil if none is like it.
  static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased().utf8)
    let most = mostErrors(letters: letters.count)
    let distances = names.compactMap { name in
      distance(letters, Array(name.utf8), atMost: most).map { (distance: $0, name: name) }
    }
    return distances.min { $0.distance < $1.distance }?.name
  }

  /// Returns the number of errors by which two words differ, or nil if it is larger than `most`.
  ///
  /// This is the optimal string alignment distance (Damerau, Levenshtein).
  static func distance(
    _ first: some RandomAccessCollection<UInt8>, _ second: some RandomAccessCollection<UInt8>, atMost most: Int
  ) -> Int? {
    guard abs(first.count - second.count) <= most else { return nil }
    let (first, second) = (Array(first), Array(second))
    // The distances of the beginnings of `second` from the last three beginnings of `first`.
    var (beforeLast, last) = ([Int](), Array(0...second.count))
    for row in 0..<first.count {
      var line = [row + 1]
      for column in 0..<second.count {
        let isSame = first[row] == second[column]
        var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, line[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        line.append(least)
      }
      if line.allSatisfy({ $0 > most }) { return nil }
      beforeLast = last
      last = line
    }
    return last[second.count] <= most ? last[second.count] : nil
  }
}
