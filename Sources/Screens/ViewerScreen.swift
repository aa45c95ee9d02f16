import Gallery
import ImageWire
import Terminal
import ViewModels
import WorkerPool

/// One photo in the whole window, with zoom, rotation, animation and slideshow.
@MainActor
final class ViewerScreen: Layer {
  var name: String { localized("Viewer") }
  var onClose: () -> Void = {}
  /// Called with the index of the new row when another photo is shown.
  var onTurn: (Int) -> Void = { _ in }
  /// Called with a popup to open.
  var onOpen: (any Popup) -> Void = { _ in }
  /// Called when the viewer changes without a key, to request a frame.
  var onChange: () -> Void = {}
  /// Compares a row's photo with others; nil if the rows are not photos.
  var onCompare: CompareAction?

  /// Returns the current rows.
  let rows: () -> any RowList
  let images: ImageLayer
  let clock: any Clock<Duration>
  let cull: ViewerCull?
  var shownRow: any RowViewModel
  /// The row's last known index. Ids may occur twice in a catalog.
  private var index: Int
  var detail: PhotoDetail
  var showsTitle = true
  var showsInfo = false
  var image = ViewerImage()
  /// The description and the metadata, where no images are shown.
  let text: DetailWindow
  /// The part of the image's rotation that belongs to the photo, in quarters.
  private var quarters = 0
  /// The presentation that was drawn last. It stays until the requested one is there.
  private var shown: ImagePresentation? {
    didSet { if shown == nil { shownScale = nil } }
  }
  /// The scale that the user has chosen for what is on the screen, as in ``ViewerImage/chosenScale``.
  private var shownScale: Double?
  var box = Size(columns: 1, rows: 1)
  var slideshow: Slideshow?
  var animation: Task<Void, Never>?
  /// Whether the user has acted on the shown photo, which stays then, even if another shot represents its stack now.
  var isHeld = false
  let exchange: ExchangePause

  /// The time of a frame that specifies none, and the shortest time that is respected, in milliseconds. Browsers use the
  /// same.
  private static let (usualDelay, shortestDelay) = (100, 20)
  /// The time of each photo in a slideshow that the user starts with a key, in seconds.
  static let slideshowSeconds = 5.0

  /// - Parameters:
  ///   - index: The row that is shown first.
  ///   - rows: Returns the current rows.
  /// - Returns: nil if there is no such row, or if it has no detail.
  init?(
    _ index: Int, among rows: @escaping () -> any RowList, images: ImageLayer,
    clock: any Clock<Duration>, cull: ViewerCull? = nil
  ) {
    let all = rows()
    guard all.contains(row: index), let row = all.row(at: index) as? any Detailed & RowViewModel else { return nil }
    self.index = index
    shownRow = row
    detail = row.detail
    self.rows = rows
    self.images = images
    text = DetailWindow(images: images)
    self.clock = clock
    self.cull = cull
    exchange = ExchangePause(clock: clock)
    exchange.onEnd = { [unowned self] in onChange() }
  }

  /// Without the title line, the photo has the footer's place, too.
  var extent: Extent { showsTitle ? .window : .screen }

  let hints: [Command] = [
    .close, .press, .nextPhoto, .previousPhoto, .mark, .reject, .pauseSlideshow, .zoom, .compare, .rotate, .slideshow,
    .toggleInfo, .toggleTitle,
    .reload, .shuffle, .help,
  ]

  /// Shows another photo every `seconds`.
  func startSlideshow(seconds: Double, isShuffled: Bool = false) {
    slideshow = Slideshow(seconds: seconds, isShuffled: isShuffled, clock: clock) { [unowned self] in
      let next = place(after: 1)
      show(row: rows().contains(row: next) ? next : 0, keepsZoom: false)
      onChange()
    }
  }

  func draw(on surface: Surface) {
    let (area, caption) = surface.bounds.split(rows: surface.bounds.rows - captionRows)
    let place = images.room(on: surface.clipped(to: area))
    box = Size(columns: place.bounds.columns, rows: place.bounds.rows)
    let cell = images.cellSize
    image.fit(
      in: ImageWindow(
        width: box.columns * cell.width, height: box.rows * cell.height, isEnlarging: images.areCharacters))
    updateRow()
    image.rotate(quarters: detail.quarters - quarters)
    quarters = detail.quarters
    if images.areShown {
      drawImage(on: place)
      if showsInfo { drawInfo(on: place) }
    } else {
      text.drawText(detail, on: place.clipped(to: place.bounds.inset(columns: 1)))
    }
    ViewerCaption(detail: detail, signs: signs, badges: badges).draw(on: surface.clipped(to: caption.inset(columns: 1)))
    prepareNeighbors(for: place)
  }

