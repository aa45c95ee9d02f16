import Gallery
import Terminal

/// A box over the screen with a field for one line of text.
@MainActor
final class FieldPopup: Popup {
  var onClose: () -> Void = {}

  let name: String
  private let label: String
  private let button: String
  private let editor: FieldEditor
  private let isOptional: Bool
  private let refusal: (String) -> String?
  private let onEnter: (String) -> Void
  private let initialText: String

  /// - Parameters:
  ///   - label: The question, above the field.
  ///   - text: The text that the field has at first.
  ///   - button: The footer's label for the key that accepts the text.
  ///   - isOptional: Whether the text may be empty, and may stay as it is without a call of `onEnter`.
  ///   - refusal: Returns why a text can't be accepted; nil if it can.
  ///   - onEnter: Called with the text when the user accepts it.
  init(
    title: String, label: String, text: String, button: String, isOptional: Bool = false,
    refusal: @escaping (String) -> String? = { _ in nil }, onEnter: @escaping (String) -> Void
  ) {
    name = title
    self.label = label
    self.button = button
    self.isOptional = isOptional
    self.refusal = refusal
    self.onEnter = onEnter
    // A name that is only a proposal is replaced by typing, as in the dialogs of a desktop.
    editor = FieldEditor(text, longest: text.count + 4096, isSelected: !isOptional)
    initialText = editor.text
  }

  let extent = Extent.popup
  let hints: [Command] = [.press, .close]

  var announcement: String? { "\(name): \(label): \(editor.announcement)" }

  @ActionList var actions: [Action] {
    let missing = editor.text.isEmpty && !isOptional ? localized("The name is empty.") : nil
    Action(.press, label: button, refusal: missing ?? refusal(editor.text)) { [self] in
      onClose()
      if !isOptional || editor.text != initialText { onEnter(editor.text) }
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
