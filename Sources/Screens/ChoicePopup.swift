import Gallery
import Terminal

/// A box over the screen with choices, one on each line. Each choice has its own key.
@MainActor
final class ChoicePopup: Popup {
  typealias Choice = ChoiceList.Choice

  var onClose: () -> Void = {}

  let name: String
  private let onChoice: (Int) -> Void
  private var list: ChoiceList
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  init(title: String, choices: [Choice], highlighted: Int = 0, onChoice: @escaping (Int) -> Void) {
    (name, self.onChoice) = (title, onChoice)
    list = ChoiceList(choices, highlighted: highlighted)
  }

  let extent = Extent.popup
  let hints: [Command] = [.moveUp, .press, .close]

  @ActionList var actions: [Action] {
    Action.moves { [self] in list.move($0) }
    Action(.press, label: localized("Choose")) { [self] in choose(list.position.highlighted) }
    Action(.close) { [self] in onClose() }
  }

  func draw(on surface: Surface) {
    box = surface.bounds.centered(columns: list.columns + 2, rows: list.choices.count + 2)
    surface.drawBox(box, title: name)
    list.draw(on: surface.clipped(to: box.inset(columns: 1, rows: 1)))
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
