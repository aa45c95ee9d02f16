/// The entries of a PO file, the text format of GNU gettext for translations.
///
/// Lines that are no part of an entry are skipped, such as obsolete entries.
public struct POFile: Sendable {
  /// A text and its translation.
  public struct Entry: Hashable, Sendable {
    /// The note that distinguishes the text from an equal one with another meaning (`msgctxt`).
    public var context: String?
    /// The English text (`msgid`). It is empty for the header.
    public var text = ""
    /// The English text for several things, if the text depends on a number (`msgid_plural`).
    public var plural: String?
    /// The translations: one, or one for each plural form (`msgstr`). Those that are missing are empty.
    public var forms: [String] = []
    /// Whether a tool has guessed the translation and no translator has confirmed it.
    public var isFuzzy = false

    /// Creates an entry without texts.
    public init() {}
  }

  /// The entries, in the order of the file.
  public private(set) var entries: [Entry] = []

  private enum Field {
    case context, text, plural
    case form(Int)
  }

  private var entry = Entry()
  private var field: Field?
  private var isFuzzy = false

  /// Reads a file in UTF-8.
  public init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) { read(line.drop { $0 == UInt8(ascii: " ") }) }
    finishEntry()
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    if line.first == UInt8(ascii: "#") {
      finishEntry()
      if line.starts(with: "#,".utf8), String(decoding: line, as: UTF8.self).contains("fuzzy") { isFuzzy = true }
      return
    }
    guard let quote = line.firstIndex(of: UInt8(ascii: "\"")), let text = Self.unquoted(line[quote...]) else { return }
    let keyword = line[..<quote].filter { $0 != UInt8(ascii: " ") }
    if !keyword.isEmpty {
      if keyword.elementsEqual("msgctxt".utf8) || keyword.elementsEqual("msgid".utf8) { beginEntry(keyword) }
      field = Self.field(of: keyword)
    }
    append(text)
  }

  /// A `msgid` begins an entry, unless the `msgctxt` before it has begun it.
  private mutating func beginEntry(_ keyword: [UInt8]) {
    if case .context = field, keyword.elementsEqual("msgid".utf8) { return }
    finishEntry()
    entry.isFuzzy = isFuzzy
    isFuzzy = false
  }

  private mutating func finishEntry() {
    if !entry.forms.isEmpty { entries.append(entry) }
    entry = Entry()
    field = nil
  }

  private static func field(of keyword: [UInt8]) -> Field? {
    switch String(decoding: keyword, as: UTF8.self) {
    case "msgctxt": return .context
    case "msgid": return .text
    case "msgid_plural": return .plural
    case "msgstr": return .form(0)
    case let name:
      guard name.hasPrefix("msgstr["), let number = name.dropFirst(7).first?.wholeNumberValue else { return nil }
      return .form(number)
    }
  }

  private mutating func append(_ text: String) {
    switch field {
    case .context: entry.context = (entry.context ?? "") + text
    case .text: entry.text += text
    case .plural: entry.plural = (entry.plural ?? "") + text
    case .form(let number):
      while entry.forms.count <= number { entry.forms.append("") }
      entry.forms[number] += text
    case nil: break
    }
  }

  /// Returns the text between the quotes, or nil if the second one is missing.
  private static func unquoted(_ quoted: ArraySlice<UInt8>) -> String? {
    guard let end = quoted.lastIndex(of: UInt8(ascii: "\"")), end > quoted.startIndex else { return nil }
    let inside = quoted[(quoted.startIndex + 1)..<end]
    guard inside.contains(UInt8(ascii: "\\")) else { return String(decoding: inside, as: UTF8.self) }
    var text: [UInt8] = []
    var isEscaped = false
    for byte in inside {
      switch byte {
      case UInt8(ascii: "n") where isEscaped: text.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t") where isEscaped: text.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "\\") where !isEscaped:
        isEscaped = true
        continue
      default: text.append(byte)
      }
      isEscaped = false
    }
    return String(decoding: text, as: UTF8.self)
  }
}
