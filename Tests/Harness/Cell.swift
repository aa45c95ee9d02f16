/// A character cell of a screen. The properties of its style can be read directly, as in `cell.bold`.
@dynamicMemberLookup
public struct Cell: Hashable, Sendable {
  /// The character with its combining marks; a space for a blank cell, empty for the second half of a wide character.
  public var text: String
  /// The number of columns that the character takes: 1, 2, or 0 for the second half of a wide character.
  public var width: Int
  /// The colors and attributes; the second half of a wide character has those of the first.
  public var style: Style

  /// A property of the style.
  public subscript<Value>(dynamicMember path: KeyPath<Style, Value>) -> Value { style[keyPath: path] }
}
