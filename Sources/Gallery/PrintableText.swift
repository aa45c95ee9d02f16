extension String {
  /// This text as one line that cannot control a terminal.
  ///
  /// The one door through which text from outside goes before it is drawn, logged or printed. Control characters
  /// (C0, C1, DEL), bidirectional controls and invisible characters become `�`, so that a person sees that something
  /// was there; tabs and line breaks become spaces.
  public var printable: String {
    isPrintable(keepsLineBreaks: false) ? self : replacingControls(lineBreak: " ")
  }

  /// As ``printable``, with its line breaks kept as `\n`.
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
  /// Whether it shows, by itself or as a mark on its neighbor, and does nothing else: no control character, none of
  /// another direction, none that nobody sees (Default_Ignorable_Code_Point, Unicode Standard Annex 44).
  public var isVisible: Bool {
    if value < 0x7F { return value >= 0x20 }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    default: return !properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether it is visible, or belongs to the look of what is: a variation selector, or a joiner inside emoji and
  /// scripts that need it (cells are measured by cluster). Many in a row would hide a text.
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
  /// Whether the byte is a digit of ASCII.
  @inlinable public var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
