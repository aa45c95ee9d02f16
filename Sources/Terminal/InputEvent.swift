/// Something the terminal said.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(Mouse)
  /// Text pasted as a whole (bracketed paste).
  case paste(String)
  case reply(TerminalReply)
}

public struct Key: Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    case character(Character)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    // The bits as xterm's modifier parameter has them (XTerm Control Sequences, "PC-Style Function Keys").
    public static let shift = Modifiers(rawValue: 1)
    public static let alt = Modifiers(rawValue: 2)
    public static let control = Modifiers(rawValue: 4)
  }

  public var code: Code
  public var modifiers: Modifiers

  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  public static func control(_ letter: Character) -> Key { Key(.character(letter), .control) }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  /// A key that types a character, such as "k".
  public init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }
}

public struct Mouse: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    case press, release, drag, wheelUp, wheelDown
  }

  public var action: Action
  /// The cell, counted from 0.
  public var column: Int
  public var row: Int

  public init(_ action: Action, column: Int, row: Int) {
    self.action = action
    self.column = column
    self.row = row
  }
}

/// An answer to a question the program asked the terminal.
public enum TerminalReply: Hashable, Sendable {
  /// Primary device attributes (DA1): the last answer of a batch of questions.
  case deviceAttributes([Int])
  /// The window's background (OSC 11), each part from 0 to 1.
  case background(red: Double, green: Double, blue: Double)
  /// A color of the palette (OSC 4), each part from 0 to 1.
  case paletteColor(_ index: Int, red: Double, green: Double, blue: Double)
  /// Name and version of the terminal (XTVERSION).
  case version(String)
  /// Whether the terminal accepts the image that it was asked about with this id (kitty graphics protocol).
  case kitty(id: Int, isAccepted: Bool)
  /// A cell's size in pixels (XTWINOPS 16).
  case cellPixels(width: Int, height: Int)
  /// The number of colors that sixels may have (XTSMGRAPHICS).
  case sixelColors(Int)
  /// Whether the terminal holds back what is drawn until it is complete (DECRQM of mode 2026).
  case synchronizesUpdates(Bool)
  /// iTerm2's own answer to the size of a cell; what counts is that it comes.
  case itermCellSize
  /// Any other answer, which is recognized only to keep it out of the keys.
  case other
}
