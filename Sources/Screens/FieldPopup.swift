import Terminal

/// A box over the screen that asks for one line of text.
@MainActor
final class FieldPopup: Popup {
  var onClose: () -> Void = {}

  private let title: String
  private let label: String
  private let button: String
  private let editor = FieldEditor(longest: 4096)
  private let onEnter: (String) -> Void

  /// - Parameters:
  ///   - label: What is asked for.
  ///   - text: What stands in the field at first.
  ///   - button: What Enter does.
  init(title: String, label: String, text: String, button: String, onEnter: @escaping (String) -> Void) {
    (self.title, self.label, self.button, self.onEnter) = (title, label, button, onEnter)
    _ = editor.handle(.paste(text))
  }

  let extent = Extent.popup
  let hints: [Command] = [.press, .close]

  func label(of command: Command) -> String? { command == .press ? button : nil }

  func draw(on surface: Surface) {
    let box = surface.bounds.centered(columns: 64, rows: 5)
    surface.drawBox(box, title: title)
    let inside = surface.clipped(to: box.inset(columns: 3, rows: 1))
    inside.put(CellText(label, truncatedTo: inside.bounds.columns), .secondary)
    let (_, below) = inside.bounds.split(rows: 1)
    editor.draw(hint: "", hasFocus: true, on: inside.clipped(to: below.split(rows: 1).0).on(.image))
  }

  func type(_ event: InputEvent) -> Bool { editor.handle(event) }

  func availability(of command: Command) -> Availability {
    switch command {
    case .press: editor.text.isEmpty ? .unavailable("The name is empty.") : .available
    case .close, .redraw: .available
    default: .absent
    }
  }

  func perform(_ command: Command) {
    onClose()
    if command == .press { onEnter(editor.text) }
  }

  func handle(_ mouse: Mouse) {}
}
