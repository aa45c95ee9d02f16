import Gallery
import Terminal

/// All keys with what they do, first those of the place that the user is in. A typed text finds some of them.
@MainActor
final class HelpPopup: Popup {
  private struct Row {
    /// The texts by which the row is found.
    var texts: CommandField.Entry
    /// The names of the keys in one text.
    var keys: String
    var title: String { texts.title }
  }

  private enum Line {
    case blank
    case heading(String)
    case command(Row)
    case notice(CellText)
  }

  var onClose: () -> Void = {}

  private let sections: [(heading: String, rows: [Row])]
  /// The title of the section of the user's own commands.
  private static var ownHeading: String { localized("Own commands") }
  private let field: CommandField
  /// The width of the keys, and of a column with keys and titles.
  private let keyColumns, columns: Int
  private var position = TextPosition()
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The blank columns between keys and titles, and between two columns of lines.
  private static let (keyGap, columnGap) = (2, 4)
  /// The number of lines that an announcement has.
  private static let mostAnnounced = 5

  /// - Parameters:
  ///   - place: The name of the layer that has the keys.
  ///   - commands: The commands that the layer knows.
  ///   - own: The user's own commands.
  init(place: String, commands: Set<Command>, own: [Shortcut] = [], keys: CommandTable) {
    let ownRows = own.map { shortcut in
      let names = shortcut.keys.map(\.name)
      return Row(texts: .init(title: shortcut.title, keys: names), keys: names.joined(separator: ", "))
    }
    sections =
      keys.sections(of: place, commands).map { section in
        let rows = keys.helpRows(of: section.bindings).map { binding in
          var texts = keys.texts(of: binding)
          texts.title = binding.range?.title ?? binding.title
          return Row(texts: texts, keys: keys.helpKeyNames(of: binding))
        }
        return (section.heading, rows)
      } + (own.isEmpty ? [] : [(Self.ownHeading, ownRows)])
    field = CommandField(hint: localized("Type to find a key"), keys: keys)
    let rows = sections.flatMap(\.rows)
    keyColumns = rows.map { CellText($0.keys).width }.max() ?? 0
    columns = keyColumns + Self.keyGap + (rows.map { CellText($0.title).width }.max() ?? 0)
    field.onChange = { [unowned self] in position.scroll(.toFirst) }
  }

  var name: String { localized("Keys") }
  let extent = Extent.popup
  let isTyping = true
  let hints: [Command] = [.moveUp, .close]

  /// The text of the field, and the lines from the first one in view on.
  var announcement: String? {
    let all = sections.flatMap { [.heading($0.heading)] + $0.rows.map { Line.command($0) } }
    let found = field.text.isEmpty ? all : Array(foundLines.joined())
    let lines = found.dropFirst(position.top).prefix(Self.mostAnnounced).map(words)
    return "\(name): \(field.announcement) · \(lines.joined(separator: ", "))"
  }

  private func words(of line: Line) -> String {
    switch line {
    case .blank: ""
    case .heading(let text): text
    case .notice(let text): text.string
    case .command(let row): "\(row.keys) \(row.title)"
    }
  }

  /// Escape clears the text first. Of the keys that show the help, those that type nothing also hide it.
  @ActionList var actions: [Action] {
    Action(.close, label: field.text.isEmpty ? nil : localized("Clear")) { [self] in
      if field.text.isEmpty { onClose() } else { field.text = "" }
    }
    Action(.help) { [self] in onClose() }
    if position.isScrollable { Action.moves { [self] in position.scroll($0) } }
  }

  func type(_ event: InputEvent) -> Bool { field.type(event) }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: position.scroll(.rows(-1))
    case .wheelDown: position.scroll(.rows(1))
    case .press: if box.isMissed(by: mouse) { onClose() }
    case .release, .drag: break
    }
  }
}

// MARK: - Drawing

extension HelpPopup {
  func draw(on surface: Surface) {
    let all = columnsOfAll(on: surface)
    // A low screen has no room for blank rows.
    let spacing = all.height + 5 <= surface.bounds.rows ? 1 : 0
    box = surface.bounds.centered(
      columns: all.columns.count * (columns + Self.columnGap) - Self.columnGap + 6, rows: all.height + 3 + 2 * spacing)
    surface.drawBox(box, title: name)

    let (top, below) = box.inset(columns: 3, rows: 1).split(rows: 1)
    field.draw(on: surface.clipped(to: top))
    let text = below.inset(rows: spacing)
    // The box keeps its size while the user types.
    let shown = field.text.isEmpty ? all : TextColumns(foundLines, most: all.columns.count, height: text.rows)
    position.setExtent(count: shown.height, capacity: text.rows)
    for (index, lines) in shown.columns.enumerated() {
      let (_, place) = text.split(columns: index * (columns + Self.columnGap))
      draw(lines, on: surface.clipped(to: place.split(columns: columns).0))
    }
    surface.clipped(to: text.inset(columns: -2)).drawArrows(
      above: position.top > 0, below: position.top + text.rows < shown.height)
  }

  /// Returns all sections in as few columns as show them at once, or in as many as the screen has room for.
  private func columnsOfAll(on surface: Surface) -> TextColumns<Line> {
    let blocks = sections.map { [.heading($0.heading)] + $0.rows.map { Line.command($0) } }
    // The border and the field take three rows. On both sides, the screen stays visible.
    let needed = TextColumns(blocks, separator: [.blank], most: .max, height: surface.bounds.rows - 3).columns.count
    let room = (surface.bounds.columns - 12 + Self.columnGap) / (columns + Self.columnGap)
    return TextColumns(blocks, separator: [.blank], most: min(needed, room))
  }

  private var foundLines: [[Line]] {
    let rows = sections.flatMap(\.rows)
    let found = field.found(in: rows.map(\.texts))
    if found.isEmpty {
      return [
        CommandField.noCommand(matching: field.text).flatMap { line in
          CellText(line).wrapped(to: columns).map { .notice($0) }
        }
      ]
    }
    return found.map { [.command(rows[$0])] }
  }

  private func draw(_ lines: [Line], on surface: Surface) {
    let keyColumns = min(keyColumns, surface.bounds.columns * 2 / 5)
    for (row, line) in lines.dropFirst(position.top).prefix(surface.bounds.rows).enumerated() {
      switch line {
      case .blank: break
      case .heading(let text): surface.put(text, row: row, .heading)
      case .notice(let text): surface.put(text, row: row, .secondary)
      case .command(let command):
        let title = CellText(command.title)
        // On a narrow screen, a long title begins closer to its keys, and long names of keys take the room of a short title.
        let room = surface.bounds.columns - Self.keyGap - title.width
        let names = CellText(command.keys, truncatedTo: max(keyColumns, room))
        let column = max(names.width, min(keyColumns, room)) + Self.keyGap
        surface.put(names, row: row, .accent, lighting: field.ranges)
        surface.put(
          title.truncated(to: surface.bounds.columns - column), column: column, row: row, lighting: field.ranges)
      }
    }
  }
}
