import Terminal

/// A box over the screen with a field for one line of text.
@MainActor
final class FieldPopup: Popup {
  var onClose: () -> Void = {}

  let name: String
  private let label: String
  private let button: String
  private let editor: FieldEditor
  private let onEnter: (String) -> Void

  /// - Parameters:
  ///   - label: The question, above the field.
  ///   - text: The text that the field has at first.
  ///   - button: The footer's label for the key that accepts the text.
  ///   - onEnter: Called with the text when the user accepts it.
  init(title: String, label: String, text: String, button: String, onEnter: @escaping (String) -> Void) {
    (name, self.label, self.button, self.onEnter) = (title, label, button, onEnter)
    editor = FieldEditor(text, longest: 4096)
  }

  let extent = Extent.popup
  let hints: [Command] = [.press, .close]

  @ActionList var actions: [Action] {
    Action(.press, label: button, refusal: editor.text.isEmpty ? "The name is empty." : nil) { [self] in
      onClose()
      onEnter(editor.text)
    }
    Action(.close) { [self] in onClose() }
  }

  func draw(on surface: Surface) {
    let box = surface.bounds.centered(columns: 64, rows: 5)
    surface.drawBox(box, title: name)
    let inside = surface.clipped(to: box.inset(columns: 3, rows: 1))
    inside.put(CellText(label, truncatedTo: inside.bounds.columns), .secondary)
    let (_, below) = inside.bounds.split(rows: 1)
    editor.draw(hint: "", hasFocus: true, on: inside.clipped(to: below.split(rows: 1).0).on(.field))
  }

  func type(_ event: InputEvent) -> Bool { editor.handle(event) }

  func handle(_ mouse: Mouse) {}
}
