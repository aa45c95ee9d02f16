import Gallery
import Terminal

extension FindPopup.Entry {
  fileprivate init(_ shortcut: Shortcut) {
    self.init(
      texts: .init(title: shortcut.title, keys: shortcut.keys.map(\.name)), note: shortcut.refusal ?? "",
      isPossible: shortcut.refusal == nil)
  }
}

extension FindPopup {
  /// Makes the command palette: the commands of a place, with their keys, and its shortcuts.
  ///
  /// A command that is not possible is dimmed and gives the reason, as in lazygit's menus, so that the user learns what it
  /// waits for.
  /// - Parameters:
  ///   - bindings: The rows of the table, in the order in which they are listed.
  ///   - actions: The actions of the place and of the window. Commands without one are left out.
  ///   - onShortcut: Called with the shortcut that the user chooses, even if it is not possible.
  ///   - onRun: Called with the command that the user chooses, even if its action is not possible.
  static func commands(
    _ bindings: [KeyBinding], actions: [Action], shortcuts: [Shortcut] = [], keys: CommandTable,
    onShortcut: @escaping (Shortcut) -> Void = { $0.perform() }, onRun: @escaping (Command) -> Void
  ) -> FindPopup {
    let bindings = bindings.filter { binding in actions.contains { $0.command == binding.command } }
    let commands = bindings.map { binding in
      let refusal = actions.first { $0.command == binding.command }?.refusal
      return Entry(texts: keys.texts(of: binding), note: refusal ?? "", isPossible: refusal == nil)
    }
    return FindPopup(
      name: localized("Commands"), hint: localized("Type a command"),
      entries: commands + shortcuts.map(Entry.init),
      noMatch: CommandField.noCommand(matching:), hints: [.moveUp, .press, .switchWindow, .close], keys: keys
    ) { index in
      if index < bindings.count {
        onRun(bindings[index].command)
      } else {
        onShortcut(shortcuts[index - bindings.count])
      }
    }
  }
}
