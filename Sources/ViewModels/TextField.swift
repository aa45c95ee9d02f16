import Finding
import Gallery

/// A line of text that is being edited, and where in it the cursor stands.
///
/// Counted in characters as a person counts them (extended grapheme clusters, UAX #29): an emoji of several code points
/// is one to the cursor and to Backspace.
public struct TextField: Hashable, Sendable {
  public private(set) var text: String
  /// How many characters stand before the cursor.
  public private(set) var cursor: Int
  /// The most characters it takes; what is typed or pasted beyond is left out.
  public let longest: Int

  public init(_ text: String = "", longest: Int = 1024) {
    self.text = ""
    self.longest = longest
    cursor = 0
    insert(text)
  }

  public var beforeCursor: Substring { text.prefix(cursor) }
  public var afterCursor: Substring { text.dropFirst(cursor) }

  /// Types or pastes: line breaks and tabs become spaces, and what could control a terminal is made visible.
  public mutating func insert(_ added: String) {
    let room = longest - text.count
    guard room > 0 else { return }
    let before = beforeCursor + added.printable.prefix(room)
    let after = afterCursor
    text = String(before + after)
    // A combining mark joins the character before it, and so may what follows: counted anew.
    cursor = text[..<text.characterBoundary(atOrAfter: before.utf8.count)].count
  }

  /// Backspace.
  public mutating func deleteBackward() { delete(cursor - 1..<cursor) }

  /// Delete.
  public mutating func deleteForward() { delete(cursor..<cursor + 1) }

  /// Ctrl-w: the word before the cursor, and the spaces between.
  public mutating func deleteWordBackward() { delete(startOfWord..<cursor) }

  /// Ctrl-u
  public mutating func deleteToStart() { delete(0..<cursor) }

  /// Ctrl-k
  public mutating func deleteToEnd() { delete(cursor..<text.count) }

  public mutating func clear() { delete(0..<text.count) }

  public mutating func moveLeft() { cursor = max(0, cursor - 1) }

  public mutating func moveRight() { cursor = min(text.count, cursor + 1) }

  /// Home, Ctrl-a
  public mutating func moveToStart() { cursor = 0 }

  /// End, Ctrl-e
  public mutating func moveToEnd() { cursor = text.count }

  private var startOfWord: Int {
    let kept = beforeCursor.reversed().drop(while: \.isWhitespace).drop { !$0.isWhitespace }
    return kept.count
  }

  private mutating func delete(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<text.count)
    guard !range.isEmpty else { return }
    let before = text.prefix(range.lowerBound)
    text = String(before + text.dropFirst(range.upperBound))
    // What comes together may become one character.
    cursor = text[..<text.characterBoundary(atOrAfter: before.utf8.count)].count
  }
}

extension String {
  /// The first boundary between two characters that is not before so many bytes.
  fileprivate func characterBoundary(atOrAfter offset: Int) -> Index {
    indices.first { utf8.distance(from: startIndex, to: $0) >= offset } ?? endIndex
  }
}
