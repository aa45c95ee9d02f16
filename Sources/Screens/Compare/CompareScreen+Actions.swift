import Gallery
import ImageWire
import Terminal
import ViewModels

extension CompareScreen {
  var announcement: String? {
    guard let row = comparison.chosenRow else { return nil }
    let sharpness = panes[chosen]?.sharpness.map { localized("Sharpness \($0)") }
    let photo = [row.detail.name] + row.decisions.signs.map(\.text) + [sharpness].compactMap(\.self)
    return "\(photo.joined(separator: ", ")) · \(CompareStatus.progress(of: comparison))"
  }

  var commandTarget: CommandTarget? {
    guard let row = comparison.chosenRow else { return nil }
    return CommandTarget(file: row.image) { row.fileImages }
  }

  @ActionList var actions: [Action] {
    Action(.close) { [self] in close() }
    let isGone = comparison.chosenRow == nil ? localized("The file is gone.") : nil
    Action(.keep, refusal: isGone ?? (comparison.isDecided ? localized("Only one photo is left.") : nil)) { [self] in
      comparison.choose()
      offerRejection()
    }
    Action(.rejectBeaten, refusal: rejectionRefusal) { [self] in
      onReject(comparison.beaten.count) { [self] in comparison.rejectBeaten() }
    }
    Action(.nextCandidate, refusal: turnRefusal(1)) { [self] in comparison.turn(by: 1) }
    Action(.previousCandidate, refusal: turnRefusal(-1)) { [self] in comparison.turn(by: -1) }
    let isAlone = comparison.isDecided ? localized("Only one photo is shown.") : nil
    Action(.nextPane, refusal: isAlone) { [self] in comparison.moveCursor(by: 1) }
    let areFew = comparison.count < 3 ? localized("There are only two photos.") : nil
    Action(.changePanes, refusal: areFew) { [self] in comparison.addPane() }
    if let row = comparison.chosenRow {
      Action(.mark) { row.toggleMark() }
      if comparison.isDecided, row.decisions.isRejected {
        // A key that is held down ends here.
        Action(.reject, refusal: localized("The last photo is rejected already.")) {}
      }
      Action.deciding(
        about: row, open: { [self] in onOpen($0) }, onChange: { [self] in onChange() },
        decide: { [self] in comparison.decide($0) }
      )
      let undecidable = row.deciding == nil ? Action.cannotDecide(about: row) : nil
      Action(
        .rotate, refusal: undecidable ?? Action.cannotKeep(.orientation, by: row.deciding) ?? row.notReadRefusal
      ) { [self] in
        comparison.decide(.rotation(quarters: 1))
      }
      if let deciding = row.deciding { Action(.toggleAdvance) { deciding.toggleAdvance() } }
    } else {
      Action.ratings(of: { [] }, isRejected: false, refusal: isGone, by: nil, decide: { _ in })
    }
    Action(.undo, refusal: comparison.canUndo ? nil : localized("There is nothing to undo here.")) { [self] in
      comparison.undo()
    }
    Action(.redo, refusal: comparison.canRedo ? nil : localized("There is nothing to redo.")) { [self] in
      comparison.redo()
    }
    imageActions
    moveActions
  }

  @ActionList private var imageActions: [Action] {
    let absent = images.areShown ? nil : localized("No images are shown.")
    let zoomLabel = isWhole ? localized("Actual size") : localized("Fit")
    Action(.zoom, label: zoomLabel, refusal: absent) { [self] in toggleZoom() }
    Action(.zoomIn, refusal: absent) { [self] in scale(by: Zoom.step) }
    Action(.zoomOut, refusal: absent) { [self] in scale(by: 1 / Zoom.step) }
    Action(.unlink, label: areLinked ? nil : localized("Link"), refusal: absent) { [self] in
      areLinked.toggle()
      if let image = panes[chosen]?.image { change { other, _ in other.setScale(of: image) } }
      onNote(areLinked ? localized("The photos move together.") : localized("Each photo moves alone."))
    }
    Action(.goToFocus, refusal: absent) { [self] in goToFocus() }
    Action(.focusPeaking, refusal: absent) { [self] in overlay = overlay == .peaking ? .none : .peaking }
    Action(.clipping, refusal: absent) { [self] in overlay = overlay == .clipping ? .none : .clipping }
    Action(.reload) { [self] in images.retry() }
  }

