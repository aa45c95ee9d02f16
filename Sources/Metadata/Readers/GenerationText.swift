/// What programs that generate images write into their PNGs: `parameters` of Stable Diffusion's web interface and those that
/// follow it, `prompt` of ComfyUI (its graph of nodes in JSON), and `invokeai_metadata` of InvokeAI.
struct GenerationText {
  /// What the image was to show.
  private(set) var prompt: String?
  /// How it was made, such as the model and the number of steps.
  private(set) var settings: String?

  /// The longest prompt, in characters.
  private static let longest = 4000

  /// Reads a text chunk; nil if it is of another kind.
  init?(_ text: PNGText) {
    guard text.content.count <= Container.longestPacket else { return nil }
    switch text.keyword {
    case "parameters": readParameters(MetadataText.decode(text.content) ?? "")
    case "prompt":
      let texts = Self.strings(of: "text", in: text.content)
      prompt = texts.isEmpty ? nil : texts.joined(separator: "\n")
      settings = (["ComfyUI"] + Self.strings(of: "ckpt_name", in: text.content).prefix(1)).joined(separator: ", ")
    case "invokeai_metadata":
      prompt = Self.strings(of: "positive_prompt", in: text.content).first
      settings = (["InvokeAI"] + Self.strings(of: "model_name", in: text.content).prefix(1)).joined(separator: ", ")
    default: return nil
    }
    prompt = prompt.map { String($0.prefix(Self.longest)) }
    settings = settings.map { String($0.prefix(Self.longest)) }
  }

  /// The last line has the settings, and the lines from "Negative prompt:" on what the image was not to show.
  private mutating func readParameters(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if let last = lines.last, last.hasPrefix("Steps: ") { settings = String(lines.removeLast()) }
    let wanted = lines.prefix { !$0.hasPrefix("Negative prompt:") }.joined(separator: "\n")
    prompt = wanted.isEmpty ? nil : wanted
  }

  /// Returns the different texts that members of this name have in JSON, in their order.
  private static func strings(of name: String, in json: ArraySlice<UInt8>) -> [String] {
    var found: [String] = []
    let key = Array("\"\(name)\"".utf8)
    var rest = json
    while let place = rest.firstRange(of: key) {
      rest = rest[place.upperBound...].drop { $0 <= 0x20 }
      guard rest.first == UInt8(ascii: ":") else { continue }
      rest = rest.dropFirst().drop { $0 <= 0x20 }
      guard rest.first == UInt8(ascii: "\"") else { continue }
      rest = rest.dropFirst()
      if let text = string(&rest), !text.isEmpty, !found.contains(text) { found.append(text) }
    }
    return found
  }

  /// Reads the rest of a string of JSON (RFC 8259, 7) up to its end.
  private static func string(_ rest: inout ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let escape = rest.popFirst() else { return nil }
      switch escape {
      case UInt8(ascii: "n"), UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "u"):
        let unit = rest.prefix(4).reduce(0) { $0 << 4 | UInt32(Character(Unicode.Scalar($1)).hexDigitValue ?? 0) }
        rest = rest.dropFirst(4)
        // A pair of surrogates stands for one character, which is left out.
        bytes += Unicode.Scalar(unit).map { Array(String(Character($0)).utf8) } ?? []
      default: bytes.append(escape)
      }
    }
    return MetadataText.decode(bytes[...])
  }
}
