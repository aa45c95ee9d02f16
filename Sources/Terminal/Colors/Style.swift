import Gallery

/// The role of a text. The theme knows how each role looks.
public enum Role: Hashable, Sendable {
  /// Plain text.
  case text
  /// Text of less weight.
  case secondary
  /// Rules, borders and placeholders.
  case faint
  /// The name of something.
  case title
  /// The heading of the window that has the keys.
  case heading
  /// The heading of another window.
  case idleHeading
  /// Text to be found at a glance: the gallery's name, the keys.
  case accent
  /// The part of a text that matches a search.
  case found
  /// Good news.
  case positive
  /// Bad news.
  case negative
  /// The button that the Enter key presses.
  case button
  /// The place of the next character that is typed.
  case cursor
  /// The sign of a photo's color label.
  case label(ColorLabel)
}

/// The background of a text.
public enum Ground: Hashable, Sendable {
  case window
  /// The highlighted row of the window that has the keys.
  case selection
  /// The highlighted row of another window.
  case idleSelection
  /// A text field.
  case field
}

/// The look of one cell, before the terminal's abilities are known.
public struct Style: Hashable, Sendable {
  /// Attributes of a cell's text.
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bold characters.
    public static let bold = Attributes(rawValue: 1)
    /// Dim characters.
    public static let dim = Attributes(rawValue: 2)
    /// Characters with foreground and background exchanged.
    public static let reverse = Attributes(rawValue: 4)
    /// Underlined characters.
    public static let underline = Attributes(rawValue: 8)
  }

  /// The text's color; nil is the terminal's own.
  public var foreground: Color?
  /// The background's color; nil is the terminal's own.
  public var background: Color?
  /// The text's attributes.
  public var attributes: Attributes

  /// Creates a style.
  public init(foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}
