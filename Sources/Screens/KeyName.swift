import Terminal

extension Key {
  /// The key's name in the help and the footer, such as "k", "Ctrl-u", "PgDn" or "↑".
  var name: String { modifiers.prefix + code.name }

  /// Whether the key types a character, which a text field takes for its text.
  var isTyped: Bool {
    if case .character = code { modifiers.subtracting(.shift).isEmpty } else { false }
  }
}

extension Key.Modifiers {
  fileprivate var prefix: String {
    [(Self.control, "Ctrl-"), (.alt, "Alt-"), (.shift, "Shift-")].filter { contains($0.0) }.map(\.1).joined()
  }
}

extension Key.Code {
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
