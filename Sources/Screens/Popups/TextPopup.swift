import Gallery
import Terminal

/// An alert: a box over the screen with a title, a text, which scrolls if it does not fit, and a button.
@MainActor
final class TextPopup: Popup {
  var onClose: () -> Void = {}

  let name: String
  private let button: String
  private let message: String
  /// The action that the alert offers beside its button; nil for none.
  private let offer: Action?
  private var position = TextPosition()
  /// The columns that the lines had in the last frame.
  private var columns = TextPopup.widest

  private static let widest = 52

  private init(title: String, message: String, button: String, offer: Action?) {
    name = title
    self.message = message
    self.button = button
    self.offer = offer
  }

  /// Makes an alert.
  ///
  /// - Parameter onOffer: Carries out the command that the alert offers.
  static func alert(
    _ alert: Alert, keys: CommandTable, onOffer: @escaping @MainActor (Command) -> Void = { _ in }
  ) -> TextPopup {
    let hint = alert.offer == .reload ? "\n\(keys.reloadHint())" : ""
    return TextPopup(
      title: alert.title, message: alert.message + hint, button: alert.button,
      offer: alert.offer.map { offer in Action(offer.command, label: offer.label) { onOffer(offer.command) } })
  }

  let extent = Extent.popup
  let hints: [Command] = [.moveUp, .confirm, .reload, .view]

  /// The title, and the lines from the first one in view on.
  var announcement: String? {
    "\(name): \(lines(of: columns).dropFirst(position.top).map(\.string).joined(separator: " "))"
  }

  @ActionList var actions: [Action] {
    Action(.confirm) { [self] in onClose() }
    Action(.close) { [self] in onClose() }
    if let offer {
      Action(offer.command, label: offer.label) { [self] in
        onClose()
        offer.perform()
      }
    }
    if position.isScrollable { Action.moves { [self] in position.scroll($0) } }
  }

  private func lines(of columns: Int) -> [CellText] {
    message.split(separator: "\n").flatMap { CellText(String($0)).wrapped(to: columns) }
  }

  func draw(on surface: Surface) {
    columns = max(1, min(Self.widest, surface.bounds.columns - 6))
    let lines = lines(of: columns)
    // A low screen has no room for blank rows.
    let isLow = surface.bounds.rows < lines.count + 6
    let spacing = isLow ? 0 : 1
    let buttonRows = 1 + spacing
    let box = surface.bounds.centered(
      columns: max(lines.map(\.width).max() ?? 0, 24) + 6, rows: lines.count + 2 + 2 * spacing + buttonRows)
    surface.drawBox(box, title: name)

    let inside = box.inset(columns: 3, rows: 1 + spacing)
    let (text, rest) = inside.split(rows: inside.rows - buttonRows)
    draw(lines, on: surface.clipped(to: text))
    surface.clipped(to: text.inset(columns: -2)).drawArrows(
      above: position.top > 0, below: position.top + text.rows < lines.count)
    drawButton(on: surface.clipped(to: rest))
  }

  private func draw(_ lines: [CellText], on surface: Surface) {
    position.setExtent(count: lines.count, capacity: surface.bounds.rows)
    for (row, line) in lines.dropFirst(position.top).prefix(surface.bounds.rows).enumerated() {
      surface.put(line, row: row)
    }
  }

  private func drawButton(on surface: Surface) {
    let text = CellText(
      Charset.isPlain ? "[ \(button) ]" : "  \(button)  ", truncatedTo: surface.bounds.columns)
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

extension Alert.Offer {
  /// The command that an offer is made with.
  fileprivate var command: Command {
    switch self {
    case .reload: .reload
    case .view: .view
    }
  }

  fileprivate var label: String {
    switch self {
    case .reload: localized("Try again")
    case .view: localized("View anyway")
    }
  }
}