  /// Takes over what has changed about the row since the last frame.
  private func updateRow() {
    guard let current = (row ?? placeOfOtherShot).flatMap(neighbor) else { return }
    if current.id != shownRow.id {
      if isHeld { return }
      shown = nil
      quarters = 0
      image.turn(keepsZoom: true)
      exchange.begin()
    } else if current.detail.image != detail.image {
      // The other file of a photo is another image, of which nothing is known yet.
      shown = nil
      image = image.ofOtherFile
    }
    shownRow = current
    detail = current.detail
  }

  /// The index of the row if its place of a cull offers another shot now; nil otherwise.
  private var placeOfOtherShot: Int? {
    guard let cull, let offered = neighbor(index) as? PhotoRow, let photoID else { return nil }
    return cull.model.areTogether(offered.photoID, photoID) ? index : nil
  }

  /// The number of rows below the photo. During a slideshow, they have the description, too.
  private var captionRows: Int { showsTitle ? slideshow == nil ? 1 : 2 : 0 }

  /// Requests the images that the user may turn to.
  private func prepareNeighbors(for surface: Surface) {
    if !images.isLineSlow, let next = image.presentationAfterNextStep {
      images.prepare(detail.image, as: next, for: surface)
    }
    guard row != nil, let presentation = image.presentationOfNext(keepsZoom: slideshow == nil) else { return }
    for step in [1, -1, 2] {
      guard let next = neighbor(place(after: step))?.detail else { continue }
      images.prepare(next.image, as: presentation.rotated(quarters: next.quarters), for: surface)
    }
  }

  private func drawImage(on surface: Surface) {
    let presentation = image.presentation
    switch images.draw(detail.image, as: presentation, meanwhile: shown, on: surface) {
    case .image(let info):
      shown = presentation
      image.update(info)
      shownScale = image.chosenScale
    case .standIn: shownScale = image.chosenScale
    case .other: break
    }
    guard image.info.frames > 1 else { return }
    images.prepare(detail.image, as: image.presentationOfNextFrame, for: surface)
    if shown?.frame == image.frame { animate() }
  }

  /// Starts the timer for the next frame of the animation.
  private func animate() {
    guard animation == nil else { return }
    let delay = image.info.delay > 0 ? max(Self.shortestDelay, image.info.delay) : Self.usualDelay
    animation = Task.onMainActor { [weak self, clock] in
      guard (try? await clock.sleep(for: .milliseconds(delay))) != nil, let self else { return }
      animation = nil
      image.showNextFrame()
      onChange()
    }
  }

  /// The signs at the right end of the title line, the last one first.
  var signs: [ViewerCaption.Sign] {
    var signs: [ViewerCaption.Sign] = []
    if let row, let cull {
      signs.append((cull.progress(row), .secondary))
    } else if let row {
      signs.append(("\((row + 1).grouped)/\(rows().count.grouped)", .secondary))
    }
    if let scale = shownScale { signs.append(("\(Int((scale * 100).rounded())) %", .accent)) }
    if !image.isWhole, let sharpness = image.info.sharpness {
      signs.append((localized("Sharpness \(sharpness)"), .secondary))
    }
    switch image.overlay {
    case .none: break
    case .peaking: signs.append((localized("Focus peaking"), .accent))
    case .clipping: signs.append((localized("Clipping"), .accent))
    }
    if image.info.isIncomplete { signs.append((localized("Incomplete file"), .negative)) }
    if let slideshow {
      if slideshow.isShuffled { signs.append((localized("Shuffled"), .accent)) }
      // The usual sign of a pause (⏸) is in few fonts other than those of emoji, in which it is too wide.
      signs.append(
        (slideshow.isPaused ? "‖ \(localized("Paused"))" : Charset.isPlain ? localized("Playing") : "▶", .accent))
    }
    if let file = (shownRow as? any MultiFile)?.fileName, file != detail.name { signs.append((file, .secondary)) }
    if (shownRow as? any Markable)?.isMarked == true { signs.append(("✓ \(localized("Marked"))", .accent)) }
    signs += ((shownRow as? any Decidable)?.decisions.signs ?? []).reversed()
    return signs
  }