  /// Moves the photos, or the cursor if whole photos or no images are shown.
  @ActionList private var moveActions: [Action] {
    if !images.areShown || panes[chosen]?.image.isWhole ?? isWhole {
      Action(.moveLeft) { [self] in comparison.moveCursor(by: -1) }
      Action(.moveRight) { [self] in comparison.moveCursor(by: 1) }
      Action(.moveUp) { [self] in comparison.moveCursor(by: -1) }
      Action(.moveDown) { [self] in comparison.moveCursor(by: 1) }
    } else {
      Action(.moveLeft) { [self] in pan(-1, 0) }
      Action(.moveRight) { [self] in pan(1, 0) }
      Action(.moveUp) { [self] in pan(0, -1) }
      Action(.moveDown) { [self] in pan(0, 1) }
    }
  }

  /// Asks what becomes of the others when one photo is left.
  private func offerRejection() {
    guard comparison.isDecided, rejectionRefusal == nil, let row = comparison.chosenRow else { return }
    let others = comparison.beaten.count.photosText
    onOpen(
      ChoicePopup(
        title: localized("\(row.shownFileName ?? row.name) is kept"),
        text: [localized("It has beaten \(others).")],
        choices: [
          .init(key: "l", text: localized("Leave the others as they are")),
          .init(key: "x", text: localized("Reject the others")),
          .init(key: "c", text: localized("Continue comparing")),
        ]
      ) { [self] choice in
        if choice == 1 { comparison.rejectBeaten() }
        if choice < 2 { close() }
      })
  }

  private var rejectionRefusal: String? {
    if !comparison.hasBeaten { return localized("No photo is beaten yet.") }
    let beaten = comparison.beaten
    if beaten.isEmpty { return localized("The beaten photos are rejected already.") }
    return beaten[0].deciding == nil ? Action.cannotDecide(about: beaten[0]) : nil
  }

  private func turnRefusal(_ step: Int) -> String? {
    guard !comparison.canTurn(by: step) else { return nil }
    return step > 0 ? localized("This is the last candidate.") : localized("This is the first candidate.")
  }

  private func close() {
    onEnd()
    onClose()
  }

  func handle(_ mouse: Mouse) {
    let pane = places.firstIndex { $0.contains(column: mouse.column, row: mouse.row) }
    switch mouse.action {
    case .wheelUp: scale(by: Zoom.step)
    case .wheelDown: scale(by: 1 / Zoom.step)
    case .press: if let pane { comparison.moveCursor(to: pane) }
    case .release, .drag: break
    }
  }
}

// MARK: - The images

extension CompareScreen {
  /// The photos that zooming and moving apply to.
  private var changed: [Photo.ID] { areLinked ? comparison.panes : [chosen] }

  /// Changes the image at the cursor, and the linked ones, each with its point of focus.
  private func change(_ change: (inout ViewerImage, FocusPoint?) -> Void) {
    for id in changed {
      guard var pane = panes[id] else { continue }
      change(&pane.image, comparison.row(of: id)?.detail.focus)
      panes[id] = pane
    }
    if let image = panes[chosen]?.image { isWhole = image.isWhole }
  }

  /// Enlarges the image at the cursor, and gives the linked ones its new scale.
  private func scale(by factor: Double) {
    guard var pane = panes[chosen] else { return }
    pane.image.scale(by: factor)
    panes[chosen] = pane
    change { image, _ in image.setScale(of: pane.image) }
  }

  private func pan(_ x: Double, _ y: Double) {
    hasMoved = true
    change { image, _ in image.pan(x, y) }
  }

  /// Shows the actual size at the points of focus, or whole photos.
  private func toggleZoom() {
    let isWhole = panes[chosen]?.image.isWhole ?? isWhole
    hasMoved = false
    change { image, focus in if isWhole { image.showActualSize(at: focus) } else { image.showWhole() } }
  }

  private func goToFocus() {
    guard changed.contains(where: { comparison.row(of: $0)?.detail.focus != nil }) else {
      return onNote(localized("The focus point is unknown."))
    }
    hasMoved = false
    change { image, focus in if let focus { image.show(focus) } }
  }
}
