/// Words to find in short texts, such as the titles of commands, by the same rules as in photos.
public struct WordSearch: Hashable, Sendable {
  /// One pattern for each word.
  let patterns: [WordPattern]

  /// Creates a search for the words of a text.
  public init(_ text: String) { self.init(Folding.words(of: text).map(WordPattern.init)) }

  init(_ patterns: [WordPattern]) { self.patterns = patterns }

  /// Returns how well a text matches, or nil if one of the words does not match or if there are none.
  ///
  /// Each word counts where it matches best. Among equal matches, the first word of a text is better than the others.
  public func score(of text: String) -> Int? {
    let words = Folding.words(of: text)
    let scores = patterns.map { pattern in
      words.enumerated().map { place, word in
        let match = word.withUnsafeBufferPointer { pattern.match($0) }
        return match == .none ? 0 : 2 * Int(match.rawValue) + (place == 0 ? 1 : 0)
      }.max() ?? 0
    }
    return scores.isEmpty || scores.contains(0) ? nil : scores.reduce(0, +)
  }
}
