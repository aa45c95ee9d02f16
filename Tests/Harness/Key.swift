/// A key of the keyboard.
public enum Key: Hashable, Sendable {
  case up, down, left, right
  case home, end, pageUp, pageDown
  case insert, delete, backspace
  case enter, tab, backTab, escape
  /// A function key by its number from 1.
  case function(Int)
  /// A character typed with Control, as the byte that xterm sends. "?" sends DEL, and a space sends NUL.
  case ctrl(Character)
  /// A character typed with Alt, as ESC and the character.
  case alt(Character)

  /// The first function key.
  public static let f1 = Key.function(1)
}

/// The modifiers held down with a key.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// The bits, as libvterm numbers them.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The Shift key.
  public static let shift = KeyModifiers(rawValue: 1)
  /// The Alt key.
  public static let alt = KeyModifiers(rawValue: 2)
  /// The Control key.
  public static let control = KeyModifiers(rawValue: 4)
}
