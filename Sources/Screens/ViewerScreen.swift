import ImageWire
import Terminal
import ViewModels
import WorkerPool

/// One photo in the whole window, with zoom, animation and slideshow.
@MainActor
final class ViewerScreen: Layer {
  let name = "Viewer"
  var onClose: () -> Void = {}
  /// Called with the index of the new row when another photo is shown.
  var onTurn: (Int) -> Void = { _ in }
  /// Called when the viewer changes without a key, to request a frame.
  var onChange: () -> Void = {}

  /// Returns the current rows.
  private let rows: () -> any RowList
  private let images: ImageLayer
  private let clock: any Clock<Duration>
  private var shownRow: any RowViewModel
  /// The row's last known index. Ids may occur twice in a catalog.
  private var index: Int
  private var detail: PhotoDetail
  private var showsInfo = false
  /// The part that the user has zoomed in on. It stays when another photo is shown, so that photos can be compared.
  private var zoom: Zoom?
  /// The zoom with which the user has turned to the shown photo.
  private var turnedZoom: Zoom?
  private var frame = 0
  /// The part and the animation frame that were drawn last. They stay until the requested ones are there.
  private var shown: (view: ImageView, frame: Int)?
  private var info = ImageInfo()
  private var box = Size(columns: 1, rows: 1)
  private var slideshow: Task<Void, Never>?
  private var animation: Task<Void, Never>?

  /// The time of a frame that specifies none, and the shortest time that is respected, in milliseconds. Browsers use the
  /// same.
  private static let (usualDelay, shortestDelay) = (100, 20)

  /// - Parameters:
  ///   - index: The row that is shown first.
  ///   - rows: Returns the current rows.
  /// - Returns: nil if there is no such row, or if it has no detail.
  init?(
    _ index: Int, among rows: @escaping () -> any RowList, images: ImageLayer,
    clock: any Clock<Duration>
  ) {
    let all = rows()
    guard all.contains(row: index), let row = all.row(at: index) as? any Detailed & RowViewModel else { return nil }
    self.index = index
    shownRow = row
    detail = row.detail
    self.rows = rows
    self.images = images
    self.clock = clock
  }

  let extent = Extent.window
  let hints: [Command] = [
    .close, .nextPhoto, .previousPhoto, .mark, .zoom, .slideshow, .toggleInfo, .reload, .help,
  ]

  /// Shows the next photo every `seconds`. The first photo follows the last.
  func startSlideshow(seconds: Double) {
    slideshow?.cancel()
    slideshow = Task.onMainActor { [weak self, clock] in
      while (try? await clock.sleep(for: .seconds(seconds))) != nil {
        guard let self else { return }
        zoom = nil
        if canTurn(by: 1) { turn(by: 1) } else { show(row: 0) }
        onChange()
      }
    }
  }

  func draw(on surface: Surface) {
    let (area, caption) = surface.bounds.split(rows: surface.bounds.rows - 1)
    let image = surface.clipped(to: area)
    box = Size(columns: area.columns, rows: area.rows)
    drawImage(on: image)
    if showsInfo { drawInfo(on: image) }
    drawCaption(on: surface.clipped(to: caption.inset(columns: 1)))
    prepareNeighbors(for: image)
  }

  /// Requests the images that the user may turn to. While the user moves a part of an image, the workers are left to that
  /// image.
  private func prepareNeighbors(for surface: Surface) {
    let next = slideshow == nil ? zoom : nil
    guard let row, next == nil || next == turnedZoom else { return }
    for step in [1, -1, 2] {
      guard let neighbor = neighbor(row + step) else { continue }
      images.prepare(neighbor.detail.image, view: next?.view ?? .whole, for: surface)
    }
  }

  private func drawImage(on surface: Surface) {
    let view = view
    if let info = images.draw(detail.image, view: view, frame: frame, meanwhile: shown, on: surface) {
      shown = (view, frame)
      // A preview does not have the image's size.
      if info.width > 0 { self.info = info }
    }
    guard info.frames > 1 else { return }
    images.prepare(detail.image, view: view, frame: (frame + 1) % info.frames, for: surface)
    if shown?.frame == frame { animate() }
  }

