import Terminal

extension Key {
  /// The key's name in the help and the footer, such as "k", "Ctrl-u", "PgDn" or "↑".
  var name: String { modifiers.prefix + code.name }

  /// The key of a name, such as "Ctrl-u" or "PgDn"; nil if there is none. Upper and lower case matter for letters alone.
  init?(name: String) {
    var (rest, modifiers) = (name[...], Modifiers())
    while let (modifier, prefix) = Modifiers.prefixes.first(where: { rest.lowercased().hasPrefix($0.1.lowercased()) }),
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
  fileprivate static let prefixes: [(Self, String)] = [(.control, "Ctrl-"), (.alt, "Alt-"), (.shift, "Shift-")]

  fileprivate var prefix: String { Self.prefixes.filter { contains($0.0) }.map(\.1).joined() }
}

extension Key.Code {
  /// The keys that type no character, and further names for some of them.
  private static let named: [Self] =
    [
      .character(" "), .enter, .tab, .escape, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end,
      .pageUp,
      .pageDown,
    ] + (1...24).map(Self.function)
  private static let otherNames: [String: Self] = [
    "return": .enter, "escape": .escape, "delete": .delete, "insert": .insert, "pageup": .pageUp, "pagedown": .pageDown,
    "up": .up, "down": .down, "left": .left, "right": .right,
  ]

  fileprivate init?(name: String) {
    if name.count == 1, let character = name.first, !character.isWhitespace {
      self = Self.named.first { $0.name == name } ?? .character(character)
    } else {
      let name = name.lowercased()
      guard let code = Self.named.first(where: { $0.name.lowercased() == name }) ?? Self.otherNames[name] else {
        return nil
      }
      self = code
    }
  }

  fileprivate var name: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .enter: "Enter"
    case .tab: "Tab"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F\(number)"
    }
  }
}
