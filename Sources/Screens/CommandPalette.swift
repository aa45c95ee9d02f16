import Terminal

/// The commands of a place, with their keys. A typed text finds some of them, and Enter carries one out.
@MainActor
final class CommandPalette: Popup {
  var onClose: () -> Void = {}

  private let bindings: [KeyBinding]
  private let placeActions: [Action]
  private let onRun: (Command) -> Void
  private let field: CommandField
  /// The commands that the text finds.
  private var found: [KeyBinding]
  private var list = ChoiceList([])
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The largest number of commands in view.
  private static let mostRows = 16

  /// - Parameters:
  ///   - bindings: The rows of the table, in the order in which they are listed.
  ///   - actions: The actions of the place and of the window. Commands without one are left out.
  ///   - onRun: Called with the command that the user chooses, even if its action is not possible.
  init(_ bindings: [KeyBinding], actions: [Action], keys: CommandTable, onRun: @escaping (Command) -> Void) {
    self.bindings = bindings.filter { binding in actions.contains { $0.command == binding.command } }
    (placeActions, self.onRun, found) = (actions, onRun, self.bindings)
    field = CommandField(hint: "Type a command", keys: keys)
    list = ChoiceList(found.map(choice))
    field.onChange = { [unowned self] in find() }
  }

  let name = "Commands"
  let extent = Extent.popup
  let isTyping = true
  let hints: [Command] = [.moveUp, .press, .switchWindow, .close]

  @ActionList var actions: [Action] {
    Action.moves { [self] in list.move($0) }
    Action(.press, label: "Run", refusal: noMatch) { [self] in run(list.position.highlighted) }
    Action(.switchWindow, label: "Complete", refusal: noMatch) { [self] in
      field.text = found[list.position.highlighted].title
    }
    Action(.close) { [self] in onClose() }
  }

  private var noMatch: String? { found.isEmpty ? "No command matches." : nil }

  /// Returns the line of a command. A command that is not possible is dimmed and gives the reason, as in lazygit's menus,
  /// so that the user learns what it waits for.
  private func choice(_ binding: KeyBinding) -> ChoiceList.Choice {
    let refusal = placeActions.first { $0.command == binding.command }?.refusal
    return ChoiceList.Choice(
      key: field.keys.keyName(of: binding.command), text: binding.title, note: refusal ?? "",
      isPossible: refusal == nil)
  }

  /// Finds the commands again, since the text has changed, and highlights the best match.
  private func find() {
    found = field.found(in: bindings)
    list.choices = found.map(choice)
    list.highlight(0)
  }

  private func run(_ index: Int) {
    onClose()
    onRun(found[index].command)
  }

  func draw(on surface: Surface) {
    box = surface.bounds.centered(columns: list.columns + 2, rows: min(bindings.count, Self.mostRows) + 3)
    surface.drawBox(box, title: name)
    let (top, rest) = box.inset(columns: 1, rows: 1).split(rows: 1)
    field.draw(on: surface.clipped(to: top.inset(columns: 2)))
    list.draw(on: surface.clipped(to: rest), lighting: field.ranges)
  }

  func type(_ event: InputEvent) -> Bool { field.type(event) }

  func handle(_ mouse: Mouse) {
    if let choice = list.handle(mouse) { run(choice) } else if box.isMissed(by: mouse) { onClose() }
  }
}
