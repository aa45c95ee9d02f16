/// Words to find in short texts, such as the titles of commands, by the same rules as in photos.
public struct WordSearch: Hashable, Sendable {
  /// One pattern for each word.
  let patterns: [WordPattern]

  /// Creates a search for the words of a text.
  public init(_ text: String) { self.init(Folding.words(of: text).map(WordPattern.init)) }

  init(_ patterns: [WordPattern]) { self.patterns = patterns }

  /// Returns how well a text matches, or nil if one of the words does not match or if there are none.
  ///
  /// Each word counts where it matches best. Among equal matches, the first word of a text is better than the others. The
  /// beginning of a word of the text is better than a whole other word, which the user does not see.
  ///
  /// - Parameter others: Other words for the text. One counts only if it is a word of the search or begins with it, since
  ///   scattered letters would match one of them too often.
  public func score(of text: String, orOthers others: String = "") -> Int? {
    let (words, others) = (Folding.words(of: text), Folding.words(of: others))
    let scores = patterns.map { pattern in
      func match(_ word: [UInt8]) -> WordPattern.Match { word.withUnsafeBufferPointer { pattern.match($0) } }
      let own = words.enumerated().map { place, word in
        let match = match(word)
        return match == .none ? 0 : 2 * Int(match.rawValue) + (place == 0 ? 1 : 0)
      }
      let other = others.map(match).filter { $0 >= .start }.map { 2 * Int($0.rawValue) - 3 }
      return (own + other).max() ?? 0
    }
    return scores.isEmpty || scores.contains(0) ? nil : scores.reduce(0, +)
  }
}
