import Gallery
import Terminal
import ViewModels

/// The keys for the frame of a crop, which the viewer draws over the photo.
@MainActor
final class CropPopup: Popup {
  var onClose: () -> Void = {}

  let name = localized("Crop")
  private let cropping: PhotoCropping
  private let onEnd: (DecisionChange?) -> Void

  private static let zoomStep = 1.1

  /// - Parameter onEnd: Called when the user is done: with the change, or with nil if the photo stays as it is.
  init(_ cropping: PhotoCropping, onEnd: @escaping (DecisionChange?) -> Void) {
    self.cropping = cropping
    self.onEnd = onEnd
  }

  let extent = Extent.popup
  let hints: [Command] = [
    .press, .moveUp, .moveLeft, .zoomIn, .zoomOut, .switchWindow, .narrow, .widen, .removeCrop, .close,
  ]

  var announcement: String? { "\(name): \(cropping.text)" }

  @ActionList var actions: [Action] {
    Action(.press, label: localized("Crop")) { [self] in end(cropping.change) }
    Action(.moveUp) { [cropping] in cropping.move(0, -1) }
    Action(.moveDown) { [cropping] in cropping.move(0, 1) }
    Action(.moveLeft) { [cropping] in cropping.move(-1, 0) }
    Action(.moveRight) { [cropping] in cropping.move(1, 0) }
    Action(.zoomIn) { [cropping] in cropping.scale(by: Self.zoomStep) }
    Action(.zoomOut) { [cropping] in cropping.scale(by: 1 / Self.zoomStep) }
    Action(.switchWindow, label: localized("Ratio")) { [cropping] in cropping.nextRatio() }
    Action(.narrow, refusal: cropping.sidesRefusal) { [cropping] in cropping.widen(by: -1) }
    Action(.widen, refusal: cropping.sidesRefusal) { [cropping] in cropping.widen(by: 1) }
    Action(.removeCrop, refusal: cropping.removalRefusal) { [self] in end(cropping.removal) }
    Action(.close) { [self] in end(nil) }
  }

  private func end(_ change: DecisionChange?) {
    onClose()
    onEnd(change)
  }

  func draw(on surface: Surface) {
    let line = surface.clipped(to: surface.bounds.split(rows: surface.bounds.rows - 1).1)
    line.clear()
    let column = line.put(CellText(" \(name) ", truncatedTo: line.bounds.columns), column: 1, .heading)
    line.put(CellText(cropping.text, truncatedTo: max(0, line.bounds.columns - column - 1)), column: column + 1)
  }

  func handle(_: Mouse) {}
}
