import Gallery

/// A line of text that is being edited, with a cursor.
///
/// The cursor counts characters (extended grapheme clusters, Unicode UAX #29): an emoji of several code points is one
/// character to the cursor and to Backspace.
public struct TextField: Hashable, Sendable {
  /// The text.
  public private(set) var text: String
  /// The number of characters before the cursor.
  public private(set) var cursor: Int
  /// Whether the whole text is selected, so that the next edit replaces or deletes it.
  public private(set) var isSelected = false
  /// The largest number of characters. Characters that are typed or pasted beyond it are ignored.
  public let longest: Int

  /// Creates a field with a text and the cursor behind it.
  public init(_ text: String = "", longest: Int = 1024) {
    self.text = ""
    self.longest = longest
    cursor = 0
    insert(text)
  }

  /// The text before the cursor.
  public var beforeCursor: Substring { text.prefix(cursor) }
  /// The text after the cursor.
  public var afterCursor: Substring { text.dropFirst(cursor) }

  /// Inserts text at the cursor. Line breaks and tabs become spaces, and control characters become visible symbols.
  public mutating func insert(_ added: String) {
    if isSelected { clear() }
    let room = longest - text.count
    guard room > 0 else { return }
    let before = beforeCursor + added.printable.prefix(room)
    let after = afterCursor
    text = String(before + after)
    // A combining mark joins the character before it, so the characters have to be counted again.
    cursor = text[..<text.characterBoundary(atOrAfter: before.utf8.count)].count
  }

  /// Deletes the character before the cursor (Backspace).
  public mutating func deleteBackward() { delete(cursor - 1..<cursor) }

  /// Deletes the character after the cursor (Delete).
  public mutating func deleteForward() { delete(cursor..<cursor + 1) }

  /// Deletes the word before the cursor, and the spaces between them (Ctrl-w).
  public mutating func deleteWordBackward() { delete(startOfWord..<cursor) }

  /// Deletes the text after the cursor (Ctrl-k).
  public mutating func deleteToEnd() { delete(cursor..<text.count) }

  /// Deletes the whole text (Ctrl-u).
  public mutating func clear() { delete(0..<text.count) }

  /// Selects the whole text, until the next edit or move of the cursor.
  public mutating func selectAll() { isSelected = !text.isEmpty }

  /// Moves the cursor one character to the left.
  public mutating func moveLeft() { move(to: max(0, cursor - 1)) }

  /// Moves the cursor one character to the right.
  public mutating func moveRight() { move(to: min(text.count, cursor + 1)) }

  /// Moves the cursor to the beginning of the text (Home, Ctrl-a).
  public mutating func moveToStart() { move(to: 0) }

  /// Moves the cursor to the end of the text (End, Ctrl-e).
  public mutating func moveToEnd() { move(to: text.count) }

  private var startOfWord: Int {
    let kept = beforeCursor.reversed().drop(while: \.isWhitespace).drop { !$0.isWhitespace }
    return kept.count
  }

  private mutating func move(to place: Int) {
    cursor = place
    isSelected = false
  }

  private mutating func delete(_ range: Range<Int>) {
    let range = isSelected ? 0..<text.count : range.clamped(to: 0..<text.count)
    isSelected = false
    guard !range.isEmpty else { return }
    let before = text.prefix(range.lowerBound)
    text = String(before + text.dropFirst(range.upperBound))
    // The characters on both sides of the deleted range may combine into one.
    cursor = text[..<text.characterBoundary(atOrAfter: before.utf8.count)].count
  }
}

extension String {
  /// Returns the first boundary between two characters at or after an offset in UTF-8.
  fileprivate func characterBoundary(atOrAfter offset: Int) -> Index {
    indices.first { utf8.distance(from: startIndex, to: $0) >= offset } ?? endIndex
  }
}
