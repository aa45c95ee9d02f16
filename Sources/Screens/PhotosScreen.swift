import Gallery
import Terminal
import ViewModels

/// The first room: the list of photos beside the detail of the highlighted one.
@MainActor
final class PhotosScreen: Layer {
  private enum Window {
    case list, detail
  }

  var onQuit: () -> Void = {}
  /// Turned by the spinner while photos load.
  var spinner = Spinner()

  private let viewModel: PhotoListViewModel
  private let list: ListWindow
  private let detail: DetailWindow
  private let sheet: ContactSheet
  private var showsSheet = false
  private var focus = Window.list
  private var isNarrow = false
  /// The photo that a second click presses.
  private var clickedID: Photo.ID?
  /// The photo that stays highlighted when the rows are replaced.
  private var highlightedID: Photo.ID?
  private var detailBounds = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// From this width on, the windows stand side by side.
  private static let wideColumns = 80

  init(viewModel: PhotoListViewModel, pictures: PictureLayer) {
    self.viewModel = viewModel
    list = ListWindow(pictures: pictures)
    detail = DetailWindow(pictures: pictures)
    sheet = ContactSheet(pictures: pictures)
  }

  let extent = Extent.room
  let hints: [Command] = [
    .moveUp, .press, .view, .contactSheet, .zoomIn, .zoomOut, .toggleRows, .stopLoading, .reload, .switchWindow, .close,
    .help, .quit,
  ]

  /// Moves to a row, as when the photo shown in full is another one.
  func highlight(row: Int) {
    list.position.highlight(row)
    highlightDidChange()
  }

  /// Takes up the view model's new rows.
  func reload() {
    clickedID = nil
    list.position.setCount(viewModel.rows.count)
    if viewModel.photo(row: list.position.highlighted)?.id != highlightedID,
      let row = highlightedID.flatMap(viewModel.row)
    {
      list.position.highlight(row)
    }
    highlightDidChange()
  }

  func draw(on surface: Surface) {
    if showsSheet, !viewModel.rows.isEmpty {
      return sheet.draw(
        viewModel.rows, highlighted: list.position.highlighted, isDimmed: viewModel.isLoading, on: surface)
    }
    isNarrow = surface.bounds.columns < Self.wideColumns
    if isNarrow {
      if focus == .list { drawList(on: surface) } else { drawDetail(on: surface) }
      return
    }
    let (left, right) = surface.bounds.split(columns: min(56, max(36, surface.bounds.columns * 2 / 5)))
    let (rule, rest) = right.split(columns: 1)
    // The detail first: its picture is the one that is looked at.
    drawDetail(on: surface.clipped(to: rest))
    drawList(on: surface.clipped(to: left))
    drawDivider(on: surface.clipped(to: rule))
    prepareNeighbours(on: surface)
  }

  /// Has the pictures prepared that one key leads to, so that it finds them there.
  private func prepareNeighbours(on surface: Surface) {
    for step in [1, -1, 2, -2, 3] {
      guard let neighbour = viewModel.photo(row: list.position.highlighted + step) else { continue }
      detail.prepare(neighbour.image, on: surface)
    }
  }

  private func drawList(on surface: Surface) {
    list.draw(
      viewModel.rows, notice: notice, hasFocus: focus == .list, isDimmed: viewModel.isLoading, on: surface)
  }

  private func drawDetail(on surface: Surface) {
    detailBounds = surface.bounds
    guard let photo = viewModel.detail(row: list.position.highlighted) else { return }
    detail.draw(photo, hasFocus: focus == .detail, isDimmed: viewModel.isLoading, on: surface)
  }

  /// The rule between the windows is the list's scroll bar as well.
  private func drawDivider(on surface: Surface) {
    surface.verticalRule(column: 0)
    let position = list.position
    guard position.count > position.capacity else { return }
    let rows = surface.bounds.rows
    let length = max(1, rows * position.capacity / position.count)
    let start = (rows - length) * position.top / (position.count - position.capacity)
    for row in start..<start + length { surface.put("┃", row: row, .secondary) }
  }

  private var notice: [String] {
    switch viewModel.state {
    case .loading: ["\(spinner.symbol) Loading photos…"]
    case .idle: ["Nothing is loaded.", "Press r to load the photos."]
    case .loaded: ["There are no photos in this catalogue."]
    case .failed: ["The photos could not be loaded.", "Press r to try again."]
    }
  }
}

