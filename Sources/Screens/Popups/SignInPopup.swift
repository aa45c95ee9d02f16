import Gallery
import Terminal
import ViewModels

/// The guestbook's form in a box over any room.
@MainActor
final class SignInPopup: Popup {
  var onClose: () -> Void = {}

  private let inputs = GuestbookInputs()
  private let output: GuestbookViewModel.Output
  private var bindings: [Subscription] = []
  private var button = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// - Parameter onChange: Called to request a frame.
  init(
    viewModel: any ViewModelType<GuestbookViewModel.Input, GuestbookViewModel.Output>, onChange: @escaping () -> Void
  ) {
    output = viewModel.transform(GuestbookViewModel.Input(name: inputs.$name, validate: inputs.validate))
    bindings = [output.greeting.bind { _ in onChange() }, output.fault.bind { _ in onChange() }]
  }

  var name: String { localized("Sign the guestbook") }
  let extent = Extent.popup
  let hints: [Command] = [.press, .confirm, .close]

  var announcement: String? {
    if isSigned { return output.greeting.value }
    return [localized("Your name"), inputs.field.text, output.fault.value].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: ": ")
  }

  /// The actions of the form, or of the greeting. They differ, since Escape closes the greeting but must not sign.
  @ActionList var actions: [Action] {
    if isSigned {
      Action(.confirm) { [self] in onClose() }
    } else {
      Action(.press, label: localized("Sign")) { [self] in inputs.validate.send() }
    }
    Action(.close) { [self] in onClose() }
  }

  private var isSigned: Bool { !output.greeting.value.isEmpty }

  func draw(on surface: Surface) {
    let box = surface.bounds.centered(columns: 52, rows: 7)
    surface.drawBox(box, title: name)
    let inside = surface.clipped(to: box.inset(columns: 3, rows: 1))
    let lines = (0..<inside.bounds.rows).map { row in
      inside.clipped(
        to: Rect(column: inside.bounds.column, row: inside.bounds.row + row, columns: inside.bounds.columns, rows: 1))
    }
    guard lines.count >= 3 else { return }
    // A low screen has no room for the field's label.
    let top = lines.count > 3 ? 1 : 0
    if isSigned {
      lines[1].put(CellText(output.greeting.value, truncatedTo: inside.bounds.columns), .title)
    } else {
      if top > 0 { lines[0].put(localized("Your name"), .secondary) }
      inputs.field.draw(hint: localized("Who are you?"), hasFocus: true, on: lines[top].on(.field))
      lines[top + 1].put(CellText(output.fault.value ?? "", truncatedTo: inside.bounds.columns), .accent)
    }
    let label = "  \(isSigned ? localized("Ok") : localized("Validate"))  "
    button = lines[lines.count - 1].bounds.centered(columns: CellText(label).width, rows: 1)
    inside.clipped(to: button).put(label, .button)
  }

  func type(_ event: InputEvent) -> Bool { !isSigned && inputs.field.handle(event) }

  func handle(_ mouse: Mouse) {
    if mouse.action == .press, button.contains(column: mouse.column, row: mouse.row) {
      perform(isSigned ? .confirm : .press)
    }
  }
}
