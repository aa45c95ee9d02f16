import Terminal

/// A hint of the footer: the key of a command, or the keys of two, and a label.
struct FooterHint: Equatable {
  struct Key: Equatable {
    let command: Command
    let name: String
  }

  let keys: [Key]
  let label: String

  var command: Command? { keys.first?.command }
  var width: Int { keys.reduce(0) { $0 + CellText($1.name).width } + 1 + CellText(label).width }

  /// Returns the hints of a layer's actions.
  /// - Parameters:
  ///   - commands: The commands that the layer offers, in order. Commands that are not possible have no hint.
  ///   - isTyping: Whether a text field takes the characters that are typed. Keys that type one are not offered then.
  static func hints(_ commands: [Command], of actions: [Action], keys: CommandTable, isTyping: Bool) -> [FooterHint] {
    commands.compactMap { command in
      guard let action = actions.first(where: { $0.command == command }), action.isPossible,
        let binding = keys.binding(of: command), let label = action.label ?? binding.label,
        let key = binding.keys.first, !(isTyping && key.isTyped)
      else { return nil }
      let partners = binding.partner.map { [Key(command: $0, name: keys.keyName(of: $0))] } ?? []
      return FooterHint(keys: [Key(command: command, name: key.name)] + partners, label: label)
    }
  }
}

/// The hints that fit in the footer, with their columns.
struct FooterLayout {
  let hints: [(hint: FooterHint, column: Int)]

  /// The commands whose hints are dropped last: the ways out, and the way to all other keys.
  private static let lasting: Set<Command> = [.close, .help, .quit]

  /// Lays out as many hints as fit. The last ones are dropped first.
  init(_ hints: [FooterHint], columns: Int) {
    var (fitting, gap) = (hints, 2)
    while true {
      let width = fitting.reduce(0) { $0 + $1.width }
      if let wide = [3, 2].first(where: { width + $0 * (fitting.count - 1) <= columns }) {
        gap = wide
        break
      }
      guard fitting.count > 1 else { break }
      fitting.remove(at: Self.leastImportant(of: fitting))
    }
    var column = 0
    self.hints = fitting.map { hint in
      defer { column += hint.width + gap }
      return (hint, column)
    }
  }

  private static func leastImportant(of hints: [FooterHint]) -> Int {
    let others = hints.indices.filter { index in !lasting.contains { $0 == hints[index].command } }
    // The arrow keys are known anyway, so one other hint outlasts theirs.
    let arrows = others.count == 2 ? others.first { hints[$0].command == .moveUp } : nil
    return arrows ?? others.last ?? 0
  }

  /// Returns the command of the hint at a column. The label belongs to the hint's last key.
  func command(at column: Int) -> Command? {
    guard let (hint, start) = hints.first(where: { ($0.column..<$0.column + $0.hint.width).contains(column) }) else {
      return nil
    }
    var end = start
    for key in hint.keys {
      end += CellText(key.name).width
      if column < end { return key.command }
    }
    return hint.keys.last?.command
  }
}
