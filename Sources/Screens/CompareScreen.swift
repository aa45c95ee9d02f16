import Gallery
import ImageWire
import Terminal
import ViewModels

/// Two to four photos side by side, with one cursor. They are enlarged and moved together unless the user unlinks them.
@MainActor
final class CompareScreen: Popup {
  var name: String { localized("Comparison") }
  var onClose: () -> Void = {}
  /// Called with a popup to open.
  var onOpen: (any Popup) -> Void = { _ in }
  /// Called with a text to show in passing.
  var onNote: (String) -> Void = { _ in }
  /// Called with the photo at the cursor when the screen closes.
  var onEnd: (Photo.ID) -> Void = { _ in }

  /// The image of a photo in a pane.
  private struct Pane {
    var image = ViewerImage()
    /// The part of the image's rotation that belongs to the photo, in quarters.
    var quarters = 0
    /// The presentation that was drawn last. It stays until the requested one is there.
    var shown: ImagePresentation?
    var sharpness: Int? { image.isWhole ? nil : image.info.sharpness }
  }

  private let comparison: PhotoComparison
  private let images: ImageLayer
  private var panes: [Photo.ID: Pane] = [:]
  /// Whether zooming and moving apply to all panes.
  private var areLinked = true
  /// Whether the user has moved away from the points that the camera focused on.
  private var hasMoved = false
  private var isWhole = false
  private var overlay = ImageOverlay.none
  private var places: [Rect] = []

  init(_ comparison: PhotoComparison, images: ImageLayer) {
    (self.comparison, self.images) = (comparison, images)
  }

  let extent = Extent.window

  let hints: [Command] = [
    .close, .press, .reject, .nextPhoto, .switchWindow, .zoom, .unlink, .compare, .mark, .rateOne, .focusPeaking,
    .clipping, .goToFocus, .help,
  ]

  private var chosen: Photo.ID { comparison.panes[comparison.cursor] }

  func draw(on surface: Surface) {
    let (area, line) = surface.bounds.split(rows: surface.bounds.rows - 1)
    let cell = images.cellSize
    places = CompareLayout(comparison.panes.count, in: area, cell: (cell.width, cell.height)).panes
    panes = panes.filter { comparison.panes.contains($0.key) }
    // What the user looks at is requested first.
    let others = comparison.panes.indices.filter { $0 != comparison.cursor }
    for pane in [comparison.cursor] + others { drawImage(ofPane: pane, on: surface.clipped(to: places[pane])) }
    // The best one is known when the images are.
    let best = comparison.panes.compactMap { panes[$0]?.sharpness }.max()
    for (pane, place) in places.enumerated() {
      drawCaption(ofPane: pane, best: best, on: surface.clipped(to: place))
    }
    drawStatus(on: surface.clipped(to: line.inset(columns: 1)))
    prepareNext(for: surface)
  }

  /// Requests the images of the first panes, so that they are there when the user opens the comparison.
  func prepare(for surface: Surface) {
    guard !images.isLineSlow else { return }
    let cell = images.cellSize
    let places = CompareLayout(comparison.panes.count, in: surface.bounds, cell: (cell.width, cell.height)).panes
    for (row, place) in zip(comparison.rows, places) {
      guard let row else { continue }
      images.prepare(row.image, as: image(of: row).presentation, for: imagePlace(surface.clipped(to: place)))
    }
  }

  private func imagePlace(_ pane: Surface) -> Surface {
    images.room(on: pane.clipped(to: pane.bounds.split(rows: pane.bounds.rows - CompareLayout.captionRows).0))
  }

  private func window(_ place: Surface) -> ImageWindow {
    let cell = images.cellSize
    return ImageWindow(
      width: place.bounds.columns * cell.width, height: place.bounds.rows * cell.height,
      isEnlarging: images.areCharacters)
  }

  private func drawImage(ofPane index: Int, on surface: Surface) {
    let id = comparison.panes[index]
    let place = imagePlace(surface)
    place.clear()
    guard let row = comparison.row(of: id) else {
      return images.drawPlace(on: place, note: localized("The file is gone."))
    }
    var pane = panes[id] ?? Pane(image: image(of: row), quarters: row.quarters)
    pane.image.fit(in: window(place))
    pane.image.overlay = overlay
    pane.image.rotate(quarters: row.quarters - pane.quarters)
    pane.quarters = row.quarters
    let presentation = pane.image.presentation
    if let info = images.draw(row.image, as: presentation, meanwhile: pane.shown, on: place) {
      pane.shown = presentation
      pane.image.update(info)
    }
    panes[id] = pane
  }

  /// Returns the image of a photo that comes into a pane. It shows the part that the others show, or the point on which the
  /// camera focused.
  private func image(of row: PhotoRow) -> ViewerImage {
    var image = ViewerImage()
    image.rotate(quarters: row.quarters)
    image.overlay = overlay
    if isWhole { return image }
    guard let other = panes[chosen] ?? panes.values.first else {
      image.showActualSize(at: row.detail.focus)
      return image
    }
    // The scale is that of the others in any case.
    image.showSamePart(as: other.image)
    if !hasMoved, let focus = row.detail.focus { image.show(focus) }
    return image
  }

