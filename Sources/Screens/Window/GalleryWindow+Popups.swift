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

  /// Shows the menu of the rooms and of the places in the current one. Each place keeps its position in the menu while it is
  /// refused, and says why when the user chooses it.
  func goTo(_ layerActions: [Action]) {
    let known =
      layerActions.map(\.command) + RoomName.allCases.map(\.command) + [.signIn, .places, .collections]
      + (viewModels.places.last == nil ? [] : [.lastPlace]) + (hasLongJob ? [.jobs] : [])
    let refused = Set(layerActions.filter { !$0.isPossible }.map(\.command))
    let bindings = keys.bindings.filter { $0.letter != nil && known.contains($0.command) }
    open(ChoicePopup.goTo(bindings, refused: refused) { [unowned self] in _ = give($0, to: room) })
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

  func showJobs() {
    let popup = JobsPopup { [unowned self] in jobs }
    popup.onStop = { [unowned console] in console.setNeedsDisplay() }
    open(popup)
  }

  /// Quits; asks first if a step takes long, since the next start has to end it then.
  func quit() {
    guard let job = jobs.first(where: { $0.progress != nil }) else { return onQuit() }
    open(
      ChoicePopup(
        title: localized("Quit before the step is done?"),
        text: [[job.title, job.progress?.text].compactMap(\.self).joined(separator: " · ")],
        choices: [
          .init(key: "n", text: localized("Stay here")),
          .init(key: "y", text: localized("Quit, and go on at the next start")),
        ]
      ) { [unowned self] in if $0 == 1 { onQuit() } })
  }

  func signIn() {
    open(SignInPopup(viewModel: viewModels.guestbook) { [unowned console] in console.setNeedsDisplay() })
    showStorageProblems()
  }
}
