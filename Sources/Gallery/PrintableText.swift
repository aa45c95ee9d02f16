extension String {
  /// This text as one line that cannot control a terminal.
  ///
  /// The one door through which text from outside goes before it is drawn, logged or printed. Control characters
  /// (C0, C1, DEL), bidirectional controls and invisible format characters become `�`, so that a person sees that
  /// something was there; tabs and line breaks become spaces.
  public var printable: String {
    unicodeScalars.allSatisfy(\.isHarmless) ? self : replacingControls(lineBreak: " ")
  }

  /// As ``printable``, with its line breaks kept as `\n`.
  public var printableLines: String {
    unicodeScalars.allSatisfy { $0.isHarmless || $0 == "\n" } ? self : replacingControls(lineBreak: "\n")
  }

  private func replacingControls(lineBreak: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}": result.append(lineBreak)
      case "\t": result.append(" ")
      case _ where scalar.isHarmless: result.append(scalar)
      default: result.append("\u{FFFD}")
      }
      previous = scalar
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether it prints, or changes only the look of its neighbour (the joiners inside emoji and scripts that need
  /// them stay: cells are measured by cluster).
  fileprivate var isHarmless: Bool {
    if value < 0x7F { return value >= 0x20 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    case .format: return self == "\u{200D}" || self == "\u{200C}"
    default: return true
    }
  }
}
