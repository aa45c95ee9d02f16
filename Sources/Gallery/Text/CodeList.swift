/// The short codes of a user and their texts, such as `be10` and a player's name.
///
/// The files have a code in each line, a tab, and one or more texts with tabs between them, as Photo Mechanic's do. In a caption, `=be10=`
/// is the first text and `=be10#2=` the second one:
///
/// ```swift
/// var codes = CodeList()
/// codes.add("be10\tLuka Modrić\tthe captain\n")
/// codes.expanding("=be10=, =be10#2=")  // "Luka Modrić, the captain"
/// ```
public struct CodeList: Hashable, Sendable {
  /// The character before and after a code.
  public var mark: Character = "="
  private var texts: [String: [String]] = [:]

  /// The longest code that is looked for.
  private static let longest = 64

  /// Creates an empty list.
  public init() {}

  /// Whether there is no code.
  public var isEmpty: Bool { texts.isEmpty }

  /// Adds the codes of a file's text. A line without a tab is none, and a code that is there already gets the new texts.
  public mutating func add(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0).printable.trimmed }
      guard parts.count > 1, !parts[0].isEmpty else { continue }
      texts[parts[0]] = Array(parts.dropFirst())
    }
  }

  /// Returns a text with the codes in it replaced. What is no code stays as it is.
  public func expanding(_ text: String) -> String {
    if isEmpty || !text.contains(mark) { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: mark) {
      result += rest[..<start]
      let code = rest[rest.index(after: start)...].prefix { $0 != mark && !$0.isNewline }
      if code.endIndex < rest.endIndex, rest[code.endIndex] == mark, let replacement = self.text(of: code) {
        result += replacement
        rest = rest[rest.index(after: code.endIndex)...]
      } else {
        result.append(mark)
        rest = rest[rest.index(after: start)...]
      }
    }
    return result + rest
  }

  private func text(of code: Substring) -> String? {
    if code.count > Self.longest { return nil }
    if let first = texts[String(code)]?.first { return first }
    guard let sign = code.lastIndex(of: "#"), let number = Int(code[code.index(after: sign)...]),
      let all = texts[String(code[..<sign])], number > 0, number <= all.count
    else { return nil }
    return all[number - 1]
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension DecisionChange {
  /// Returns the change with the codes in its texts replaced. A code in a keyword can become several keywords, with commas between them.
  public func expanding(_ codes: CodeList) -> DecisionChange {
    if codes.isEmpty { return self }
    switch self {
    case .set(let decision, .text(let text)?) where decision == .caption || decision.iptcText != nil:
      return .set(decision, .text(codes.expanding(text)))
    case .keywords(let added, let removed):
      return .keywords(added: codes.keywords(of: added), removed: removed)
    default: return self
    }
  }
}

extension CodeList {
  /// Returns keywords with the codes in them replaced.
  public func keywords(of words: [String]) -> [String] {
    words.flatMap { word in
      let text = expanding(word)
      return text == word ? [word] : text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    }
  }
}
