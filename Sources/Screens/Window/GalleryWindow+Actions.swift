import Terminal
import ViewModels

extension GalleryWindow {
  /// Returns the actions that do not belong to a layer.
  /// - Parameters:
  ///   - layer: The topmost layer.
  ///   - layerActions: Its own actions. If it can be closed, quitting shares a key with that and has to wait.
  @ActionList func windowActions(above layer: any Layer, _ layerActions: [Action]) -> [Action] {
    Action(.redraw) { [self] in console.redraw() }
    if layer.extent != .popup {
      Action(.help) { [self] in showCommands(layer) }
      if let settingsEditor {
        Action(.settings) { [self] in
          open(SettingsPopup(editor: settingsEditor) { [unowned console] in console.setNeedsDisplay() })
        }
      }
    }
    // After a comparison, from the list or the viewer.
    if let last = viewModels.choosing.lastComparison, layer is PhotosScreen || layer is ViewerScreen {
      let count = last.beaten.count
      if count > 0 {
        Action(.rejectBeaten) { [self] in confirmRejection(of: count) { last.rejectBeaten() } }
      }
    }
    if layer.extent == .room {
      if !layerActions.contains(where: { $0.command == .close }) { Action(.quit) { [self] in quit() } }
      Action(.goTo) { [self] in goTo(layerActions) }
      placeActions
      Action(.jobs) { [self] in showJobs() }
      Action(.signIn) { [self] in signIn() }
      // The photos' room has its own, with the other commands for steps.
      if !(layer is PhotosScreen), viewModels.choosing.canDecide {
        Action(.undo) { [self] in viewModels.choosing.deciding.undo() }
      }
      Action(.nextRoom) { [self] in passThrough(to: (current + 1) % rooms.count) }
      Action(.previousRoom) { [self] in passThrough(to: (current + rooms.count - 1) % rooms.count) }
      RoomName.allCases.enumerated().map { index, name in
        Action(name.command) { [self] in enter(room: index) }
      }
    }
  }
}
