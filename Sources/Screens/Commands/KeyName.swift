import Gallery
import Terminal

extension Key {
  /// The key's name in the help and the footer, such as "k", "Ctrl-u", "PgDn" or "↑".
  var name: String { modifiers.prefix + code.name }

  /// The key of a name in a configuration, such as "Ctrl-u" or "PgDn", which is the same in all languages; nil if there is
  /// none. Upper and lower case matter for letters alone.
  init?(name: String) {
    var (rest, modifiers) = (name[...], Modifiers())
    while let (prefix, modifier) = Modifiers.prefixes.first(where: { rest.lowercased().hasPrefix($0.name) }),
      rest.count > prefix.count
    {
      modifiers.insert(modifier)
      rest = rest.dropFirst(prefix.count)
    }
    guard let code = Code(name: String(rest)) else { return nil }
    self.init(code, modifiers)
  }

  /// Whether the key types a character, which a text field takes for its text.
  var isTyped: Bool {
    if case .character = code { modifiers.subtracting(.shift).isEmpty } else { false }
  }
}

extension Key.Modifiers {
  fileprivate static let prefixes: [(name: String, modifier: Self)] = [
    ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
  ]

  fileprivate var prefix: String {
    [
      (Self.control, localized("Ctrl-", context: "a key")), (.alt, localized("Alt-", context: "a key")),
      (.shift, localized("Shift-", context: "a key")),
    ].filter { contains($0.0) }.map(\.1).joined()
  }
}

extension Key.Code {
  /// The keys that type no character, by their names in a configuration.
  private static let named: [String: Self] = [
    "space": .character(" "), "enter": .enter, "return": .enter, "tab": .tab, "esc": .escape, "escape": .escape,
    "backspace": .backspace, "del": .delete, "delete": .delete, "ins": .insert, "insert": .insert,
    "up": .up, "↑": .up, "down": .down, "↓": .down, "left": .left, "←": .left, "right": .right, "→": .right,
    "home": .home, "end": .end, "pgup": .pageUp, "pageup": .pageUp, "pgdn": .pageDown, "pagedown": .pageDown,
  ]

  fileprivate init?(name: String) {
    let lower = name.lowercased()
    if let code = Self.named[lower] {
      self = code
    } else if lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...24).contains(number) {
      self = .function(number)
    } else if name.count == 1, let character = name.first, !character.isWhitespace {
      self = .character(character)
    } else {
      return nil
    }
  }

  fileprivate var name: String {
    switch self {
    case .character(" "): localized("Space", context: "a key")
    case .character(let character): String(character)
    case .enter: localized("Enter", context: "a key")
    case .tab: localized("Tab", context: "a key")
    case .escape: localized("Esc", context: "a key")
    case .backspace: localized("Backspace", context: "a key")
    case .delete: localized("Del", context: "a key")
    case .insert: localized("Ins", context: "a key")
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .home: localized("Home", context: "a key")
    case .end: localized("End", context: "a key")
    case .pageUp: localized("PgUp", context: "a key")
    case .pageDown: localized("PgDn", context: "a key")
    case .function(let number): "F\(number)"
    }
  }
}
