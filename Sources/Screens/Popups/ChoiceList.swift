import Gallery
import Terminal
import ViewModels

/// The lines of a popup that the user chooses from. One of them is highlighted.
@MainActor
struct ChoiceList {
  struct Choice {
    /// The name of the choice's key.
    let key: String
    let text: String
    /// A note at the right, for instance how the current choice is set.
    var note = ""
    /// Whether the choice can be made at the moment.
    var isPossible = true
  }

  /// The choices, which may be replaced by some of the first ones.
  var choices: [Choice] { didSet { position.setCount(choices.count) } }
  private(set) var position = ListPosition()
  /// The width at which every text and note is complete.
  let columns: Int
  private let textColumn: Int
  private var bounds = Rect(column: 0, row: 0, columns: 0, rows: 0)

  init(_ choices: [Choice], highlighted: Int = 0) {
    self.choices = choices
    let keys = choices.map { CellText($0.key).width }
    textColumn = (keys.max() ?? 0) + 4
    columns = textColumn + (choices.map { CellText($0.text).width + CellText($0.note).width }.max() ?? 0) + 6
    position.setCount(choices.count)
    position.highlight(highlighted)
  }

  mutating func move(_ move: Move) { position.move(move) }

  mutating func highlight(_ choice: Int) { position.highlight(choice) }

  /// The highlighted choice in words, with its number; nil if there is none.
  var announcement: String? {
    guard choices.indices.contains(position.highlighted) else { return nil }
    let choice = choices[position.highlighted]
    let words = [choice.text, choice.note, choice.key].filter { !$0.isEmpty }.joined(separator: ", ")
    let (number, count) = ((position.highlighted + 1).grouped, choices.count.grouped)
    return localized("\(number) of \(count): \(words)")
  }

  /// Returns the choice that was clicked. The wheel moves the highlight.
  mutating func handle(_ mouse: Mouse) -> Int? {
    switch mouse.action {
    case .wheelUp: move(.rows(-1))
    case .wheelDown: move(.rows(1))
    case .press where bounds.contains(column: mouse.column, row: mouse.row):
      let choice = position.top + mouse.row - bounds.row
      return choices.indices.contains(choice) ? choice : nil
    case .press, .release, .drag: break
    }
    return nil
  }

  /// Draws the choices in view.
  /// - Parameter found: Returns the parts of a text that stand out, since they match what was typed.
  mutating func draw(on surface: Surface, lighting found: (String) -> [Range<String.Index>] = { _ in [] }) {
    bounds = surface.bounds
    position.setRoom(bounds.rows, layout: .uniform(1))
    for (row, index) in position.visible.enumerated() {
      let line = surface.clipped(
        to: Rect(column: bounds.column, row: bounds.row + row, columns: bounds.columns, rows: 1))
      draw(choices[index], on: line.on(index == position.highlighted ? .selection : .window), lighting: found)
      if index == position.highlighted { line.placeCursor(column: 2) }
    }
    surface.drawArrows(above: position.top > 0, below: position.visible.upperBound < choices.count)
  }

  /// Draws a choice, with its note if that leaves enough room for the text.
  private func draw(_ choice: Choice, on line: Surface, lighting found: (String) -> [Range<String.Index>]) {
    let text = CellText(choice.text, truncatedTo: max(0, line.bounds.columns - textColumn))
    let note = CellText(choice.note)
    line.clear()
    line.put(CellText(choice.key), column: 2, choice.isPossible ? .accent : .secondary, lighting: found)
    line.put(text, column: textColumn, choice.isPossible ? .text : .secondary, lighting: found)
    let column = line.bounds.columns - note.width - 2
    if column > textColumn + text.width { line.put(note, column: column, .secondary) }
  }
}
