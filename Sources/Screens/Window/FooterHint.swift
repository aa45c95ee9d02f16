import Terminal

/// A hint of the footer: the key of a command, the keys of two, or the first and the last key of a range, and a label.
struct FooterHint: Equatable {
  struct NamedKey: Equatable {
    /// The command that a click gives; nil for a range, which a click can't choose from.
    let command: Command?
    let name: String
  }

  let keys: [NamedKey]
  let label: String
  /// Whether the hint is in the first half of the footer.
  let actsOnPhotos: Bool
  /// Whether users try the keys without a hint, as the arrow keys of a list.
  var isObvious = false

  var command: Command? { keys.first?.command }
  var width: Int { keys.reduce(0) { $0 + CellText($1.name).width } + 1 + CellText(label).width }

  /// Returns the hints of a layer's actions.
  /// - Parameters:
  ///   - commands: The commands that the layer offers, in order. Commands that are not possible have no hint.
  ///   - isTyping: Whether a text field takes the characters that are typed. Keys that type one are not offered then.
  static func hints(_ commands: [Command], of actions: [Action], keys: CommandTable, isTyping: Bool) -> [FooterHint] {
    // A key that two commands have is named for the first one, as `p` plays a video and turns back elsewhere.
    var named: Set<Key> = []
    return commands.compactMap { command in
      guard let action = actions.first(where: { $0.command == command }), action.isPossible,
        let binding = keys.binding(of: command), let label = action.label ?? binding.label
      else { return nil }
      guard let key = binding.keys.first(where: { !named.contains($0) }) else {
        guard binding.keys.isEmpty, !isTyping, let name = keys.keyNames(of: command).first else { return nil }
        let key = NamedKey(command: command, name: name)
        return FooterHint(keys: [key], label: label, actsOnPhotos: binding.actsOnPhotos)
      }
      if isTyping, key.isTyped { return nil }
      named.insert(key)
      if let last = binding.last {
        let name = "\(key.name)-\(keys.keyName(of: last))"
        return FooterHint(keys: [NamedKey(command: nil, name: name)], label: label, actsOnPhotos: binding.actsOnPhotos)
      }
      // What moves in both directions has one hint.
      let isPlane =
        command == .moveUp && actions.contains { $0.command == .moveLeft && $0.isPossible && $0.label == nil }
      let others = [binding.partner].compactMap(\.self) + (isPlane ? [.moveLeft, .moveRight] : [])
      let partners = others.map { NamedKey(command: $0, name: keys.keyName(of: $0)) }
      return FooterHint(
        keys: [NamedKey(command: command, name: key.name)] + partners, label: label,
        actsOnPhotos: binding.actsOnPhotos, isObvious: command == .moveUp && action.label == nil)
    }
  }
}

/// The hints that fit in the footer, with their columns: first those that decide about photos, then those that lead elsewhere.
struct FooterLayout {
  let hints: [(hint: FooterHint, column: Int)]
  /// The column of the line between the halves; nil if one of them is empty.
  let divider: Int?

  /// The commands whose hints are dropped last: the ways out, and the way to all other keys.
  private static let lasting: Set<Command> = [.close, .help, .quit]

  /// Lays out as many hints as fit. The last ones are dropped first.
  init(_ hints: [FooterHint], columns: Int) {
    var fitting = hints
    var gap = 2
    while true {
      let width = fitting.reduce(0) { $0 + $1.width }
      // The line between the halves has one blank at each side, so it does not get narrower.
      let gaps = fitting.count - (Self.hasHalves(fitting) ? 2 : 1)
      let needed = width + (Self.hasHalves(fitting) ? 3 : 0)
      if let wide = [3, 2].first(where: { needed + $0 * gaps <= columns }) {
        gap = wide
        break
      }
      guard fitting.count > 1 else { break }
      fitting.remove(at: Self.leastImportant(of: fitting))
    }
    let decisions = fitting.filter(\.actsOnPhotos)
    var column = 0
    func place(_ hint: FooterHint) -> (FooterHint, Int) {
      defer { column += hint.width + gap }
      return (hint, column)
    }
    let first = decisions.map(place)
    divider = Self.hasHalves(fitting) ? column - gap + 1 : nil
    if let divider { column = divider + 2 }
    self.hints = first + fitting.filter { !$0.actsOnPhotos }.map(place)
  }

  /// The columns up to the end of the last hint.
  var width: Int { hints.map { $0.column + $0.hint.width }.max() ?? 0 }

  private static func hasHalves(_ hints: [FooterHint]) -> Bool {
    hints.contains(where: \.actsOnPhotos) && !hints.allSatisfy(\.actsOnPhotos)
  }

  private static func leastImportant(of hints: [FooterHint]) -> Int {
    let others = hints.indices.filter { index in !lasting.contains { $0 == hints[index].command } }
    let obvious = others.count > 1 ? others.first { hints[$0].isObvious } : nil
    return obvious ?? others.last ?? 0
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
