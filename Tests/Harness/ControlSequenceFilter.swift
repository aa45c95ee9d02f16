/// A filter between a program and libvterm 0.1.
///
/// It records the private modes that the program sets, and rewrites the SGR forms that libvterm does not support: it
/// drops the color space of `38:2:id:r:g:b` and turns dim (2) into an alternative font (11), which libvterm stores. It
/// drops application program commands, which libvterm would print (kitty's graphics; ECMA-48, 8.3.2).
struct ControlSequenceFilter: Sendable {
  /// The last state of each private mode, by its number.
  private(set) var modes: [Int: Bool] = [:]
  private var pending: [UInt8] = []
  /// Whether the next bytes belong to an application program command.
  private var isInCommand = false

  private static let escape: UInt8 = 0x1B
  private static let command = Array("\u{1B}_".utf8)
  private static let longest = 1024

  /// Returns the bytes of an output to feed to libvterm. An incomplete control sequence waits for the next bytes.
  mutating func filter(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      // An escape ends the command, as the beginning of the terminator or of another sequence.
      if isInCommand, byte != Self.escape { continue }
      isInCommand = false
      if pending.isEmpty {
        if byte == Self.escape { pending.append(byte) } else { result.append(byte) }
        continue
      }
      if byte == Self.escape {
        result += pending
        pending = [byte]
        continue
      }
      pending.append(byte)
      if pending == Self.command {
        isInCommand = true
        pending = []
        continue
      }
      let isComplete =
        if pending.count == 2 { byte != UInt8(ascii: "[") } else { !(0x20...0x3F).contains(byte) }
      if isComplete || pending.count > Self.longest {
        result += pending.count > 2 ? rewritten(pending) : pending
        pending = []
      }
    }
    return result
  }

  private mutating func rewritten(_ sequence: [UInt8]) -> [UInt8] {
    let body = String(decoding: sequence.dropFirst(2).dropLast(), as: UTF8.self)
    switch sequence.last {
    case UInt8(ascii: "h"), UInt8(ascii: "l"):
      if body.hasPrefix("?") {
        for mode in body.dropFirst().split(separator: ";").compactMap({ Int($0) }) {
          modes[mode] = sequence.last == UInt8(ascii: "h")
        }
      }
      return sequence
    case UInt8(ascii: "m"):
      guard !body.isEmpty, body.utf8.allSatisfy({ (0x30...0x3B).contains($0) }) else { return sequence }
      let parameters = Self.rewrittenAttributes(body.split(separator: ";", omittingEmptySubsequences: false))
      return parameters.isEmpty ? [] : Array("\u{1B}[\(parameters.joined(separator: ";"))m".utf8)
    default:
      return sequence
    }
  }

  private static func rewrittenAttributes(_ parameters: [Substring]) -> [String] {
    var result: [String] = []
    var index = 0
    while index < parameters.count {
      let parameter = parameters[index]
      index += 1
      switch parameter {
      case "38", "48", "58":
        // The parameters of the color follow. They must not be taken for attributes.
        let kind = index < parameters.count ? parameters[index] : ""
        let count = kind == "2" ? 4 : kind == "5" ? 2 : 0
        let end = min(index + count, parameters.count)
        if parameter != "58" { result += parameters[(index - 1)..<end].map(String.init) }
        index = end
      case "2": result.append("11")
      case "22": result += ["22", "10"]
      case _ where parameter.count == 2 && parameter.hasPrefix("1"): break
      case _ where parameter.hasPrefix("58:"): break
      default: result.append(withoutColorSpace(parameter))
      }
    }
    return result
  }

  private static func withoutColorSpace(_ parameter: Substring) -> String {
    var parts = parameter.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count >= 6, parts[0] == "38" || parts[0] == "48", parts[1] == "2" {
      parts = Array(parts[..<2] + parts[3..<6])
    }
    return parts.joined(separator: ":")
  }
}