  private func prepareNext(for surface: Surface) {
    guard let place = places.last else { return }
    // On a slow line, only what is visible travels.
    for (index, id) in comparison.panes.enumerated() where !images.isLineSlow {
      guard let next = panes[id]?.image.presentationAfterNextStep, let row = comparison.row(of: id) else { continue }
      images.prepare(row.image, as: next, for: imagePlace(surface.clipped(to: places[index])))
    }
    for row in comparison.upcoming where panes[row.photoID] == nil {
      images.prepare(row.image, as: image(of: row).presentation, for: imagePlace(surface.clipped(to: place)))
    }
  }

  private func drawCaption(ofPane index: Int, best: Int?, on surface: Surface) {
    let isChosen = index == comparison.cursor
    let (_, line) = surface.bounds.split(rows: surface.bounds.rows - CompareLayout.captionRows)
    let caption = surface.clipped(to: line).on(isChosen ? .selection : .window)
    caption.clear()
    guard let row = comparison.row(of: comparison.panes[index]) else { return }
    let text = caption.clipped(to: line.inset(columns: 1))
    if isChosen { text.placeCursor() }
    var end = text.bounds.columns
    func put(_ sign: String, _ role: Role) {
      let sign = CellText(sign)
      guard sign.width + 1 < end else { return }
      text.put(sign, column: end - sign.width, role)
      end -= sign.width + 2
    }
    if let sharpness = panes[row.photoID]?.sharpness {
      let isBest = sharpness == best && comparison.panes.count > 1
      put(Self.sharpnessText(sharpness, isShort: end < Self.narrowestWords), isBest ? .positive : .secondary)
    }
    for sign in row.decisions.signs.reversed() { put(sign.text, sign.role) }
    if row.isMarked { put("✓", .accent) }
    text.put(CellText(row.detail.name, truncatedTo: max(0, end)), isChosen ? .title : .text)
  }

  /// The narrowest caption in which the sharpness has a word, in columns.
  private static let narrowestWords = 50

  private static func sharpnessText(_ sharpness: Int, isShort: Bool) -> String {
    isShort ? "◈\(sharpness)" : localized("Sharpness \(sharpness)")
  }

  private func drawStatus(on line: Surface) {
    let count = comparison.count
    let numbers = comparison.panes.indices.map { "\(comparison.number(ofPane: $0))" }.joined(separator: ", ")
    let left =
      comparison.isDecided
      ? localized("\(comparison.chosenRow?.detail.name ?? "") is left of \(count.grouped)")
      : localized("\(numbers) of \(count.grouped)")
    let scale = panes[chosen]?.image.chosenScale.map { "\(Int(($0 * 100).rounded())) %" }
    let parts: [String?] = [
      scale ?? localized("Whole photos"), areLinked ? nil : localized("Unlinked"),
      overlay == .peaking ? localized("Focus peaking") : overlay == .clipping ? localized("Clipping") : nil,
      comparison.remainingCount > 0 ? localized("\(comparison.remainingCount.grouped) to come") : nil,
    ]
    let right = parts.compactMap(\.self).joined(separator: " · ")
    let end = line.bounds.columns - CellText(right).width
    line.put(CellText(left, truncatedTo: max(0, end - 2)), comparison.isDecided ? .title : .secondary)
    if end > 0 { line.putRight(right, .secondary) }
  }
}

// MARK: - Actions

extension CompareScreen {
  var announcement: String? {
    guard let row = comparison.chosenRow else { return nil }
    let sharpness = panes[chosen]?.sharpness.map { localized("Sharpness \($0)") }
    return ([row.detail.name] + row.decisions.signs.map(\.text) + [sharpness].compactMap(\.self)).joined(
      separator: ", ")
  }

  var commandTarget: CommandTarget? {
    guard let row = comparison.chosenRow else { return nil }
    return CommandTarget(file: row.image) { row.fileImages }
  }

  @ActionList var actions: [Action] {
    Action(.close) { [self] in close() }
    Action(
      .press, label: localized("Choose"),
      refusal: comparison.chosenRow == nil
        ? localized("The file is gone.") : comparison.isDecided ? localized("Only one photo is left.") : nil
    ) { [self] in
      comparison.choose()
      noteIfDecided()
    }
    Action(.nextPhoto, refusal: turnRefusal(1)) { [self] in comparison.turn(by: 1) }
    Action(.previousPhoto, refusal: turnRefusal(-1)) { [self] in comparison.turn(by: -1) }
    let isAlone = comparison.isDecided ? localized("There is one pane.") : nil
    Action(.switchWindow, label: localized("Next pane"), refusal: isAlone) { [self] in comparison.moveCursor(by: 1) }
    let areFew = comparison.count < 3 ? localized("There are only two photos.") : nil
    Action(.compare, label: localized("Panes"), refusal: areFew) { [self] in comparison.addPane() }
    if let row = comparison.chosenRow {
      Action(.mark) { row.toggleMark() }
      decidingActions(of: row)
    }
    imageActions
    moveActions
  }

