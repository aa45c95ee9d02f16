import Terminal

/// A box over the screen with choices, one on each line. Each choice has its own key.
@MainActor
final class ChoicePopup: Popup {
  struct Choice {
    let key: Character
    let text: String
    /// A note at the right, for instance how the current choice is set.
    var note = ""
  }

  var onClose: () -> Void = {}

  private let title: String
  private let choices: [Choice]
  private let onChoice: (Int) -> Void
  private var highlighted: Int
  private var bounds = Rect(column: 0, row: 0, columns: 0, rows: 0)
  /// The first choice in view.
  private var top = 0

  init(title: String, choices: [Choice], highlighted: Int = 0, onChoice: @escaping (Int) -> Void) {
    (self.title, self.choices, self.highlighted, self.onChoice) = (title, choices, highlighted, onChoice)
  }

  let extent = Extent.popup
  let hints: [Command] = [.moveUp, .press, .close]

  @ActionList var actions: [Action] {
    let last = choices.count - 1
    Action(.moveUp) { [self] in highlighted = max(0, highlighted - 1) }
    Action(.moveDown) { [self] in highlighted = min(last, highlighted + 1) }
    Action(.moveToFirst) { [self] in highlighted = 0 }
    Action(.moveToLast) { [self] in highlighted = last }
    Action(.press, label: "Choose") { [self] in choose(highlighted) }
    Action(.close) { [self] in onClose() }
  }

  func draw(on surface: Surface) {
    let widths = choices.map { CellText($0.text).width + CellText($0.note).width }
    let box = surface.bounds.centered(columns: (widths.max() ?? 0) + 13, rows: choices.count + 2)
    surface.drawBox(box, title: title)
    bounds = box.inset(columns: 1, rows: 1)
    top = min(max(top, highlighted - bounds.rows + 1), highlighted)
    for (row, index) in choices.indices.dropFirst(top).prefix(bounds.rows).enumerated() {
      let line = surface.clipped(
        to: Rect(column: bounds.column, row: bounds.row + row, columns: bounds.columns, rows: 1))
      draw(choices[index], on: line.on(index == highlighted ? .selection : .window))
    }
  }

  /// Draws a choice, with its note if that leaves enough room for the text.
  private func draw(_ choice: Choice, on line: Surface) {
    let (text, note) = (CellText(choice.text, truncatedTo: max(0, line.bounds.columns - 5)), CellText(choice.note))
    line.clear()
    line.put(String(choice.key), column: 2, .accent)
    line.put(text, column: 5)
    let column = line.bounds.columns - note.width - 2
    if column > 5 + text.width { line.put(note, column: column, .secondary) }
  }

  /// Takes the keys of the choices.
  func type(_ event: InputEvent) -> Bool {
    guard case .key(let key) = event, let index = choices.firstIndex(where: { Key(.character($0.key)) == key }) else {
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
    guard mouse.action == .press else { return }
    if bounds.contains(column: mouse.column, row: mouse.row) { choose(top + mouse.row - bounds.row) } else { onClose() }
  }
}
