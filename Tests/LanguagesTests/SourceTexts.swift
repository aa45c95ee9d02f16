import Foundation

/// A text of the interface, as the sources contain it.
struct SourceText: Hashable {
  /// The context and the texts by which a translation is found.
  struct Key: Hashable {
    var context: String?
    var text: String
    var plural: String?
  }

  var key: Key
  /// The comment for translators: the words after `Translators:` in the comment before the text.
  var note: String
  /// The path of the file, relative to the package.
  var file: String
}

/// The literals of a Swift file: the texts that are translated, and all others.
///
/// Translated are the literals of `localized(…)` and `LocalizedText(…)`, and the titles, labels and words of `KeyBinding(…)`.
struct SourceFile {
  private(set) var texts: [SourceText] = []
  /// The literals that are not translated, with the numbers of their lines.
  private(set) var others: [(line: Int, text: String)] = []

  let path: String
  private let bytes: [UInt8]
  private var index = 0
  private var note: String?
  /// The index behind the last comment.
  private var commentEnd = 0

  init(_ source: String, path: String) {
    (self.path, bytes) = (path, Array(source.utf8))
    while index < bytes.count { scan(until: nil, in: nil) }
  }

  /// The labels of the arguments that are translated.
  private static let translatedLabels = [nil, "label", "words"]

  private enum Call: String {
    case localized
    case text = "LocalizedText"
    case command = "KeyBinding"
  }

  /// Scans up to the bracket that ends a call, or the end of the file.
  private mutating func scan(until end: UInt8?, in call: Call?) {
    var literals: [(label: String?, text: String)] = []
    var label: String?
    while index < bytes.count {
      let byte = bytes[index]
      if byte == end {
        index += 1
        break
      }
      if byte == UInt8(ascii: "/"), bytes[index...].starts(with: "//".utf8) {
        scanComment()
      } else if byte == UInt8(ascii: "\"") {
        let line = bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1
        let text = scanLiteral()
        let isText = call == .command ? Self.translatedLabels.contains(label) : call != nil
        if isText { literals.append((label, text)) } else { others.append((line, text)) }
      } else if byte == UInt8(ascii: "(") {
        index += 1
        scan(until: UInt8(ascii: ")"), in: nil)
      } else if byte == UInt8(ascii: "[") {
        index += 1
        scan(until: UInt8(ascii: "]"), in: nil)
      } else if byte.isOfName {
        let name = String(decoding: bytes[index...].prefix(while: \.isOfName), as: UTF8.self)
        let isDeclared = String(decoding: bytes[..<index].suffix(5), as: UTF8.self) == "func "
        index += name.utf8.count
        if !isDeclared, peek() == UInt8(ascii: "("), let inner = Call(rawValue: name) {
          index += 1
          scan(until: UInt8(ascii: ")"), in: inner)
        } else if peek() == UInt8(ascii: ":") {
          label = name
        }
      } else {
        if byte == UInt8(ascii: ",") { label = nil }
        index += 1
      }
    }
    if let call { take(literals, of: call) }
  }

  private mutating func take(_ literals: [(label: String?, text: String)], of call: Call) {
    let context = literals.first { $0.label == "context" }?.text
    let plural = literals.first { $0.label == "plural" }?.text
    for literal in literals
    where Self.translatedLabels.contains(literal.label) && literal.text.contains(where: \.isTranslatable) {
      let key = SourceText.Key(context: context, text: literal.text, plural: plural)
      texts.append(SourceText(key: key, note: note ?? "", file: path))
    }
    if !literals.isEmpty { note = nil }
  }

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func scanComment() {
    let line = bytes[index...].prefix { $0 != UInt8(ascii: "\n") }
    let goesOn = bytes[min(commentEnd, index)..<index].allSatisfy { " \n".utf8.contains($0) }
    index += line.count
    commentEnd = index
    let text = String(decoding: line.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: " ") }, as: UTF8.self)
    if text.hasPrefix("Translators:") {
      note = text.dropFirst("Translators:".count).trimmingCharacters(in: .whitespaces)
    } else if goesOn {
      note = note.map { "\($0) \(text)" }
    }
  }

  /// Scans a literal, and returns it with `%1`, `%2`, … in place of the values.
  private mutating func scanLiteral() -> String {
    let isLong = bytes[index...].starts(with: "\"\"\"".utf8)
    let quote = isLong ? "\"\"\"" : "\""
    index += quote.utf8.count
    var (text, values) = ([UInt8](), 0)
    while index < bytes.count, !bytes[index...].starts(with: quote.utf8) {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), let escaped = peek() else {
        text.append(byte)
        continue
      }
      index += 1
      switch escaped {
      case UInt8(ascii: "("):
        scan(until: UInt8(ascii: ")"), in: nil)
        values += 1
        text += Array("%\(values)".utf8)
      case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
      // A line that goes on in the next one.
      case UInt8(ascii: "\n"): text += Array("\\\n".utf8)
      default: text.append(escaped)
      }
    }
    index += quote.utf8.count
    let string = String(decoding: text, as: UTF8.self)
    return isLong ? Self.unindented(string) : string
  }

  private static func unindented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let indentation = lines.last?.prefix { $0 == " " }.count ?? 0
    return lines.dropFirst().dropLast().map { $0.dropFirst(indentation) }.joined(separator: "\n")
      .replacing("\\\n", with: "")
  }
}

extension UInt8 {
  fileprivate var isOfName: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "_")
  }
}

extension Character {
  /// Whether a text with this character can need a translation.
  fileprivate var isTranslatable: Bool { isLetter || isNumber || isPunctuation }
}

/// The sources of the package.
enum Sources {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The texts of all files, each once, in the order of the files' paths.
  static let texts: [SourceText] = {
    var seen: Set<SourceText.Key> = []
    return files.flatMap(\.texts).filter { seen.insert($0.key).inserted }
  }()

  static let files: [SourceFile] = paths.map { path in
    let data = FileManager.default.contents(atPath: folder.appending(path: path).path) ?? Data()
    return SourceFile(String(decoding: data, as: UTF8.self), path: path)
  }

  static let paths: [String] = {
    let sources = FileManager.default.enumerator(atPath: folder.appending(path: "Sources").path)
    return (sources ?? .init()).compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { "Sources/\($0)" }
      .sorted()
  }()
}
