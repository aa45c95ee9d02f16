import Gallery
import Terminal

/// A box over the screen with a title and lines of text, which scroll where they do not fit.
@MainActor
final class TextPopup: Layer {
  struct Line {
    /// What stands out at the start of the line, such as a key.
    var lead = ""
    var text: CellText
    var role = Role.text
  }

  var onClose: () -> Void = {}

  private let title: String
  private let button: String?
  private let widest: Int
  /// The lines, for a given number of columns.
  private let lines: (Int) -> [Line]
  private let leadWidth: Int
  private var position = TextPosition()

  private init(
    title: String, button: String?, widest: Int, leadWidth: Int = 0, lines: @escaping (Int) -> [Line]
  ) {
    self.title = title
    self.button = button
    self.widest = widest
    self.leadWidth = leadWidth
    self.lines = lines
  }

  /// Tells the person something, until the button is pressed.
  static func alert(_ alert: Alert) -> TextPopup {
    TextPopup(title: alert.title, button: alert.button, widest: 52) { columns in
      alert.message.split(separator: "\n").flatMap { CellText(String($0)).wrapped(to: columns).map { Line(text: $0) } }
    }
  }

  /// The keys, as the table of commands has them.
  static func help() -> TextPopup {
    TextPopup(title: "Keys", button: nil, widest: 56, leadWidth: 14) { _ in
      Array(
        Binding.Section.allCases.map { section in
          [Line(text: CellText(section.rawValue), role: .heading)]
            + Binding.table.filter { $0.section == section }.map { Line(lead: $0.keyNames, text: CellText($0.help)) }
        }.joined(separator: [Line(text: CellText(""))]))
    }
  }

  let extent = Extent.popup
  let hints: [Command] = [.moveUp, .confirm, .close]

  func draw(on surface: Surface) {
    let columns = max(1, min(widest, surface.bounds.columns - 6))
    let lines = lines(columns)
    // Blank rows make way first where the screen is low.
    let isLow = surface.bounds.rows < lines.count + (button == nil ? 4 : 6)
    let spacing = isLow ? 0 : 1
    let buttonRows = button == nil ? 0 : 1 + spacing
    let box = surface.bounds.centered(
      columns: max(lines.map { leadWidth + $0.text.width }.max() ?? 0, 24) + 6,
      rows: lines.count + 2 + 2 * spacing + buttonRows)
    let popup = surface.clipped(to: box)
    popup.clear()
    popup.border(.accent)
    popup.put(" \(title) ", column: 2, .heading)

    let inside = box.inset(columns: 3, rows: 1 + spacing)
    let (text, rest) = inside.split(rows: inside.rows - buttonRows)
    draw(lines, on: surface.clipped(to: text))
    if let button { drawButton(button, on: surface.clipped(to: rest)) }
  }

  private func draw(_ lines: [Line], on surface: Surface) {
    position.setExtent(count: lines.count, capacity: surface.bounds.rows)
    for (row, line) in lines.dropFirst(position.top).prefix(surface.bounds.rows).enumerated() {
      surface.put(line.lead, row: row, .accent)
      let column = line.lead.isEmpty ? 0 : leadWidth
      surface.put(line.text.truncated(to: surface.bounds.columns - column), column: column, row: row, line.role)
    }
    if position.top > 0 { surface.putRight("↑", row: 0, .accent) }
    if position.top + surface.bounds.rows < lines.count {
      surface.putRight("↓", row: surface.bounds.rows - 1, .accent)
    }
  }

  private func drawButton(_ label: String, on surface: Surface) {
    let text = "  \(label)  "
    surface.put(
      text, column: (surface.bounds.columns - text.count) / 2, row: surface.bounds.rows - 1, .button)
  }

  func availability(of command: Command) -> Availability {
    switch command {
    case .confirm: button == nil ? .absent : .available
    case .close: button == nil ? .available : .absent
    case .moveUp, .moveDown, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .moveToFirst, .moveToLast:
      position.isScrollable ? .available : .absent
    default: .absent
    }
  }

  func perform(_ command: Command) {
    if command == .confirm || command == .close { onClose() } else { position.scroll(command) }
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
