import Gallery
import Terminal

/// A box over the screen with a title and lines of text, which scroll where they do not fit.
@MainActor
final class TextPopup: Popup {
  struct Line {
    /// What stands out at the start of the line, such as a key.
    var lead = ""
    var text: CellText
    /// Where the text starts.
    var indent = 0
    var role = Role.text
  }

  var onClose: () -> Void = {}

  private let title: String
  private let button: String?
  private let widest: Int
  /// The lines, for a given number of columns.
  private let lines: (Int) -> [Line]
  /// Loads again what the alert is about; nil where that is of no use.
  private let onReload: (() -> Void)?
  private var position = TextPosition()

  private init(
    title: String, button: String?, widest: Int, onReload: (() -> Void)? = nil, lines: @escaping (Int) -> [Line]
  ) {
    self.onReload = onReload
    self.title = title
    self.button = button
    self.widest = widest
    self.lines = lines
  }

  /// Tells the user something, until the button is pressed.
  ///
  /// - Parameter onReload: Loads again what the alert is about, if it offers that.
  static func alert(_ alert: Alert, onReload: @escaping () -> Void = {}) -> TextPopup {
    let message = alert.message + (alert.offersReload ? "\n\(Binding.reloadHint())" : "")
    return TextPopup(
      title: alert.title, button: alert.button, widest: 52, onReload: alert.offersReload ? onReload : nil
    ) { columns in
      message.split(separator: "\n").flatMap { CellText(String($0)).wrapped(to: columns).map { Line(text: $0) } }
    }
  }

  /// Lines to be read, such as what is wrong with a catalog.
  static func list(title: String, _ lines: [String]) -> TextPopup {
    TextPopup(title: title, button: nil, widest: 100) { columns in
      lines.flatMap { line in
        CellText(line).wrapped(to: columns).enumerated().map { Line(text: $1, indent: $0 == 0 ? 0 : 2) }
      }
    }
  }

  /// The keys, as the table of commands has them.
  static func help() -> TextPopup {
    TextPopup(title: "Keys", button: nil, widest: 60) { columns in
      Array(
        Binding.Section.allCases.map { section in
          [Line(text: CellText(section.rawValue), role: .heading)]
            + Binding.table.filter { $0.section == section }.flatMap { help(for: $0, columns: columns) }
        }.joined(separator: [Line(text: CellText(""))]))
    }
  }

  /// The keys with what they do beside them, or below them where it is narrow.
  private static func help(for binding: Binding, columns: Int) -> [Line] {
    let isNarrow = columns < 44
    let text = CellText(binding.help).wrapped(to: columns - (isNarrow ? 2 : 16))
    if isNarrow {
      return [Line(lead: binding.keyNames, text: CellText(""))] + text.map { Line(text: $0, indent: 2) }
    }
    return text.enumerated().map { Line(lead: $0 == 0 ? binding.keyNames : "", text: $1, indent: 16) }
  }

  let extent = Extent.popup
  var hints: [Command] { [.moveUp, .confirm] + (button == nil ? [.close] : [.reload]) }

  func label(of command: Command) -> String? { command == .reload ? "Try again" : nil }

  func draw(on surface: Surface) {
    let columns = max(1, min(widest, surface.bounds.columns - 6))
    let lines = lines(columns)
    // Blank rows make way first where the screen is low.
    let isLow = surface.bounds.rows < lines.count + (button == nil ? 4 : 6)
    let spacing = isLow ? 0 : 1
    let buttonRows = button == nil ? 0 : 1 + spacing
    let box = surface.bounds.centered(
      columns: max(lines.map { max($0.indent + $0.text.width, CellText($0.lead).width) }.max() ?? 0, 24) + 6,
      rows: lines.count + 2 + 2 * spacing + buttonRows)
    surface.drawBox(box, title: title)

    let inside = box.inset(columns: 3, rows: 1 + spacing)
    let (text, rest) = inside.split(rows: inside.rows - buttonRows)
    draw(lines, on: surface.clipped(to: text))
    // What lies outside is pointed to, beside the text.
    let margin = surface.clipped(to: text.inset(columns: -2))
    if position.top > 0 { margin.putRight("↑", row: 0, .accent) }
    if position.top + text.rows < lines.count { margin.putRight("↓", row: text.rows - 1, .accent) }
    if let button { drawButton(button, on: surface.clipped(to: rest)) }
  }

  private func draw(_ lines: [Line], on surface: Surface) {
    position.setExtent(count: lines.count, capacity: surface.bounds.rows)
    for (row, line) in lines.dropFirst(position.top).prefix(surface.bounds.rows).enumerated() {
      surface.put(line.lead, row: row, .accent)
      surface.put(line.text, column: line.indent, row: row, line.role)
    }
  }

  private func drawButton(_ label: String, on surface: Surface) {
    let text = CellText("  \(label)  ", truncatedTo: surface.bounds.columns)
    surface.put(
      text, column: (surface.bounds.columns - text.width) / 2, row: surface.bounds.rows - 1, .button)
  }

  func availability(of command: Command) -> Availability {
    switch command {
    case .confirm: button == nil ? .absent : .available
    case .close, .redraw: .available
    case .help: button == nil ? .available : .absent
    case .reload: onReload == nil ? .absent : .available
    case .moveUp, .moveDown, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .moveToFirst, .moveToLast:
      position.isScrollable ? .available : .absent
    default: .absent
    }
  }

  func perform(_ command: Command) {
    switch command {
    case .confirm, .close, .help: onClose()
    case .reload:
      onClose()
      onReload?()
    default: position.scroll(command)
    }
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .press: onClose()
    case .wheelUp: position.scroll(by: -1)
    case .wheelDown: position.scroll(by: 1)
    case .release, .drag: break
    }
  }
}