  /// Starts the timer for the next frame of the animation.
  private func animate() {
    guard animation == nil else { return }
    let delay = info.delay > 0 ? max(Self.shortestDelay, info.delay) : Self.usualDelay
    animation = Task.onMainActor { [weak self, clock] in
      guard (try? await clock.sleep(for: .milliseconds(delay))) != nil, let self else { return }
      animation = nil
      frame = (frame + 1) % max(1, info.frames)
      onChange()
    }
  }

  /// The index of the shown row; nil if a reload has removed it.
  private var row: Int? {
    let rows = rows()
    if rows.contains(row: index), rows.row(at: index).id == shownRow.id { return index }
    return rows.index(of: shownRow)
  }

  private func neighbor(_ index: Int) -> (any Detailed & RowViewModel)? {
    let rows = rows()
    return rows.contains(row: index) ? rows.row(at: index) as? any Detailed & RowViewModel : nil
  }

  private func drawCaption(on surface: Surface) {
    var end = surface.bounds.columns
    if let row { end = surface.putRight("\((row + 1).grouped)/\(rows().count.grouped)", .secondary) - 2 }
    if let zoom = shownZoom { end = putBefore(end, "\(Int((zoom.scale * 100).rounded())) %", .accent, on: surface) }
    if info.isIncomplete { end = putBefore(end, "Incomplete file", .negative, on: surface) }
    if slideshow != nil { end = putBefore(end, "▶", .accent, on: surface) }
    if (shownRow as? any Markable)?.isMarked == true { end = putBefore(end, "✓ Marked", .accent, on: surface) }
    if let badge = detail.saleBadge, end > 40 {
      end = putBefore(end, "\(badge.symbol) \(badge.text)", badge.role, on: surface)
    }
    let column = surface.put(CellText(detail.name, truncatedTo: end), .title) + 2
    if let author = detail.author, column + 8 < end {
      surface.put(CellText("by \(author)", truncatedTo: end - column), column: column, .secondary)
    }
  }

  private func putBefore(_ end: Int, _ text: String, _ role: Role, on surface: Surface) -> Int {
    let text = CellText(text)
    surface.put(text, column: end - text.width, role)
    return end - text.width - 2
  }

  private func drawInfo(on surface: Surface) {
    let columns = min(56, surface.bounds.columns - 4)
    let text = detail.description.flatMap { CellText($0).wrapped(to: columns - 4) }
    var lines = text.map { ("", $0) } + detail.fields.map { ($0.label, CellText($0.value)) }
    if info.width > 0, !detail.fields.contains(where: { $0.label == "Pixels" }) {
      lines.append(("Pixels", CellText("\(info.width)×\(info.height)")))
    }
    lines += images.transfer(of: detail.image, view: view, frame: frame, on: surface).map {
      ($0.label, CellText($0.value))
    }
    let (_, box) = surface.bounds.split(rows: surface.bounds.rows - lines.count - 2)
    let panel = surface.clipped(to: Rect(column: box.column, row: box.row, columns: columns, rows: box.rows))
    panel.clear()
    for (row, line) in lines.enumerated() {
      panel.put(line.0, column: 2, row: row + 1, .secondary)
      let column = line.0.isEmpty ? 2 : 12
      panel.put(line.1.truncated(to: columns - column - 2), column: column, row: row + 1)
    }
  }
}

// MARK: - Actions

extension ViewerScreen {
  @ActionList var actions: [Action] {
    Action(.close) { [self] in close() }
    Action(.nextPhoto, refusal: turnRefusal(1)) { [self] in turn(by: 1) }
    Action(.previousPhoto, refusal: turnRefusal(-1)) { [self] in turn(by: -1) }
    if row != nil, let markable = shownRow as? any Markable {
      Action(.mark) { [self] in
        markable.toggleMark()
        turn(by: 1)
      }
    }
    zoomActions
    Action(.slideshow, refusal: rows().count > 1 ? nil : "There is no other photo.") { [self] in toggleSlideshow() }
    Action(.toggleInfo) { [self] in showsInfo.toggle() }
    Action(.reload) { [self] in images.retry() }
  }

