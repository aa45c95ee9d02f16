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
  /// Called when the screen changes without a key, to request a frame.
  var onChange: () -> Void = {}
  /// Called when the screen closes.
  var onEnd: () -> Void = {}
  /// Called when the user wants to reject the beaten photos, with a closure that does it.
  var onReject: (_ photoCount: Int, _ reject: @escaping () -> Void) -> Void = { $1() }

  let comparison: PhotoComparison
  let images: ImageLayer
  var panes: [Photo.ID: ComparePane] = [:]
  /// The names of the photos in the panes, which stay if the files are gone.
  private var paneNames: [Photo.ID: String] = [:]
  /// Whether zooming and moving apply to all panes.
  var areLinked = true
  /// Whether the user has moved away from the points on which the camera focused.
  var hasMoved = false
  var isWhole = false
  var overlay = ImageOverlay.none
  private(set) var places: [Rect] = []

  init(_ comparison: PhotoComparison, images: ImageLayer) {
    self.comparison = comparison
    self.images = images
  }

  let extent = Extent.window

  /// Once photos are beaten, the commands that decide about them come next.
  var hints: [Command] { [.close, .keep] + (comparison.beaten.isEmpty ? [] : [.rejectBeaten]) + otherHints }

  private let otherHints: [Command] = [
    .reject, .rateOne, .undo, .zoom, .nextPane, .nextCandidate, .previousCandidate, .changePanes, .unlink, .mark,
    .focusPeaking, .clipping, .goToFocus, .help,
  ]

  var chosen: Photo.ID { comparison.chosen }

  func draw(on surface: Surface) {
    let (area, line) = layOut(on: surface)
    places = area
    panes = panes.filter { comparison.panes.contains($0.key) }
    paneNames = paneNames.filter { comparison.panes.contains($0.key) }
    // What the user looks at is requested first.
    let others = comparison.panes.indices.filter { $0 != comparison.cursor }
    for pane in [comparison.cursor] + others { drawImage(ofPane: pane, on: surface.clipped(to: places[pane])) }
    // The best one is known when the images are.
    let best = comparison.panes.compactMap { comparison.row(of: $0) == nil ? nil : panes[$0]?.sharpness }.max()
    let names = comparison.rows.map(\.?.name)
    for (pane, place) in places.enumerated() {
      let id = comparison.panes[pane]
      CompareCaption(
        row: comparison.row(of: id), name: paneNames[id] ?? "", pane: panes[id], isChosen: pane == comparison.cursor,
        isBest: comparison.panes.count > 1 && panes[id]?.sharpness == best,
        repeatsName: names.count { $0 == names[pane] } > 1
      ).draw(on: surface.clipped(to: place.split(rows: place.rows - CompareLayout.captionRows).1))
    }
    CompareStatus(
      comparison: comparison, view: images.areShown ? view : nil, areLinked: areLinked, overlay: overlay
    ).draw(on: surface.clipped(to: line.inset(columns: 1)))
  }

  /// The scale of the image at the cursor in words, or nil while no image is there.
  private var view: String? {
    if isWhole { return localized("Whole photos") }
    guard let scale = panes[chosen]?.shownScale ?? panes.values.lazy.compactMap(\.shownScale).first else {
      return panes.values.contains { $0.shown != nil } ? localized("Whole photos") : nil
    }
    return "\(Int((scale * 100).rounded())) %"
  }

  /// Requests the images of the first panes, so that they are there when the user opens the comparison.
  func prepare(for surface: Surface) {
    guard !images.isLineSlow else { return }
    for (row, place) in zip(comparison.rows, layOut(on: surface).panes) {
      guard let row else { continue }
      images.prepare(row.image, as: image(of: row).presentation, for: imagePlace(surface.clipped(to: place)))
    }
  }

  /// Returns the places of the panes and that of the status line below them.
  private func layOut(on surface: Surface) -> (panes: [Rect], line: Rect) {
    let (area, line) = surface.bounds.split(rows: surface.bounds.rows - 1)
    let cell = images.cellSize
    return (CompareLayout(comparison.panes.count, in: area, cell: (cell.width, cell.height)).panes, line)
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
    paneNames[id] = row.detail.name
    if !images.areShown {
      return DetailWindow(images: images).drawText(row.detail, on: place.clipped(to: place.bounds.inset(columns: 1)))
    }
    var pane = panes[id] ?? ComparePane(image: image(of: row), quarters: row.quarters)
    pane.image.fit(in: window(place))
    pane.image.overlay = overlay
    pane.image.rotate(quarters: row.quarters - pane.quarters)
    pane.quarters = row.quarters
    let presentation = pane.image.presentation
    switch images.draw(row.image, as: presentation, meanwhile: pane.shown, on: place) {
    case .image(let info), .failed(let info):
      pane.shown = presentation
      pane.image.update(info)
      pane.shownScale = pane.image.chosenScale
    case .standIn: pane.shownScale = pane.image.chosenScale
    case .other: break
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

  func prepareNext(for surface: Surface) {
    guard let place = places.last else { return }
    // On a slow line, only what is visible travels.
    if !images.isLineSlow { prepareSteps(for: surface) { [$0.presentationAfterNextStep].compactMap(\.self) } }
    for row in comparison.upcoming where panes[row.photoID] == nil {
      images.prepare(row.image, as: image(of: row).presentation, for: imagePlace(surface.clipped(to: place)))
    }
    if !images.isLineSlow { prepareSteps(for: surface, \.presentationsAfterAnyStep) }
  }

  private func prepareSteps(for surface: Surface, _ presentations: (ViewerImage) -> [ImagePresentation]) {
    for (index, id) in comparison.panes.enumerated() {
      guard let pane = panes[id], let row = comparison.row(of: id) else { continue }
      for presentation in presentations(pane.image) {
        images.prepare(row.image, as: presentation, for: imagePlace(surface.clipped(to: places[index])))
      }
    }
  }
}
