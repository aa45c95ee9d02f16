import Gallery
import Terminal

/// A box over the screen with a title and lines of text, which scroll if they do not fit.
@MainActor
final class TextPopup: Popup {
  struct Line {
    let text: CellText
    /// The column in which the text starts.
    var indent = 0
  }

  var onClose: () -> Void = {}

  let name: String
  private let button: String?
  private let widest: Int
  /// Returns the lines for a number of columns.
  private let lines: (Int) -> [Line]
  /// Loads the subject of the alert again; nil if the alert does not offer that.
  private let onReload: (() -> Void)?
  private var position = TextPosition()
  /// The columns that the lines had in the last frame.
  private lazy var columns = widest

  private init(
    title: String, button: String?, widest: Int, onReload: (() -> Void)? = nil, lines: @escaping (Int) -> [Line]
  ) {
    self.onReload = onReload
    name = title
    self.button = button
    self.widest = widest
    self.lines = lines
  }

  /// Makes an alert with a button.
  ///
  /// - Parameter onReload: Loads the subject of the alert again, if the alert offers that.
  static func alert(_ alert: Alert, keys: CommandTable, onReload: @escaping () -> Void = {}) -> TextPopup {
    let message = alert.message + (alert.offersReload ? "\n\(keys.reloadHint())" : "")
    return TextPopup(
      title: alert.title, button: alert.button, widest: 52, onReload: alert.offersReload ? onReload : nil
    ) { columns in
      message.split(separator: "\n").flatMap { CellText(String($0)).wrapped(to: columns).map { Line(text: $0) } }
    }
  }

  /// Makes a list of lines to read, such as the problems of a catalog.
  static func list(title: String, _ lines: [String]) -> TextPopup {
    TextPopup(title: title, button: nil, widest: 100) { columns in
      lines.flatMap { line in
        CellText(line).wrapped(to: columns).enumerated().map { Line(text: $1, indent: $0 == 0 ? 0 : 2) }
      }
    }
  }

  let extent = Extent.popup
  var hints: [Command] { [.moveUp, .confirm] + (button == nil ? [.close] : [.reload]) }

  /// The title, and the lines from the first one in view on.
  var announcement: String? {
    "\(name): \(lines(columns).dropFirst(position.top).map(\.text.string).joined(separator: " "))"
  }

  /// The actions of an alert, which has a button, or of a text to read.
  @ActionList var actions: [Action] {
    if button != nil { Action(.confirm) { [self] in onClose() } }
    Action(.close) { [self] in onClose() }
    if let onReload {
      Action(.reload, label: localized("Try again")) { [self] in
        onClose()
        onReload()
      }
    }
    if position.isScrollable { Action.moves { [self] in position.scroll($0) } }
  }

  func draw(on surface: Surface) {
    columns = max(1, min(widest, surface.bounds.columns - 6))
    let lines = lines(columns)
    // A low screen has no room for blank rows.
    let isLow = surface.bounds.rows < lines.count + (button == nil ? 4 : 6)
    let spacing = isLow ? 0 : 1
    let buttonRows = button == nil ? 0 : 1 + spacing
    let box = surface.bounds.centered(
      columns: max(lines.map { $0.indent + $0.text.width }.max() ?? 0, 24) + 6,
      rows: lines.count + 2 + 2 * spacing + buttonRows)
    surface.drawBox(box, title: name)

    let inside = box.inset(columns: 3, rows: 1 + spacing)
    let (text, rest) = inside.split(rows: inside.rows - buttonRows)
    draw(lines, on: surface.clipped(to: text))
    surface.clipped(to: text.inset(columns: -2)).drawArrows(
      above: position.top > 0, below: position.top + text.rows < lines.count)
    if let button { drawButton(button, on: surface.clipped(to: rest)) }
  }

  private func draw(_ lines: [Line], on surface: Surface) {
    position.setExtent(count: lines.count, capacity: surface.bounds.rows)
    for (row, line) in lines.dropFirst(position.top).prefix(surface.bounds.rows).enumerated() {
      surface.put(line.text, column: line.indent, row: row)
    }
  }

  private func drawButton(_ label: String, on surface: Surface) {
    let text = CellText(
      Charset.isPlain ? "[ \(label) ]" : "  \(label)  ", truncatedTo: surface.bounds.columns)
    let (column, row) = ((surface.bounds.columns - text.width) / 2, surface.bounds.rows - 1)
    surface.put(text, column: column, row: row, .button)
    surface.placeCursor(column: column, row: row)
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .press: onClose()
    case .wheelUp: position.scroll(.rows(-1))
    case .wheelDown: position.scroll(.rows(1))
    case .release, .drag: break
    }
  }
}
