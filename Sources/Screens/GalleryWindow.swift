import Gallery
import Pictures
import Terminal
import ViewModels

/// The whole screen: the header, the layers with the room at the bottom, and the footer.
///
/// Keys and clicks go to the topmost layer. Whatever changes only asks for a frame; a frame is drawn from what is
/// there at that moment.
@MainActor
public final class GalleryWindow {
  /// Called when the person quits.
  public var onQuit: () -> Void = {}

  private let console: Console
  private let viewModel: PhotoListViewModel
  private let source: String
  private let clock: any Clock<Duration>
  private let pictures: PictureLayer
  private let photos: PhotosScreen
  private var popups: [any Layer] = []
  /// Why the last key did nothing; gone with the next one.
  private var notice: String?
  private var spinning: Task<Void, Never>?
  /// Set where the first photo is to be opened, and the others after it, as soon as they are there.
  private var slideshowSeconds: Double?

  /// The smallest screen on which the windows make sense.
  private static let smallest = Size(columns: 20, rows: 6)

  /// - Parameters:
  ///   - source: What the photos come from, as the header names it.
  ///   - loader: Where pictures come from; nil for none.
  ///   - mode: How they are shown.
  ///   - clock: What the spinner turns by.
  public init(
    console: Console, viewModel: PhotoListViewModel, source: String, loader: PictureLoader?, pictures mode: PictureMode,
    clock: any Clock<Duration>
  ) {
    self.console = console
    self.viewModel = viewModel
    self.source = source
    self.clock = clock
    pictures = PictureLayer(loader: loader, mode: mode, console: console)
    photos = PhotosScreen(viewModel: viewModel, pictures: pictures)
    photos.onQuit = { [unowned self] in onQuit() }
    bind()
  }

  /// Opens the gallery: draws the first frame and fetches the photos.
  /// - Parameter slideshowSeconds: How long each photo is shown, where they are to be shown one after another.
  public func open(slideshowSeconds: Double? = nil) {
    self.slideshowSeconds = slideshowSeconds
    viewModel.fetch()
    console.setNeedsDisplay()
  }

  private func bind() {
    viewModel.onReload = { [unowned self] in
      photos.reload()
      if slideshowSeconds != nil { viewModel.view(row: 0) }
      console.setNeedsDisplay()
    }
    viewModel.onAlert = { [unowned self] in show(TextPopup.alert($0)) }
    viewModel.onLoading = { [unowned self] in spin($0) }
    viewModel.onOpen = { [unowned self] in open($0) }
    console.onEvents = { [unowned self] in handle($0) }
    console.onDraw = { [unowned self] in draw(on: $0) }
  }

  private func open(_ photo: Photo) {
    let viewer = ViewerScreen(photo, viewModel: viewModel, pictures: pictures, clock: clock)
    viewer.onTurn = { [unowned self] in photos.highlight(row: $0) }
    viewer.onClose = { [unowned self] in closeTopmost() }
    viewer.onChange = { [unowned self] in console.setNeedsDisplay() }
    if let seconds = slideshowSeconds { viewer.startSlideshow(seconds: seconds) }
    slideshowSeconds = nil
    push(viewer)
  }

  private func show(_ popup: TextPopup) {
    popup.onClose = { [unowned self] in closeTopmost() }
    push(popup)
  }

  private func push(_ layer: any Layer) {
    popups.append(layer)
    console.setNeedsDisplay()
  }

  private func closeTopmost() {
    popups.removeLast()
  }

  private func spin(_ isLoading: Bool) {
    spinning?.cancel()
    spinning = nil
    console.setNeedsDisplay()
    guard isLoading else { return }
    photos.spinner = Spinner()
    spinning = Task { [unowned self, clock] in
      while (try? await clock.sleep(for: Spinner.interval)) != nil {
        photos.spinner.turn()
        console.setNeedsDisplay()
      }
    }
  }
}

// MARK: - Keys and clicks

extension GalleryWindow {
  private var topmost: any Layer { popups.last ?? photos }

