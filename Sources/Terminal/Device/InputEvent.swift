import Gallery

/// An event that the terminal reports.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(Mouse)
  /// Text that was pasted in one piece (bracketed paste).
  case paste(String)
  case reply(TerminalReply)
}

/// A key with the modifiers that were held down.
public struct Key: Hashable, Sendable {
  /// A key without modifiers.
  public enum Code: Hashable, Sendable {
    case character(Character)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  /// Modifier keys.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    // The bits as xterm's modifier parameter has them (XTerm Control Sequences, "PC-Style Function Keys").
    /// The Shift key.
    public static let shift = Modifiers(rawValue: 1)
    /// The Alt key.
    public static let alt = Modifiers(rawValue: 2)
    /// The Control key.
    public static let control = Modifiers(rawValue: 4)
  }

  /// The key without its modifiers.
  public var code: Code
  /// The modifiers that are held down.
  public var modifiers: Modifiers

  /// Creates a key.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// Returns the key that types a character.
  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  /// Returns the key of a letter with Ctrl.
  public static func control(_ letter: Character) -> Key { Key(.character(letter), .control) }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Creates the key that types a character, such as "k".
  public init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }
}

/// An action of the mouse at a cell.
public struct Mouse: Hashable, Sendable {
  /// The kinds of actions.
  public enum Action: Hashable, Sendable {
    case press, release, drag, wheelUp, wheelDown
  }

  /// The kind of the action.
  public var action: Action
  /// The cell's column, counted from 0.
  public var column: Int
  /// The cell's row, counted from 0.
  public var row: Int

  /// Creates an action at a cell.
  public init(_ action: Action, column: Int, row: Int) {
    self.action = action
    self.column = column
    self.row = row
  }
}

/// The terminal's answer to a question of the program.
public enum TerminalReply: Hashable, Sendable {
  /// The primary device attributes (DA1), the last answer to a batch of questions.
  case deviceAttributes([Int])
  /// The report that the terminal works (DSR 5).
  case status
  /// The report that the program's window, or its pane in a multiplexer, got the focus (1004).
  case focus
  /// The window's size in pixels (XTWINOPS 14), which shows that the terminal is there.
  case windowPixels
  /// The window's background (OSC 11), each part from 0 to 1.
  case background(red: Double, green: Double, blue: Double)
  /// A color of the palette (OSC 4), each part from 0 to 1.
  case paletteColor(_ index: Int, red: Double, green: Double, blue: Double)
  /// The terminal's name and version (XTVERSION).
  case version(String)
  /// Whether the terminal accepts the image that it was asked about with this id (kitty graphics protocol).
  case kitty(id: Int, isAccepted: Bool)
  /// A cell's size in pixels (XTWINOPS 16).
  case cellPixels(width: Int, height: Int)
  /// The report that the terminal shows 24-bit colors as they are (DECRQSS, XTGETTCAP).
  case showsTruecolor
  /// The number of colors that sixels may have (XTSMGRAPHICS).
  case sixelColors(Int)
  /// Whether the terminal holds back a frame until it is complete (DECRQM of mode 2026).
  case synchronizesUpdates(Bool)
  /// Whether the terminal takes data of any type for the clipboard (DECRQM of mode 5522).
  case takesClipboardData(Bool)
  /// The end of a transfer to the clipboard (OSC 5522).
  case clipboard(ClipboardAnswer)
  /// iTerm2's own report of a cell's size. Only the fact that it comes counts.
  case itermCellSize
  /// Any other answer. It is recognized only to keep it out of the keys.
  case other
}
