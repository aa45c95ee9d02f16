import Gallery
import Terminal

extension FindPopup {
  /// Makes the list of all commands with their keys: those of the table, the user's own, and those of the place.
  ///
  /// A command that is not possible is dimmed and gives the reason, as in lazygit's menus, so that the user learns what it
  /// waits for.
  /// - Parameters:
  ///   - place: The name of the layer that has the keys. Its commands come first.
  ///   - actions: The actions of the window and of the layer.
  ///   - onRun: Called with the command that the user chooses.
  static func commands(
    of place: String, _ actions: GalleryWindow.Actions,
    shortcuts: [(heading: String, all: [Shortcut])] = [], keys: CommandTable, onRun: @escaping (Command) -> Void
  ) -> FindPopup {
    let sections = keys.sections(of: place, Set(actions.layer.map(\.command)))
    let lines = sections.flatMap { section in
      section.bindings.map { binding in
        let action = actions.all.first { $0.command == binding.command }
        let refusal = action.map(\.refusal) ?? binding.section.refusal(in: place)
        let run = { onRun(binding.command) }
        return (Entry(keys.texts(of: binding), refusal: refusal, heading: section.heading), run)
      }
    }
    let others = shortcuts.flatMap { section in
      section.all.map { shortcut in
        let texts = CommandField.Entry(title: shortcut.title, keys: shortcut.keys.map(\.name))
        return (Entry(texts, refusal: shortcut.refusal, heading: section.heading), shortcut.perform)
      }
    }
    let entries = lines + others
    let popup = FindPopup(
      name: localized("Commands"), hint: localized("Type a command"), entries: entries.map(\.0),
      noMatch: CommandField.noCommand(matching:), hints: [.moveUp, .press, .switchWindow, .close], keys: keys
    ) { entries[$0].1() }
    popup.moreActions = { [unowned popup] in [Action(.help) { popup.onClose() }] }
    return popup
  }
}

extension FindPopup.Entry {
  fileprivate init(_ texts: CommandField.Entry, refusal: String?, heading: String) {
    self.init(texts: texts, note: refusal ?? "", refusal: refusal, heading: heading)
  }
}

extension KeyBinding.Section {
  /// Returns the reason why a command of the section is unknown in a place.
  fileprivate func refusal(in place: String) -> String {
    if place == home.heading { return localized("Not now.") }
    return switch home {
    case .photos: localized("In Photos.")
    case .viewer: localized("In the viewer.")
    case .comparison: localized("In a comparison.")
    default: localized("Not here.")
    }
  }

  /// The section with the name of the place in which the commands are known.
  private var home: Self { self == .marking || self == .rating ? .photos : self }
}
