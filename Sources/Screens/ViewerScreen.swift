import ImageWire
import Terminal
import ViewModels
import WorkerPool

/// One photo in the whole window: whole or in part, still or moving, and from there to the next.
@MainActor
final class ViewerScreen: Layer {
  var onClose: () -> Void = {}
  /// Called with the index of the row that is shown instead.
  var onTurn: (Int) -> Void = { _ in }
  /// Called when something changed by itself.
  var onChange: () -> Void = {}

  /// The rows that can be looked at, as they are at the moment.
  private let rows: () -> any RowList
  private let images: ImageLayer
  private let clock: any Clock<Duration>
  private var shownRow: any RowViewModel
  /// Where it was last; an id may occur twice in what others have made.
  private var index: Int
  private var detail: PhotoDetail
  private var showsInfo = false
  private var zoom: Zoom?
  private var frame = 0
  /// What was drawn last, which stays until what is wanted is there.
  private var shown: (view: ImageView, frame: Int)?
  private var info = ImageInfo()
  private var box = Size(columns: 1, rows: 1)
  private var slideshow: Task<Void, Never>?
  private var animation: Task<Void, Never>?

  /// A frame that does not say how long it is shown, and the shortest that is kept to, in milliseconds: as browsers do.
  private static let (usualDelay, shortestDelay) = (100, 20)

  /// - Parameters:
  ///   - index: The row that is shown first.
  ///   - rows: Those that can be looked at, as they are at the moment.
  /// - Returns: nil where there is no such row, or nothing to look at.
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
    .close, .nextPhoto, .previousPhoto, .mark, .zoomIn, .zoomToFit, .slideshow, .toggleInfo, .reload, .help,
  ]

  /// Goes on to the next photo every so many seconds, and from the last to the first.
  func startSlideshow(seconds: Double) {
    slideshow?.cancel()
    slideshow = Task.onMainActor { [weak self, clock] in
      while (try? await clock.sleep(for: .seconds(seconds))) != nil {
        guard let self else { return }
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
    for step in [1, -1, 2] {
      guard let row, let neighbour = neighbour(row + step) else { continue }
      images.prepare(neighbour.detail.image, for: image)
    }
  }

  private func drawImage(on surface: Surface) {
    let view = zoom?.view ?? .whole
    if let info = images.draw(detail.image, view: view, frame: frame, meanwhile: shown, on: surface) {
      shown = (view, frame)
      // A preview does not know the image's own size.
      if info.width > 0 { self.info = info }
    }
    guard info.frames > 1 else { return }
    images.prepare(detail.image, view: view, frame: (frame + 1) % info.frames, for: surface)
    if shown?.frame == frame { animate() }
  }

  /// Has the next frame shown at its time.
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

  /// Where it is among the others; nil if a reload has taken it away.
  private var row: Int? {
    let rows = rows()
    if rows.contains(row: index), rows.row(at: index).id == shownRow.id { return index }
    return rows.index(of: shownRow)
  }

  private func neighbour(_ index: Int) -> (any Detailed & RowViewModel)? {
    let rows = rows()
    return rows.contains(row: index) ? rows.row(at: index) as? any Detailed & RowViewModel : nil
  }

  private func drawCaption(on surface: Surface) {
    var end = surface.bounds.columns
    if let row { end = surface.putRight("\((row + 1).grouped)/\(rows().count.grouped)", .secondary) - 2 }
    if let zoom { end = putBefore(end, "\(Int((zoom.scale * 100).rounded())) %", .accent, on: surface) }
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

// MARK: - Commands

extension ViewerScreen {
  func availability(of command: Command) -> Availability {
    switch command {
    case .close, .help, .redraw, .toggleInfo, .reload: .available
    case .mark: shownRow is any Markable && row != nil ? .available : .absent
    case .slideshow: rows().count > 1 ? .available : .unavailable("There is no other photo.")
    case .zoomIn, .zoomOut, .zoomToFull:
      info.width > 0 ? .available : .unavailable("The image is not there yet.")
    case .zoomToFit: zoom != nil ? .available : .unavailable("All of it is in view.")
    case .moveUp, .moveDown, .moveLeft, .moveRight: zoom != nil ? .available : .unavailable("All of it is in view.")
    case .nextPhoto, .pageDown: canTurn(by: 1) ? .available : .unavailable("This is the last photo.")
    case .previousPhoto, .pageUp: canTurn(by: -1) ? .available : .unavailable("This is the first photo.")
    default: .absent
    }
  }

  func perform(_ command: Command) {
    switch command {
    case .close: close()
    case .nextPhoto, .pageDown: turn(by: 1)
    case .previousPhoto, .pageUp: turn(by: -1)
    case .toggleInfo: showsInfo.toggle()
    case .reload: images.retry()
    case .mark:
      (shownRow as? any Markable)?.toggleMark()
      turn(by: 1)
    case .slideshow: toggleSlideshow()
    case .zoomIn: scale(by: Zoom.step)
    case .zoomOut: scale(by: 1 / Zoom.step)
    case .zoomToFit: zoom = nil
    case .zoomToFull: zoom = Zoom(scale: 1, around: zoom)
    case .moveUp: pan(0, -1)
    case .moveDown: pan(0, 1)
    case .moveLeft: pan(-1, 0)
    case .moveRight: pan(1, 0)
    default: break
    }
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: turn(by: -1)
    case .wheelDown: turn(by: 1)
    case .press, .release, .drag: break
    }
  }

  private func close() {
    slideshow?.cancel()
    animation?.cancel()
    onClose()
  }

  /// How long a photo is shown, in seconds, where the person has not said.
  static let slideshowSeconds = 5.0

  private func toggleSlideshow() {
    if let running = slideshow {
      running.cancel()
      slideshow = nil
    } else {
      startSlideshow(seconds: Self.slideshowSeconds)
    }
  }

  private func scale(by factor: Double) {
    guard info.width > 0 else { return }
    let fit = fitScale
    let scale = (zoom?.scale ?? fit) * factor
    zoom = scale <= fit * 1.001 ? nil : Zoom(scale: min(scale, Zoom.largest), around: zoom)
    pan(0, 0)
  }

  /// Pixels of the screen to one of the image when all of it is shown.
  private var fitScale: Double {
    let cell = images.cellSize
    return min(
      Double(box.columns * cell.width) / Double(info.width), Double(box.rows * cell.height) / Double(info.height))
  }

  /// Moves what is shown by an eighth of the window, not beyond the image's edge.
  private func pan(_ x: Double, _ y: Double) {
    guard let zoom, info.width > 0 else { return }
    let cell = images.cellSize
    self.zoom = zoom.moved(
      x, y, visibleX: Double(box.columns * cell.width) / zoom.scale / Double(info.width),
      visibleY: Double(box.rows * cell.height) / zoom.scale / Double(info.height))
  }

  private func canTurn(by step: Int) -> Bool { rows().contains(row: place(after: step)) }

  private func turn(by step: Int) { show(row: place(after: step)) }

  /// Where the next one is; where the one that is shown has gone, that has come to its place.
  private func place(after step: Int) -> Int { row.map { $0 + step } ?? (step > 0 ? index : index - 1) }

  private func show(row: Int) {
    guard let next = neighbour(row) else { return }
    (shownRow, index, detail) = (next, row, next.detail)
    (zoom, frame, shown, info) = (nil, 0, nil, ImageInfo())
    animation?.cancel()
    animation = nil
    onTurn(row)
  }
}
