import Gallery
import Photos
import Terminal
import ViewModels

/// The fifth room: a form of three rows, and the entries of the visitors.
@MainActor
final class GuestbookScreen: Room {
  private let viewModel: GuestbookViewModel
  private unowned let host: any RoomHost
  private let pane: ListPane
  private let inputs = GuestbookInputs()
  private var bindings: [Subscription] = []
  private var faults: Subscription?

  /// The row of the form's button.
  private static let button: RowIndex = 1
  /// The largest width of the page, in columns.
  private static let pageColumns = 72
  /// The least height of the room in which blank lines set the form and the entries apart.
  private static let airyRows = 14

  init(viewModel: GuestbookViewModel, host: any RoomHost, context: CellContext) {
    self.viewModel = viewModel
    self.host = host
    let kinds = CellKinds()
      .adding(NameFieldCell.self) { [inputs] in $0.inputs = inputs }.adding(ValidateCell.self) { [inputs] in
        $0.inputs = inputs
      }
      .adding(GreetingCell.self).adding(GuestbookEntryCell.self)
    pane = ListPane(title: localized("Guestbook"), kinds: kinds, context: context)
    bindings = [
      viewModel.$rows.bind { [unowned self] in
        pane.setRows($0)
        context.onChange()
      },
      viewModel.alerts.bind { [unowned self] in self.host.show($0, from: self) },
    ]
    // The fault is shown below the field, which may be out of view.
    faults = (viewModel.rows.first as? NameFieldRow)?.output.fault.bind { [unowned self] fault in
      if fault != nil { pane.highlight(0) }
    }
  }

  var name: String { localized("Guestbook") }
  let hints: [Command] = [.moveUp, .press, .switchWindow, .goTo, .close, .help, .quit]
  let isLoading = false

  var status: [StatusPart] {
    guard viewModel.isLoaded else { return [] }
    let count = localized("\(entries) entry", plural: "\(entries) entries", count: entries)
    return [StatusPart(text: hasEntries ? count : localized("Nobody has signed yet"))]
  }

  private var entries: Int { viewModel.rows.count { $0 is GuestbookEntryRow } }
  private var hasEntries: Bool { entries > 0 }
  /// Whether a visitor is greeted, whose entry may not be stored yet.
  private var isGreeting: Bool {
    viewModel.rows.contains { ($0 as? GreetingRow)?.output.greeting.value.isEmpty == false }
  }

  func enter() {}
  func passThrough() { pane.highlight(Self.button) }
  func leave() { pane.release() }

  var announcement: String? { pane.announcement }

  func draw(on surface: Surface) {
    let isAiry = surface.bounds.rows >= Self.airyRows
    let size = isAiry ? RowSize.normal : .compact
    if pane.list.rowSize != size { pane.list.rowSize = size }
    let page = surface.clipped(to: surface.bounds.centered(columns: Self.pageColumns, rows: surface.bounds.rows))
    pane.list.draw(notice: [], status: "", hasFocus: true, isDimmed: false, on: page)
    if viewModel.isLoaded, !hasEntries, !isGreeting { drawInvitation(row: isAiry ? 6 : 5, on: page) }
  }

  /// Draws below the form how to sign the guestbook.
  private func drawInvitation(row: Int, on page: Surface) {
    let text = localized("Be the first to sign: type your name, then press \(host.keys.keyName(of: .press)).")
    // The rows start behind the sign of the highlighted one.
    let column = FormColumns.text + 1
    for (index, line) in CellText(text).wrapped(to: page.bounds.columns - column - 1).enumerated() {
      page.put(line, column: column, row: row + index, .secondary)
    }
  }

  /// Whether the field has the keys, since its row is highlighted.
  var isTyping: Bool { pane.list.highlightedRow is NameFieldRow }

  func type(_ event: InputEvent) -> Bool { isTyping && inputs.field.handle(event) }

  @ActionList var actions: [Action] {
    if isTyping {
      Action(.press, label: localized("Sign")) { [self] in inputs.validate.send() }
      Action(.close, label: localized("Done")) { [self] in pane.highlight(Self.button) }
    } else if pane.list.highlightedRow is any Pressable {
      Action(.press, label: localized("Sign")) { [self] in pane.press() }
    }
    Action(.switchWindow, label: localized("Next field")) { [self] in pane.highlight(isTyping ? Self.button : 0) }
    Action.moves(refusal: pane.moveRefusal) { [self] in pane.move($0) }
  }

  func handle(_ mouse: Mouse) { pane.handle(mouse) }
}
