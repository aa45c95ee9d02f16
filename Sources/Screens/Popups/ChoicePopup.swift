import Gallery
import Terminal

/// A box over the screen with choices, one on each line, below a text. Each choice has its own key.
@MainActor
final class ChoicePopup: Popup {
  typealias Choice = ChoiceList.Choice

  var onClose: () -> Void = {}

  let name: String
  private let text: [CellText]
  private let onChoice: (Int) -> Void
  private var list: ChoiceList
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The number of choices that stay visible in a low window, in which the text is cut.
  private static let fewestChoices = 3

  /// - Parameter text: The paragraphs above the choices.
  init(
    title: String, text: [String] = [], choices: [Choice], highlighted: Int = 0, onChoice: @escaping (Int) -> Void
  ) {
    name = title
    self.text = text.map { CellText($0) }
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
    Action(.press, label: localized("Choose")) { [self] in choose(list.position.highlighted) }
    Action(.close) { [self] in onClose() }
  }

  func draw(on surface: Surface) {
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
