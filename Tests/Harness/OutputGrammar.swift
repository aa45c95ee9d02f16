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
    let foreign = foreignSequences(in: tokens, at: place)
    var previous: Unicode.Scalar?
    var faults = tokens.compactMap { token -> String? in
      defer { if case .text(let scalar) = token { previous = scalar } else { previous = nil } }
      let isAllowed =
        switch token {
        case .invalid: false
        case .control(let byte): byte == 0x0D || byte == 0x0A || byte == 0x08 && place == .gallery
        case .text(let scalar): isAllowed(scalar, behind: previous, at: place)
        case .sequence(let sequence): !foreign.contains(sequence)
        }
      return isAllowed ? nil : "\(token)".debugDescription
    }
    if place == .gallery {
      for mode in [1000, 1002, 1004, 1006, 1049, 2004] {
        for end in ["h", "l"] where tokens.count(where: { $0 == .sequence("\u{1B}[?\(mode)\(end)") }) > 1 {
          faults.append("the mode \(mode)\(end) twice")
        }
      }
    }
    return faults
  }

  /// Returns the sequences that are not the program's own. A frame repeats its sequences, and each is checked once.
  private static func foreignSequences(in tokens: [Token], at place: Place) -> Set<String> {
    let sequences = tokens.compactMap { if case .sequence(let sequence) = $0 { sequence } else { nil } }
    let own = OwnSequences()
    return Set(sequences).filter { !own.contains($0, at: place) }
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
