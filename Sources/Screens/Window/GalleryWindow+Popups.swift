import Gallery
import Terminal
import ViewModels

// The popups that the window itself opens.
extension GalleryWindow {
  /// Asks once in a session before the beaten photos of a comparison are rejected, unless the configuration says otherwise.
  func confirmRejection(of count: Int, then reject: @escaping () -> Void) {
    guard settings.rejectBeaten == .ask, !rejectsBeaten else { return reject() }
    open(
      ChoicePopup(
        title: localized("Reject \(count.photosText)?"),
        text: [
          localized("You have kept other photos in their place."),
          localized("This is one step that can be undone. You won't be asked again until Tintype ends."),
        ],
        choices: [
          .init(key: "n", text: localized("Leave them as they are")), .init(key: "y", text: localized("Reject them")),
        ]
      ) { [unowned self] choice in
        guard choice == 1 else { return }
        rejectsBeaten = true
        reject()
      })
  }

  /// Shows the menu of the rooms and of the places in the current one.
  func goTo(_ layerActions: [Action]) {
    let possible =
      layerActions.filter(\.isPossible).map(\.command) + RoomName.allCases.map(\.command) + [.signIn, .places]
      + (viewModels.places.last == nil ? [] : [.lastPlace])
    let bindings = keys.bindings.filter { $0.letter != nil && possible.contains($0.command) }
    open(ChoicePopup.goTo(bindings) { [unowned self] in _ = give($0, to: room) })
  }

  /// Shows all commands, and runs the one that the user chooses.
  func showCommands(_ layer: any Layer) {
    let shortcuts = [
      (localized("Own commands"), ownShortcuts(of: layer)), (localized("Saved searches"), layer.shortcuts),
    ]
    open(
      FindPopup.commands(of: layer.name, actions(of: layer), shortcuts: shortcuts, keys: keys) {
        [unowned self] in _ = give($0, to: topmost)
      })
  }

  /// Returns the user's own commands, if the layer has photos to run them on.
  func ownShortcuts(of layer: any Layer) -> [Shortcut] {
    OwnCommands(console: console, sharing: viewModels.choosing.sharing)
      .shortcuts(settings.keys.own, on: layer.commandTarget)
  }

  func signIn() {
    open(SignInPopup(viewModel: viewModels.guestbook) { [unowned console] in console.setNeedsDisplay() })
    showStorageProblems()
  }
}