  /// The badges of the photo's files and of its stack, as in the list.
  private var badges: [(texts: [String], role: Role)] {
    guard let photo = shownRow as? PhotoRow else { return [] }
    // Plain screens leave the sign out, and the number alone would be unclear.
    let stack = photo.stack.map { place in
      let texts = (cull == nil ? [] : [place.offerText]) + [place.text]
      return (texts: texts.map { "▤ \($0)" } + (Charset.isPlain ? [] : [place.sign]), role: Role.accent)
    }
    return [stack, photo.format.map { (texts: [$0], role: .secondary) }].compactMap(\.self)
  }

  private func drawInfo(on surface: Surface) {
    // The panel is wider if the labels are, so that the values have the same room.
    let wider = detail.labelColumns - PhotoDetail.leastLabelColumns
    let columns = min(56 + wider, surface.bounds.columns - max(0, 4 - wider))
    let text = detail.description.flatMap { CellText($0).wrapped(to: columns - 4) }
    var fields = detail.fields
    if let size = image.uprightSize, !fields.contains(where: { $0.label == localized("Pixels") }) {
      fields.append(PhotoDetail.Field(localized("Pixels"), "\(size.width)×\(size.height)"))
    }
    // The title line says that, too, but the user may have hidden it.
    if image.info.isIncomplete { fields.append(PhotoDetail.Field(localized("File"), localized("Incomplete"))) }
    fields += images.transfer(of: detail.image, as: image.presentation, on: surface).map {
      PhotoDetail.Field($0.label, $0.value)
    }
    let labelColumns = max(detail.labelColumns, (fields.map { CellText($0.label).width }.max() ?? 0) + 2)
    let lines = text.map { ("", $0) } + fields.map { ($0.label, CellText($0.value)) }
    let (_, box) = surface.bounds.split(rows: surface.bounds.rows - lines.count - 2)
    let panel = surface.clipped(to: Rect(column: box.column, row: box.row, columns: columns, rows: box.rows))
    panel.clear()
    for (row, line) in lines.enumerated() {
      panel.put(line.0, column: 2, row: row + 1, .secondary)
      let column = line.0.isEmpty ? 2 : 2 + labelColumns
      panel.put(line.1.truncated(to: columns - column - 2), column: column, row: row + 1)
    }
  }
}

// MARK: - Turning

extension ViewerScreen {
  /// The index of the shown row; nil if a reload has removed it.
  var row: Int? {
    let rows = rows()
    if rows.contains(row: index), rows.row(at: index).id == shownRow.id { return index }
    return rows.index(of: shownRow)
  }

  private func neighbor(_ index: Int) -> (any Detailed & RowViewModel)? {
    let rows = rows()
    return rows.contains(row: index) ? rows.row(at: index) as? any Detailed & RowViewModel : nil
  }

  /// Returns the index of the next photo, or of the photo that replaced the shown one if that was removed. There may be no
  /// photo at it.
  func place(after step: Int) -> Int {
    guard let row else { return step > 0 ? index : index - 1 }
    return slideshow?.shuffle(of: rows().count)?.row(step, after: row) ?? row + step
  }

  /// The identifier of the shown photo; nil if the rows are not photos.
  var photoID: Photo.ID? { (shownRow as? PhotoRow)?.photoID }

  /// Keeps the shown photo until the user turns to another one.
  func hold() {
    isHeld = true
    if let photoID { cull?.model.use(photoID) }
  }

  /// Turns to another photo, which has its whole time if there is a slideshow. A rejected shot of a cull is followed by the next
  /// one of its stack.
  func turn(by step: Int) {
    if step > 0, let photoID { cull?.model.offerNext(after: photoID) }
    show(row: place(after: step), keepsZoom: true)
    slideshow?.restart()
  }

  func show(row: Int, keepsZoom: Bool) {
    guard let next = neighbor(row) else { return }
    (shownRow, index, detail, shown) = (next, row, next.detail, nil)
    isHeld = false
    exchange.end()
    image.turn(keepsZoom: keepsZoom)
    text.scrollToTop()
    quarters = 0
    animation?.cancel()
    animation = nil
    onTurn(row)
  }
}
