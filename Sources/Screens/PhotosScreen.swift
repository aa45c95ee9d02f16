import Gallery
import Terminal
import ViewModels

/// The first room: the photos, as a list beside the detail of the highlighted one, or as a contact sheet.
@MainActor
final class PhotosScreen: Room {
  private let viewModel: PhotoListViewModel
  private let source: String
  private unowned let host: any RoomHost
  private let context: CellContext
  private let pane: ListPane
  private let sheet: ContactSheet
  private var showsSheet = false
  private var spinning: SharedSpinner.Use?
  /// The photo that a second click in the contact sheet presses.
  private var clicked: Int?
  /// Set where the first photo is to be opened, and the others after it, as soon as they are there.
  private var slideshowSeconds: Double?

  private static let kinds = CellKinds().adding(PhotoRowCell.self)

  /// - Parameters:
  ///   - source: What the photos come from, as the header names it.
  ///   - slideshowSeconds: How long each photo is shown, where they are to be shown one after another.
  init(
    viewModel: PhotoListViewModel, source: String, slideshowSeconds: Double?, host: any RoomHost, context: CellContext
  ) {
    self.viewModel = viewModel
    self.source = source
    self.slideshowSeconds = slideshowSeconds
    self.host = host
    self.context = context
    pane = ListPane(title: "Photos", kinds: Self.kinds, context: context)
    sheet = ContactSheet(pictures: context.pictures)
    bind()
  }

  let name = "Photos"
  let hints: [Command] = [
    .moveUp, .press, .view, .contactSheet, .zoomIn, .zoomOut, .toggleRows, .stopLoading, .reload, .switchWindow, .close,
    .help, .quit,
  ]

  var isLoading: Bool { viewModel.isLoading }

  var status: String {
    if isLoading { return "\(context.spinner.symbol) Loading photos…" }
    if case .failed = viewModel.state, viewModel.rows.isEmpty { return source }
    let count = viewModel.totalItems
    return "\(count) \(count == 1 ? "photo" : "photos") · \(source)"
  }

  func enter() {
    if viewModel.state == .idle { viewModel.fetch() }
  }

  func leave() { pane.release() }

  private func bind() {
    viewModel.onReload = { [unowned self] in
      clicked = nil
      pane.setRows(viewModel.rows)
      if slideshowSeconds != nil { viewModel.view(row: 0) }
      host.setNeedsDisplay()
    }
    viewModel.onAlert = { [unowned self] in host.show($0) }
    viewModel.onLoading = { [unowned self] in
      spinning = $0 ? context.spinner.use() : nil
      host.setNeedsDisplay()
    }
    viewModel.onOpen = { [unowned self] in open($0) }
  }

  private func open(_ photo: Photo) {
    let highlighted = pane.list.position.highlighted
    let row = viewModel.photo(row: highlighted)?.id == photo.id ? highlighted : viewModel.row(of: photo.id)
    guard let row else { return }
    let seconds = slideshowSeconds
    slideshowSeconds = nil
    host.view(
      row, among: { [viewModel] in viewModel.rows }, slideshowSeconds: seconds,
      onTurn: { [unowned self] in pane.highlight($0) })
  }

  func draw(on surface: Surface) {
    if showsSheet, !viewModel.rows.isEmpty {
      sheet.draw(
        viewModel.rows, highlighted: pane.list.position.highlighted, isDimmed: isLoading, on: surface)
    } else {
      pane.draw(notice: notice, isDimmed: isLoading, on: surface)
    }
  }

  private var notice: [String] {
    switch viewModel.state {
    case .loading: ["\(context.spinner.symbol) Loading photos…"]
    case .idle: ["Nothing is loaded.", "Press r to load the photos."]
    case .loaded: ["There are no photos in this catalogue."]
    case .failed: ["The photos could not be loaded.", "Press r to try again."]
    }
  }
}

extension PhotosScreen {
  func availability(of command: Command) -> Availability {
    switch command {
    case .contactSheet: .available
    case .stopLoading: isLoading ? .available : .absent
    case .reload: isLoading ? .unavailable("The photos are being loaded already.") : .available
    case .press, .view: viewModel.rows.isEmpty ? .unavailable("There is no photo to open.") : .available
    case .toggleRows: showsSheet ? .absent : .available
    case _ where showsSheet: availabilityInSheet(of: command)
    default: pane.availability(of: command)
    }
  }

  private func availabilityInSheet(of command: Command) -> Availability {
    switch command {
    case .zoomIn: sheet.canResize(by: 1) ? .available : .unavailable("They are at their largest.")
    case .zoomOut: sheet.canResize(by: -1) ? .available : .unavailable("They are at their smallest.")
    case .moveUp, .moveDown, .moveLeft, .moveRight, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .moveToFirst,
      .moveToLast:
      viewModel.rows.isEmpty ? .unavailable("There is nothing to move through.") : .available
    case .close, .help, .redraw: .available
    default: .absent
    }
  }

  func perform(_ command: Command) {
    clicked = nil
    switch command {
    case .press: viewModel.press(row: pane.list.position.highlighted)
    case .view: viewModel.view(row: pane.list.position.highlighted)
    case .toggleRows: pane.list.isTall.toggle()
    case .reload: viewModel.fetch()
    case .stopLoading: viewModel.cancelFetch()
    case .contactSheet: showsSheet.toggle()
    case .zoomIn: sheet.resize(by: 1)
    case .zoomOut: sheet.resize(by: -1)
    case .close where showsSheet: showsSheet = false
    case _ where showsSheet:
      let position = pane.list.position
      if let photo = sheet.move(command, from: position.highlighted, count: position.count) { pane.highlight(photo) }
    default: pane.perform(command)
    }
  }

  func handle(_ mouse: Mouse) {
    guard showsSheet else { return pane.handle(mouse) }
    switch mouse.action {
    case .wheelUp: perform(.moveUp)
    case .wheelDown: perform(.moveDown)
    case .press: clickInSheet(mouse)
    case .release, .drag: break
    }
  }

  private func clickInSheet(_ mouse: Mouse) {
    guard let photo = sheet.photo(atColumn: mouse.column, row: mouse.row, count: viewModel.rows.count) else { return }
    pane.highlight(photo)
    let isSecond = clicked == photo
    clicked = isSecond ? nil : photo
    if isSecond { viewModel.press(row: photo) }
  }
}
