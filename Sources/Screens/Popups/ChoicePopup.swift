import Gallery
import Terminal

/// Choices with their own keys: in a box over the screen, one on each line below a text, or in columns above the footer.
@MainActor
final class ChoicePopup: Popup {
  typealias Choice = ChoiceList.Choice

  var onClose: () -> Void = {}

  let name: String
  private let text: [CellText]
  private let isStrip: Bool
  private let onChoice: (Int) -> Void
  private var list: ChoiceList
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The number of choices that stay visible in a low window, in which the text is cut.
  private static let fewestChoices = 3

  /// - Parameters:
  ///   - text: The paragraphs above the choices.
  ///   - isStrip: Whether the choices are in columns above the footer, so that most of the screen stays visible.
  init(
    title: String, text: [String] = [], choices: [Choice], highlighted: Int = 0, isStrip: Bool = false,
    onChoice: @escaping (Int) -> Void
  ) {
    name = title
    self.text = text.map { CellText($0) }
    self.isStrip = isStrip
    self.onChoice = onChoice
    list = ChoiceList(choices, highlighted: highlighted)
  }

  let extent = Extent.popup
  let hints: [Command] = [.moveUp, .press, .close]

  var announcement: String? {
    let words = text.map(\.string) + [list.announcement].compactMap(\.self)
    return "\(name): \(words.joined(separator: " · "))"
  }

  @ActionList var actions: [Action] {
    Action.moves { [self] in list.move($0) }
    if isStrip {
      Action(.moveLeft) { [self] in list.move(columns: -1) }
      Action(.moveRight) { [self] in list.move(columns: 1) }
    }
    Action(.press, label: localized("Choose")) { [self] in choose(list.position.highlighted) }
    Action(.close) { [self] in onClose() }
  }

  func draw(on surface: Surface) {
    if isStrip { drawStrip(on: surface) } else { drawBox(on: surface) }
  }

  private func drawStrip(on surface: Surface) {
    let rows = list.rows(onColumns: surface.bounds.columns)
    box = surface.bounds.split(rows: surface.bounds.rows - rows - 1).1
    let (top, below) = box.split(rows: 1)
    surface.clipped(to: box).clear()
    surface.clipped(to: top).horizontalRule(row: 0, .accent)
    surface.clipped(to: top).put(CellText(" \(name) ", truncatedTo: top.columns), column: 2, .heading)
    // A low screen shows some of the choices.
    if rows > below.rows {
      list.draw(on: surface.clipped(to: below))
    } else {
      list.drawColumns(on: surface.clipped(to: below))
    }
  }

  private func drawBox(on surface: Surface) {
    // The border and a margin at both sides of the text, and the ends of the border at both sides of the title.
    let (margins, titleMargins) = (6, 6)
    let widest = text.map(\.width).max() ?? 0
    let columns = max(list.columns + 2, widest + margins, CellText(name).width + titleMargins)
    let room = max(0, surface.bounds.rows - 2 - min(list.choices.count, Self.fewestChoices))
    let lines = text.flatMap { $0.wrapped(to: min(columns, surface.bounds.columns) - margins) }.prefix(room)
    box = surface.bounds.centered(columns: columns, rows: lines.count + list.choices.count + 2)
    surface.drawBox(box, title: name)
    let (above, below) = box.inset(columns: 1, rows: 1).split(rows: lines.count)
    let place = surface.clipped(to: above)
    for (row, line) in lines.enumerated() { place.put(line, column: 2, row: row) }
    list.draw(on: surface.clipped(to: below))
  }

  /// Takes the keys of the choices.
  func type(_ event: InputEvent) -> Bool {
    guard case .key(let key) = event, let index = list.choices.firstIndex(where: { $0.key == key.name }) else {
      return false
    }
    choose(index)
    return true
  }

  private func choose(_ index: Int) {
    onClose()
    onChoice(index)
  }

  func handle(_ mouse: Mouse) {
    if let choice = list.handle(mouse) { choose(choice) } else if box.isMissed(by: mouse) { onClose() }
  }
}
