import Terminal
import ViewModels

/// The guestbook's form as one screen, over any room.
@MainActor
final class SignInPopup: Popup {
  var onClose: () -> Void = {}

  private let inputs = GuestbookInputs()
  private let output: GuestbookViewModel.Output
  private var bindings: [Subscription] = []
  private var button = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// - Parameter onChange: Asks for a frame.
  init(viewModel: GuestbookViewModel, onChange: @escaping () -> Void) {
    output = viewModel.transform(GuestbookViewModel.Input(name: inputs.$name, validate: inputs.validate))
    bindings = [output.greeting.bind { _ in onChange() }, output.fault.bind { _ in onChange() }]
  }

  let extent = Extent.popup
  let hints: [Command] = [.press, .confirm, .close]

  private var isSigned: Bool { !output.greeting.value.isEmpty }

  func draw(on surface: Surface) {
    let box = surface.bounds.centered(columns: 52, rows: 7)
    surface.drawBox(box, title: "Sign in")
    let inside = surface.clipped(to: box.inset(columns: 3, rows: 1))
    let lines = (0..<inside.bounds.rows).map { row in
      inside.clipped(
        to: Rect(column: inside.bounds.column, row: inside.bounds.row + row, columns: inside.bounds.columns, rows: 1))
    }
    guard lines.count >= 3 else { return }
    // A low screen has no room for what the field is for.
    let top = lines.count > 3 ? 1 : 0
    if isSigned {
      lines[1].put(CellText(output.greeting.value, truncatedTo: inside.bounds.columns), .title)
    } else {
      if top > 0 { lines[0].put("Your name", .secondary) }
      inputs.field.draw(hint: "Who are you?", hasFocus: true, on: lines[top].on(.image))
      lines[top + 1].put(CellText(output.fault.value ?? "", truncatedTo: inside.bounds.columns), .accent)
    }
    let label = isSigned ? "  Ok  " : "  Validate  "
    button = lines[lines.count - 1].bounds.centered(columns: CellText(label).width, rows: 1)
    inside.clipped(to: button).put(label, .button)
  }

  func type(_ event: InputEvent) -> Bool { !isSigned && inputs.field.handle(event) }

  func label(of command: Command) -> String? { command == .press ? "Sign" : nil }

  func availability(of command: Command) -> Availability {
    switch command {
    // Escape confirms, too, and must not sign a name.
    case .press: isSigned ? .absent : .available
    case .confirm: isSigned ? .available : .absent
    case .close, .redraw: .available
    default: .absent
    }
  }

  func perform(_ command: Command) {
    if command == .press { inputs.validate.send() } else { onClose() }
  }

  func handle(_ mouse: Mouse) {
    if mouse.action == .press, button.contains(column: mouse.column, row: mouse.row) {
      perform(isSigned ? .confirm : .press)
    }
  }
}