  private func handle(_ events: [InputEvent]) {
    notice = nil
    for event in events {
      switch event {
      case .key(let key): handle(key)
      case .mouse(let mouse): topmost.handle(mouse)
      case .paste, .reply: break
      }
    }
    console.setNeedsDisplay()
  }

  private func handle(_ key: Key) {
    let layer = topmost
    for command in Binding.commands(for: key) {
      switch layer.availability(of: command) {
      case .available:
        switch command {
        case .redraw: console.redraw()
        case .help where layer.extent != .popup: show(TextPopup.help())
        default: layer.perform(command)
        }
        return
      case .unavailable(let reason): notice = reason
      case .absent: break
      }
    }
  }
}

// MARK: - Drawing

extension GalleryWindow {
  private func draw(on surface: Surface) {
    let screen = surface.bounds
    guard screen.columns >= Self.smallest.columns, screen.rows >= Self.smallest.rows else {
      return drawTooSmall(on: surface)
    }
    pictures.beginFrame()
    defer { pictures.endFrame() }
    let (above, footer) = screen.split(rows: screen.rows - 1)
    // Air costs rows: a low screen has none to spare.
    let (header, body) = above.split(rows: screen.rows < 12 ? 1 : 2)
    let room = body.split(rows: body.rows - (screen.rows < 20 ? 0 : 1)).0
    let covering = popups.lastIndex { $0.extent == .window }
    if covering == nil {
      drawHeader(on: surface.clipped(to: header))
      photos.draw(on: surface.clipped(to: room))
    }
    for layer in popups[(covering ?? 0)...] { layer.draw(on: surface.clipped(to: above)) }
    drawFooter(on: surface.clipped(to: footer.inset(columns: 1)))
  }

  private func drawHeader(on surface: Surface) {
    let line = surface.clipped(to: surface.bounds.inset(columns: 1))
    let status = CellText(status)
    let roomsEnd = CellText("Tintype   Photos").width
    line.put("Tintype", .accent)
    line.put("Photos", column: 10, .title)
    if roomsEnd + 3 + status.width <= line.bounds.columns {
      line.put(status, column: line.bounds.columns - status.width, viewModel.isLoading ? .accent : .secondary)
    } else if viewModel.isLoading {
      line.putRight(photos.spinner.symbol, .accent)
    }
    surface.horizontalRule(row: 1)
  }

  private var status: String {
    if viewModel.isLoading { return "\(photos.spinner.symbol) Loading photos…" }
    if case .failed = viewModel.state, viewModel.rows.isEmpty { return source }
    let count = viewModel.totalItems
    return "\(count) \(count == 1 ? "photo" : "photos") · \(source)"
  }

  private func drawFooter(on surface: Surface) {
    if let notice {
      surface.put(CellText(notice, truncatedTo: surface.bounds.columns), .accent)
      return
    }
    let (hints, gap) = hints(fitting: surface.bounds.columns)
    var column = 0
    for hint in hints {
      column = surface.put(hint.key, column: column, .accent)
      column = surface.put(hint.label, column: column + 1, .secondary) + gap
    }
  }

  /// The hints of the commands that can be given now, and the gap between them. Where they do not all fit, the
  /// last ones are left out, but never the one for help, which has them all.
  private func hints(fitting columns: Int) -> (hints: [(key: String, label: String)], gap: Int) {
    var commands = topmost.hints.filter { topmost.availability(of: $0) == .available }
    while true {
      let hints = commands.compactMap { Binding.binding(of: $0)?.hint }
      let width = hints.reduce(0) { $0 + CellText($1.key).width + 1 + CellText($1.label).width }
      if let gap = [3, 2].first(where: { width + $0 * (hints.count - 1) <= columns }) { return (hints, gap) }
      guard let last = commands.lastIndex(where: { $0 != .help }) else { return (hints, 2) }
      commands.remove(at: last)
    }
  }

  private func drawTooSmall(on surface: Surface) {
    let message = "Tintype wants a window of \(Self.smallest.columns)×\(Self.smallest.rows) or more."
    for (row, line) in CellText(message).wrapped(to: surface.bounds.columns).enumerated() {
      surface.put(line, row: row)
    }
  }
}