  @ActionList private var zoomActions: [Action] {
    let missing = viewport == nil ? "The image is still loading." : nil
    let isWhole = shownZoom == nil
    let whole = isWhole ? "The whole image is visible." : nil
    Action(.zoomIn, refusal: missing) { [self] in scale(by: Zoom.step) }
    Action(.zoomOut, refusal: missing) { [self] in scale(by: 1 / Zoom.step) }
    Action(.zoom, label: zoom == nil ? "Actual size" : "Fit", refusal: zoom == nil ? missing : nil) { [self] in
      zoom = zoom == nil ? Zoom(scale: 1, around: nil) : nil
    }
    Action(.zoomToFill, refusal: missing) { [self] in
      if let viewport { zoom = Zoom(scale: viewport.fillScale, around: zoom).moved(0, 0, in: viewport) }
    }
    Action(.moveUp, refusal: whole) { [self] in pan(0, -1) }
    Action(.moveDown, refusal: whole) { [self] in pan(0, 1) }
    Action(.moveLeft, refusal: isWhole ? turnRefusal(-1) : nil) { [self] in isWhole ? turn(by: -1) : pan(-1, 0) }
    Action(.moveRight, refusal: isWhole ? turnRefusal(1) : nil) { [self] in isWhole ? turn(by: 1) : pan(1, 0) }
  }

  /// Returns why there is no photo to turn to, or nil if there is one.
  private func turnRefusal(_ step: Int) -> String? {
    canTurn(by: step) ? nil : step > 0 ? "This is the last photo." : "This is the first photo."
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: scale(by: Zoom.step, at: mouse)
    case .wheelDown: scale(by: 1 / Zoom.step, at: mouse)
    case .press:
      guard mouse.row < box.rows else { return }
      let edge = max(1, box.columns / 5)
      if mouse.column < edge { perform(.previousPhoto) }
      if mouse.column >= box.columns - edge { perform(.nextPhoto) }
    case .release, .drag: break
    }
  }

  private func close() {
    slideshow?.cancel()
    animation?.cancel()
    onClose()
  }

  /// The time of each photo in a slideshow that the user starts with a key, in seconds.
  static let slideshowSeconds = 5.0

  private func toggleSlideshow() {
    if let running = slideshow {
      running.cancel()
      slideshow = nil
    } else {
      startSlideshow(seconds: Self.slideshowSeconds)
    }
  }

  /// The image and the window in pixels; nil while the image's size is not known.
  private var viewport: Viewport? {
    let cell = images.cellSize
    return info.width > 0
      ? Viewport(
        imageWidth: info.width, imageHeight: info.height, windowWidth: box.columns * cell.width,
        windowHeight: box.rows * cell.height) : nil
  }

  /// The zoom of the shown photo, or nil if all of the photo is shown. A zoom never makes a small photo smaller.
  private var shownZoom: Zoom? {
    if let zoom, let viewport, zoom.shrinks(in: viewport) { nil } else { zoom }
  }

  private var view: ImageView { shownZoom?.view ?? .whole }

  private func scale(by factor: Double) {
    if let viewport { zoom = Zoom.scaled(shownZoom, by: factor, in: viewport) }
  }

  /// Zooms so that what is at the pointer stays there.
  private func scale(by factor: Double, at pointer: Mouse) {
    guard let viewport else { return }
    let x = (Double(pointer.column) + 0.5) / Double(box.columns) - 0.5
    let y = (Double(pointer.row) + 0.5) / Double(box.rows) - 0.5
    zoom = Zoom.scaled(shownZoom, by: factor, at: (x, y), in: viewport)
  }

  private func pan(_ x: Double, _ y: Double) {
    if let viewport { zoom = shownZoom?.moved(x, y, in: viewport) }
  }

  private func canTurn(by step: Int) -> Bool { rows().contains(row: place(after: step)) }

  private func turn(by step: Int) { show(row: place(after: step)) }

  /// Returns the index of the next photo, or of the photo that replaced the shown one if that was removed.
  private func place(after step: Int) -> Int { row.map { $0 + step } ?? (step > 0 ? index : index - 1) }

  private func show(row: Int) {
    guard let next = neighbor(row) else { return }
    (shownRow, index, detail) = (next, row, next.detail)
    (turnedZoom, frame, shown, info) = (zoom, 0, nil, ImageInfo())
    animation?.cancel()
    animation = nil
    onTurn(row)
  }
}