  @ActionList private func decidingActions(of row: PhotoRow) -> [Action] {
    let refusal = row.deciding == nil ? Action.cannotDecide : nil
    Action.ratings(
      of: { [row.decisions] }, isRejected: row.decisions.isRejected, refusal: refusal,
      decide: { [self] in decide($0, about: row) })
    Action(.label, refusal: refusal) { [self] in onOpen(.label(row.decisions.label) { row.decide(.label($0)) }) }
    Action(.rotate, refusal: refusal ?? row.notReadRefusal) { row.decide(.rotation(quarters: 1)) }
    if let deciding = row.deciding { Action.stepping(deciding) { [self] in onOpen($0) } }
  }

  @ActionList private var imageActions: [Action] {
    let absent = images.areShown ? nil : localized("No images are shown.")
    let zoomLabel = isWhole ? localized("Actual size") : localized("Fit")
    Action(.zoom, label: zoomLabel, refusal: absent) { [self] in toggleZoom() }
    Action(.zoomIn, refusal: absent) { [self] in change { $0.scale(by: Zoom.step) } }
    Action(.zoomOut, refusal: absent) { [self] in change { $0.scale(by: 1 / Zoom.step) } }
    Action(.unlink, label: areLinked ? nil : localized("Link"), refusal: absent) { [self] in
      areLinked.toggle()
      onNote(areLinked ? localized("The photos move together.") : localized("Each photo moves alone."))
    }
    Action(.goToFocus, refusal: absent) { [self] in goToFocus() }
    Action(.focusPeaking, refusal: absent) { [self] in overlay = overlay == .peaking ? .none : .peaking }
    Action(.clipping, refusal: absent) { [self] in overlay = overlay == .clipping ? .none : .clipping }
    Action(.reload) { [self] in images.retry() }
  }

  /// Moves the photos, or the cursor if whole photos are shown.
  @ActionList private var moveActions: [Action] {
    if panes[chosen]?.image.isWhole ?? isWhole {
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

  private func decide(_ change: DecisionChange, about row: PhotoRow) {
    row.decide(change)
    // What is rejected makes room for the next candidate.
    guard row.decisions.isRejected, change.isRating, row.deciding?.advances == true else { return }
    comparison.dismiss()
    noteIfDecided()
  }

  private func turnRefusal(_ step: Int) -> String? {
    guard !comparison.canTurn(by: step) else { return nil }
    return step > 0 ? localized("There is no further candidate.") : localized("There is no candidate before this one.")
  }

  private func noteIfDecided() {
    if comparison.isDecided, let row = comparison.chosenRow { onNote(localized("Left: \(row.detail.name)")) }
  }

  private func close() {
    onEnd(chosen)
    onClose()
  }

  func handle(_ mouse: Mouse) {
    let pane = places.firstIndex { $0.contains(column: mouse.column, row: mouse.row) }
    switch mouse.action {
    case .wheelUp: change { $0.scale(by: Zoom.step) }
    case .wheelDown: change { $0.scale(by: 1 / Zoom.step) }
    case .press: if let pane { comparison.moveCursor(to: pane) }
    case .release, .drag: break
    }
  }
}

// MARK: - The images

extension CompareScreen {
  /// Changes the image at the cursor, and with it the linked ones.
  private func change(_ change: (inout ViewerImage) -> Void) {
    for id in areLinked ? comparison.panes : [chosen] {
      if var pane = panes[id] {
        change(&pane.image)
        panes[id] = pane
      }
    }
    if let image = panes[chosen]?.image { isWhole = image.isWhole }
  }

  private func pan(_ x: Double, _ y: Double) {
    hasMoved = true
    change { $0.pan(x, y) }
  }

  /// Shows the actual size at the points of focus, or whole photos.
  private func toggleZoom() {
    let isWhole = panes[chosen]?.image.isWhole ?? isWhole
    hasMoved = false
    eachImage { image, focus in if isWhole { image.showActualSize(at: focus) } else { image.showWhole() } }
  }

  private func goToFocus() {
    guard comparison.rows.contains(where: { $0?.detail.focus != nil }) else {
      return onNote(localized("The camera did not say where it focused."))
    }
    hasMoved = false
    eachImage { image, focus in if let focus { image.show(focus) } }
  }

  /// Changes the image at the cursor, and the linked ones, each with its point of focus.
  private func eachImage(_ change: (inout ViewerImage, FocusPoint?) -> Void) {
    for id in areLinked ? comparison.panes : [chosen] {
      guard var pane = panes[id], let row = comparison.row(of: id) else { continue }
      change(&pane.image, row.detail.focus)
      panes[id] = pane
    }
    if let image = panes[chosen]?.image { isWhole = image.isWhole }
  }
}
