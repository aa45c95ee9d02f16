/// A strict parser of the program's output. It knows the program's own sequences and reports all others.
public struct OutputGrammar: Sendable {
  /// A kind of output, which decides the sequences that are allowed.
  public enum Place: Sendable {
    /// The gallery on an xterm: its questions and modes, and the sequences that ncurses draws with.
    case gallery
    /// Text between a shell's prompts. The only sequence clears the rest of a progress line.
    case shell
    /// The output of `doctor` and `show`: questions and colors.
    case images
  }

  enum Token: Equatable {
    /// A single control character, or a byte of an incomplete sequence.
    case control(UInt8)
    /// A complete sequence, from its Escape to its last character.
    case sequence(String)
    case text(Unicode.Scalar)
    /// A byte that is not UTF-8.
    case invalid(UInt8)
  }

  private static let escape: UInt8 = 0x1B

  /// Returns descriptions of everything that is not allowed in `output`; empty if there is nothing.
  public static func faults(in output: [UInt8], at place: Place) -> [String] {
    let tokens = tokens(output)
    var previous: Unicode.Scalar?
    var faults = tokens.compactMap { token -> String? in
      defer { if case .text(let scalar) = token { previous = scalar } else { previous = nil } }
      return isAllowed(token, behind: previous, at: place) ? nil : "\(token)".debugDescription
    }
    if place == .gallery {
      for mode in [1000, 1006, 1049, 2004] {
        for end in ["h", "l"] where tokens.count(where: { $0 == .sequence("\u{1B}[?\(mode)\(end)") }) > 1 {
          faults.append("the mode \(mode)\(end) twice")
        }
      }
    }
    return faults
  }

  private static func isAllowed(_ token: Token, behind previous: Unicode.Scalar?, at place: Place) -> Bool {
    switch token {
    case .invalid: false
    case .control(let byte):
      byte == 0x0D || byte == 0x0A || byte == 0x08 && place == .gallery
    case .text(let scalar): isAllowed(scalar, behind: previous, at: place)
    case .sequence(let sequence):
      switch place {
      case .shell: sequence == "\u{1B}[K"
      case .images: isQuestion(sequence) || isColor(sequence) || isFarewell(sequence)
      case .gallery: isQuestion(sequence) || isColor(sequence) || isFarewell(sequence) || isDrawing(sequence)
      }
    }
  }

  private static func isAllowed(_ scalar: Unicode.Scalar, behind previous: Unicode.Scalar?, at place: Place) -> Bool {
    // Cells have none of these. In the shell they may modify the character before them.
    if scalar.properties.isVariationSelector || scalar == "\u{200C}" || scalar == "\u{200D}" {
      return place != .gallery && previous.map { $0 != "\u{200C}" && $0 != "\u{200D}" } ?? false
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
    default: return !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func isQuestion(_ sequence: String) -> Bool {
    let questions: Set = [
      "\u{1B}]11;?\u{1B}\\", "\u{1B}[>0q", "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\",
      "\u{1B}]1337;ReportCellSize\u{07}", "\u{1B}[?1;1;0S", "\u{1B}[16t", "\u{1B}[?2026$p", "\u{1B}[c",
    ]
    return questions.contains(sequence)
      || (try? /\u{1B}\]4;(?:[0-9]|1[0-5]);\?\u{1B}\\/.wholeMatch(in: sequence)) != nil
      || (try? /\u{1B}_Gi=32,s=1,v=1,a=q,t=t,f=24;[A-Za-z0-9+\/=]+\u{1B}\\/.wholeMatch(in: sequence)) != nil
  }

  private static func isColor(_ sequence: String) -> Bool {
    // xterm-direct, xterm-256color, and the color bar; no color by its number from 30 to 47.
    let form =
      /\u{1B}\[(?:|39|49|39;49|0(?:;[1247])*|[34]8:2::\d{1,3}:\d{1,3}:\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3}|[34]8;5;\d{1,3})m/
    return (try? form.wholeMatch(in: sequence)) != nil
  }

  private static func isFarewell(_ sequence: String) -> Bool {
    let modes: Set = ["?12l", "?25h", "?25l", "?1000l", "?1006l", "?1049l", "?2004l", "?2026l", "23;0;0t"]
    return sequence == "\u{1B}\\" || sequence == "\u{1B}(B" || modes.contains(String(sequence.dropFirst(2)))
  }

  private static func isDrawing(_ sequence: String) -> Bool {
    let modes: Set = ["?1000h", "?1006h", "?1049h", "?2004h", "?2026h", "22;0;0t", "?7h", "?7l", "4l"]
    if modes.contains(String(sequence.dropFirst(2))) { return true }
    // ncurses keeps the cursor's place where it scrolls a part of the screen.
    if ["\u{1B}7", "\u{1B}8"].contains(sequence) { return true }
    // Moves, and what clears, deletes, inserts and scrolls; no screen of the tests has a thousand rows or columns.
    return (try? /\u{1B}\[(?:\d{1,3}(?:;\d{1,3})?)?[HABCDGdJKXPLMSTr@b]/.wholeMatch(in: sequence)) != nil
  }

  static func tokens(_ bytes: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var rest = bytes[...]
    while let first = rest.first {
      var length = 1
      if first == escape, let end = sequenceLength(rest) {
        length = end
        tokens.append(.sequence(String(decoding: rest.prefix(end), as: UTF8.self)))
      } else if first < 0x20 || first == 0x7F {
        tokens.append(.control(first))
      } else if first < 0x80 {
        tokens.append(.text(Unicode.Scalar(first)))
      } else {
        length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        if let scalar = String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars.first {
          tokens.append(.text(scalar))
        } else {
          tokens.append(.invalid(first))
          length = 1
        }
      }
      rest = rest.dropFirst(length)
    }
    return tokens
  }

  /// Returns the length of a sequence in bytes, or nil if it is incomplete (ECMA-48, section 5.4, and XTerm Control
  /// Sequences).
  private static func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(bytes.prefix(4096))
    guard bytes.count >= 2 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      let parameters = bytes.dropFirst(2).prefix { (0x30...0x3F).contains($0) }.count
      let intermediates = bytes.dropFirst(2 + parameters).prefix { (0x20...0x2F).contains($0) }.count
      let end = 2 + parameters + intermediates
      return end < bytes.count && (0x40...0x7E).contains(bytes[end]) ? end + 1 : nil
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      guard let end = bytes.dropFirst(2).firstIndex(where: { $0 < 0x20 }) else { return nil }
      if bytes[end] == 0x07 { return end + 1 }
      return bytes[end] == escape && end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: "\\") ? end + 2 : nil
    default:
      let intermediates = bytes.dropFirst().prefix { (0x20...0x2F).contains($0) }.count
      let end = 1 + intermediates
      return end < bytes.count && (0x30...0x7E).contains(bytes[end]) ? end + 1 : nil
    }
  }
}