extension PhotosScreen {
  func availability(of command: Command) -> Availability {
    switch command {
    case .help, .redraw, .contactSheet: .available
    case .switchWindow: showsSheet ? .absent : .available
    // Where q goes back, it does not quit, and the footer must not say so.
    case .quit: canClose ? .absent : .available
    case .confirm, .nextPhoto, .previousPhoto, .toggleFacts, .zoomToFit, .zoomToFull, .slideshow: .absent
    case .zoomIn:
      !showsSheet ? .absent : sheet.canResize(by: 1) ? .available : .unavailable("They are at their largest.")
    case .zoomOut:
      !showsSheet ? .absent : sheet.canResize(by: -1) ? .available : .unavailable("They are at their smallest.")
    case .moveLeft, .moveRight: showsSheet ? .available : .absent
    case .close: canClose ? .available : .absent
    case .stopLoading: viewModel.isLoading ? .available : .absent
    case .reload: viewModel.isLoading ? .unavailable("The photos are being loaded already.") : .available
    case .toggleRows: !showsSheet && (focus == .list || !isNarrow) ? .available : .absent
    case .moveUp, .moveDown, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .moveToFirst, .moveToLast:
      isInDetail && !detail.isScrollable
        ? .unavailable("All of it is in view.")
        : viewModel.rows.isEmpty ? .unavailable("There is nothing to move through.") : .available
    case .press, .view: viewModel.rows.isEmpty ? .unavailable("There is no photo to open.") : .available
    }
  }

  func perform(_ command: Command) {
    clickedID = nil
    switch command {
    case .press: viewModel.press(row: list.position.highlighted)
    case .view: viewModel.view(row: list.position.highlighted)
    case .toggleRows: list.isTall.toggle()
    case .reload: viewModel.fetch()
    case .stopLoading: viewModel.cancelFetch()
    case .switchWindow: focus = focus == .list ? .detail : .list
    case .contactSheet: showsSheet.toggle()
    case .zoomIn: sheet.resize(by: 1)
    case .zoomOut: sheet.resize(by: -1)
    case .close: if showsSheet { showsSheet = false } else { focus = .list }
    case .quit: onQuit()
    case _ where isInDetail: detail.scroll(command)
    case _ where showsSheet:
      let count = viewModel.rows.count
      if let photo = sheet.move(command, from: list.position.highlighted, count: count) { highlight(row: photo) }
    default:
      if list.position.move(command) { highlightDidChange() }
    }
  }

  /// Whether there is something to go back from.
  private var canClose: Bool { showsSheet || (isNarrow && focus == .detail) }
  private var isInDetail: Bool { !showsSheet && focus == .detail }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: scroll(by: -1, mouse)
    case .wheelDown: scroll(by: 1, mouse)
    case .press: click(mouse)
    case .release, .drag: break
    }
  }

  private func click(_ mouse: Mouse) {
    if isOverDetail(mouse) {
      focus = .detail
    } else if let row = row(at: mouse) {
      focus = .list
      list.position.highlight(row)
      highlightDidChange()
      let isSecond = clickedID == highlightedID
      clickedID = isSecond ? nil : highlightedID
      if isSecond { viewModel.press(row: row) }
    }
  }

  private func row(at mouse: Mouse) -> Int? {
    showsSheet
      ? sheet.photo(atColumn: mouse.column, row: mouse.row, count: viewModel.rows.count)
      : list.row(atColumn: mouse.column, row: mouse.row)
  }

  private func scroll(by rows: Int, _ mouse: Mouse) {
    clickedID = nil
    if showsSheet {
      perform(rows > 0 ? .moveDown : .moveUp)
    } else if isOverDetail(mouse) {
      detail.scroll(by: rows)
    } else {
      list.position.move(by: rows)
      highlightDidChange()
    }
  }

  private func isOverDetail(_ mouse: Mouse) -> Bool {
    !showsSheet && (!isNarrow || focus == .detail) && detailBounds.contains(column: mouse.column, row: mouse.row)
  }

  private func highlightDidChange() {
    let id = viewModel.photo(row: list.position.highlighted)?.id
    guard id != highlightedID else { return }
    highlightedID = id
    detail.scrollToTop()
  }
}
