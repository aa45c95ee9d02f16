import Terminal
import ViewModels

/// The fifth room: a form of three rows, and who signed.
@MainActor
final class GuestbookScreen: Room {
  private let viewModel: GuestbookViewModel
  private unowned let host: any RoomHost
  private let pane: ListPane
  private let inputs = GuestbookInputs()
  private var bindings: [Subscription] = []
  private var faults: Subscription?

  /// The row of the form's button.
  private static let button = 1
  private static let kinds = CellKinds().adding(NameFieldCell.self).adding(ValidateCell.self)
    .adding(GreetingCell.self).adding(GuestbookEntryCell.self)

  init(viewModel: GuestbookViewModel, host: any RoomHost, context: CellContext) {
    self.viewModel = viewModel
    self.host = host
    var context = context
    context.form = inputs
    pane = ListPane(title: "Guestbook", kinds: Self.kinds, context: context)
    bindings = [
      viewModel.$rows.bind { [unowned self] in
        pane.setRows($0)
        context.onChange()
      },
      viewModel.alerts.bind { [unowned self] in self.host.show($0, from: self) },
    ]
    // What is wrong with the name stands under the field, which may be out of view.
    faults = (viewModel.rows.first as? NameFieldRow)?.output.fault.bind { [unowned self] fault in
      if fault != nil { pane.highlight(0) }
    }
  }

  let name = "Guestbook"
  let hints: [Command] = [.moveUp, .press, .switchWindow, .close, .help, .quit]
  let isLoading = false

  var status: String {
    let entries = viewModel.rows.count { $0 is GuestbookEntryRow }
    guard viewModel.isLoaded else { return "" }
    return entries == 0 ? "Nobody has signed yet" : "\(entries) \(entries == 1 ? "entry" : "entries")"
  }

  func enter() {}
  func passThrough() { pane.highlight(Self.button) }
  func leave() { pane.release() }

  func draw(on surface: Surface) {
    pane.list.draw(notice: [], status: "", hasFocus: true, isDimmed: false, on: surface)
  }

  /// Whether what is typed goes into the field.
  private var isTyping: Bool { pane.list.highlightedRow is NameFieldRow }

  func type(_ event: InputEvent) -> Bool { isTyping && inputs.field.handle(event) }

  func label(of command: Command) -> String? {
    switch command {
    case .press: "Sign"
    case .switchWindow: "Next field"
    case .close: "Done"
    default: nil
    }
  }

  func availability(of command: Command) -> Availability {
    switch command {
    case .press where isTyping, .close where isTyping: .available
    case .press: pane.list.highlightedRow is any Pressable ? .available : .absent
    case .switchWindow: .available
    // Their keys are typed into the field, and the footer must not offer them; F1 still shows the help.
    case .help where isTyping, .quit where isTyping: .absent
    default: pane.availability(of: command)
    }
  }

  func perform(_ command: Command) {
    switch command {
    case .press where isTyping: inputs.validate.send()
    // From field to button and back, as in any form.
    case .switchWindow: pane.highlight(isTyping ? Self.button : 0)
    case .close: pane.highlight(Self.button)
    default: pane.perform(command)
    }
  }

  func handle(_ mouse: Mouse) { pane.handle(mouse) }
}
