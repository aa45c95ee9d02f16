extension String {
  /// The text as one line that cannot control a terminal.
  ///
  /// All text from outside is converted so before it is drawn, logged or printed. Control characters (C0, C1, DEL),
  /// bidirectional controls and invisible characters become `�`, so that the user sees that something was there. Tabs
  /// and line breaks become spaces.
  public var printable: String {
    isPrintable(keepsLineBreaks: false) ? self : replacingControls(lineBreak: " ")
  }

  /// The text as ``printable`` has it, but with each line break as `\n`.
  public var printableLines: String {
    isPrintable(keepsLineBreaks: true) ? self : replacingControls(lineBreak: "\n")
  }

  private func isPrintable(keepsLineBreaks: Bool) -> Bool {
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      guard scalar.isHarmless(behind: previous) || keepsLineBreaks && scalar == "\n" else { return false }
      previous = scalar
    }
    return true
  }

  private func replacingControls(lineBreak: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}": result.append(lineBreak)
      case "\t": result.append(" ")
      case _ where scalar.isHarmless(behind: previous): result.append(scalar)
      default: result.append("\u{FFFD}")
      }
      previous = scalar
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether the character shows, by itself or as a mark on its neighbor, and does nothing else.
  ///
  /// Control characters, bidirectional controls and default ignorable characters (Unicode Standard Annex 44) do not.
  public var isVisible: Bool {
    if value < 0x7F { return value >= 0x20 }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    default: return !properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether the character is visible or changes how a visible one looks.
  ///
  /// Variation selectors do so, and joiners inside emoji and some scripts. Several in a row could hide a text, so each
  /// needs a visible neighbor.
  fileprivate func isHarmless(behind previous: Unicode.Scalar?) -> Bool {
    if isVisible { return true }
    guard let previous else { return false }
    if properties.isVariationSelector { return previous.isVisible }
    guard self == "\u{200D}" || self == "\u{200C}" else { return false }
    return previous.value > 0x7F && (previous.isVisible || previous.properties.isVariationSelector)
  }
}

extension String {
  /// The text, or nil if it is empty.
  public var nonEmpty: String? { isEmpty ? nil : self }
}

extension UInt8 {
  /// Whether the byte is an ASCII digit.
  @inlinable public var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
