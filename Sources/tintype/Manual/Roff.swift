/// A manual page in the macros of man(7).
struct Roff {
  private(set) var text = ""
  /// Whether the last line is a heading, after which a paragraph needs no macro.
  private var isAfterHeading = false

  /// Starts the page.
  init(title: String, date: String, source: String, manual: String) {
    add(".TH \(Self.quoted(title)) 1 \(Self.quoted(date)) \(Self.quoted(source)) \(Self.quoted(manual))")
    // Neither hyphens nor wide gaps, which make file names and options hard to read.
    add(".nh")
    add(".ad l")
  }

  mutating func section(_ name: String) { addHeading(".SH \(Self.quoted(name))") }

  mutating func subsection(_ name: String) { addHeading(".SS \(Self.quoted(name))") }

  mutating func paragraph(_ text: String) {
    if !isAfterHeading { add(".PP") }
    add(Self.prose(text))
  }

  /// Adds a paragraph with a tag in front of it.
  /// - Parameters:
  ///   - tag: The tag, in roff.
  ///   - columns: The width of the tag's column.
  ///   - isCompact: Whether no blank line is above the paragraph.
  mutating func item(_ tag: String, _ text: String, columns: Int = 7, isCompact: Bool = false) {
    if isCompact { add(".PD 0") }
    add(".TP \(columns)")
    add(tag)
    add(Self.prose(text))
    if isCompact { add(".PD") }
  }

  /// Adds a line of roff.
  mutating func add(_ line: String) {
    text += line + "\n"
    isAfterHeading = false
  }

  private mutating func addHeading(_ line: String) {
    add(line)
    isAfterHeading = true
  }
}

// MARK: - Text

extension Roff {
  /// Returns prose: each sentence on a line of its own, and text in backticks in bold.
  static func prose(_ text: String) -> String {
    let parts = text.replacing("\n", with: " ").split(separator: "`", omittingEmptySubsequences: false)
    let line = parts.enumerated().map { $0.isMultiple(of: 2) ? words(String($1)) : bold(String($1)) }.joined()
    return line.replacing(". ", with: ".\n").split(separator: "\n").flatMap(wrapped)
      .map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }.joined(separator: "\n")
  }

  /// Returns the lines of a sentence, of at most 78 characters if its words allow that.
  private static func wrapped(_ sentence: Substring) -> [String] {
    sentence.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + word.count < 78 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }

  static func bold(_ text: String) -> String { "\\fB\(code(text))\\fR" }

  static func italic(_ text: String) -> String { "\\fI\(code(text))\\fR" }

  /// Returns text that is typed, in which `-` is the character of the keyboard.
  private static func code(_ text: String) -> String { escaped(text).replacing("-", with: "\\-") }

  /// Returns text in which only the dashes of options are characters of the keyboard. The others are hyphens.
  private static func words(_ text: String) -> String {
    escaped(text).split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.contains(#/^[(]?-/#) ? String($0.replacing("-", with: "\\-")) : String($0) }.joined(separator: " ")
  }

  /// Returns the argument of a macro.
  private static func quoted(_ text: String) -> String { "\"\(escaped(text).replacing("\"", with: "\\(dq"))\"" }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case _ where scalar.isASCII: String(scalar)
      default:
        // At least four digits, as groff_char(7) requires.
        "\\[u" + String(repeating: "0", count: scalar.value < 0x1000 ? 1 : 0)
          + String(scalar.value, radix: 16, uppercase: true) + "]"
      }
    }.joined()
  }
}
