import Finding
import Gallery
import Photos
import Terminal
import ViewModels

/// The view of the photos that the gallery opens with.
public enum FirstView: Equatable, Sendable {
  /// The list next to the detail of the highlighted photo.
  case list
  /// The photo that the user named, or the first one, in the whole window.
  case viewer
  /// All photos in the whole window, each for a number of seconds.
  case slideshow(seconds: Double)
}

/// The first room: the photos, as a list next to the detail of the highlighted one, or as a contact sheet.
@MainActor
final class PhotosScreen: Room {
  let viewModel: PhotoListViewModel
  let choosing: PhotoChoosingViewModel
  let savedSearches: SavedSearches
  let source: OpenSource
  unowned let host: any RoomHost
  let context: CellContext
  let pane: ListPane
  let sheet: ContactSheet
  let field = SearchField(hint: localized("words, or rating:>=4 taken:june is:picked is:duplicate"))
  var search = PhotoSearch()
  let exchange: ExchangePause
  var showsSheet = false
  /// The photo to highlight when the rows have it; nil for none.
  var destination: Photo.ID?
  /// The photo of an undone step, of the last session or of an import, which is highlighted when it has a row; nil for none.
  var returning: Return?
  /// The view model of the viewer; nil if it is closed.
  weak var viewer: ViewerViewModel?
  /// The view model of the calendar; nil if it is closed.
  weak var calendar: CalendarViewModel?
  /// The photo that was clicked last in the contact sheet. A second click presses it.
  var clicked: RowIndex?
  /// Whether the user drags the pointer over the photos to mark.
  var isDragging = false
  /// Whether the user has done nothing here yet. Until then the first row is highlighted, whichever photo comes there.
  var isUntouched = true
  /// Whether the highlight has moved on after a rating in this session.
  var hasMovedOn = false
  private var spinning: SharedSpinner.Use?
  /// Whether changes of the source are not followed.
  private var isPaused = false
  /// The number of the snapshot that the rows were made of. Another snapshot may have other files.
  private var shownSnapshot = 0
  /// The view that is opened as soon as there are photos, and `list` from then on.
  var firstView: FirstView
  private var bindings: [Subscription] = []
  /// The comparison of the highlighted row's stack, whose images are prepared.
  private var comparison: (row: RowIndex, screen: CompareScreen)?

  private static let kinds = CellKinds().adding(PhotoRowCell.self)

  /// - Parameters:
  ///   - source: The photos' source, for the header.
  ///   - firstView: The view that is opened as soon as there are photos.
  init(
    viewModel: PhotoListViewModel, choosing: PhotoChoosingViewModel, savedSearches: SavedSearches, source: OpenSource,
    firstView: FirstView, host: any RoomHost, context: CellContext
  ) {
    self.viewModel = viewModel
    self.choosing = choosing
    self.savedSearches = savedSearches
    self.source = source
    self.firstView = firstView
    self.host = host
    self.context = context
    pane = ListPane(title: localized("Photos"), kinds: Self.kinds, context: context)
    sheet = ContactSheet(images: context.images)
    exchange = ExchangePause(clock: host.clock)
    bind()
  }

  var name: String { localized("Photos") }
  var isLoading: Bool { viewModel.isLoading }
  var isTyping: Bool { field.isTyping }

  /// The commands for marked photos come first if some are marked, since a narrow footer drops the last hints.
  var hints: [Command] {
    let hasMarks = choosing.marks.count > 0 || choosing.marks.range != nil
    let stack: [Command] =
      switch stackOfHighlighted?.kind {
      case nil: []
      case .duplicates: [.compare]
      default: [.toggleStack, .compare, .toggleStacks]
      }
    let marking: [Command] =
      !hasMarks
      ? []
      : [
        .mark, .markAll, .moveTo, .trash, .exportPhotos, .collect, .keywords, .copyTo, .label, .rename, .copyPlace,
        .openOutside,
        .markRange,
      ]
    let deciding: [Command] = choosing.canDecide ? [.rateOne, .reject, .undo] : []
    let ordering: [Command] = source.place.collection == nil ? [] : [.moveEarlier, .takeOut]
    let first =
      [.stopLoading, .moveUp] + (stackOfHighlighted?.kind == .duplicates ? [.keepBest] : []) + deciding
      + marking + ordering + [.press] + stack + [.search, .contactSheet]
      + (choosing.canDecide && !hasMarks ? [.label] : [])
    // While a search is typed, the key deletes a letter.
    let parent: [Command] = source.parent == nil || field.isTyping ? [] : [.parentFolder]
    let places: [Command] = (source.isOwn ? [] : [.places]) + [.goTo] + parent
    // A photo of a folder is never refused when it is pressed.
    let view: [Command] = choosing.canDecide ? [] : [.view]
    let sheet: [Command] = showsSheet ? [.makeSheet] : []
    let others: [Command] = [
      .moveTo, .collect, .trash, .rename, .copyTo, .caption, .template, .slideshow, .importPhotos, .copyPlace,
      .showProblems,
      .zoomToFill,
      .markAll, .markRange, .export, .toggleRows, .otherFile, .reload, .switchWindow, .compare, .settings, .close,
      .help, .quit,
    ]
    let more =
      [.complete, .listAll, .zoomIn, .zoomOut, .mark] + places + view + [.sort, .cull, .keywords, .exportPhotos]
      + sheet + others
    return first + more.filter { !first.contains($0) }
  }

  func enter() {
    if viewModel.state == .idle || isPaused { viewModel.fetch() }
    isPaused = false
    // The photos may be loading since before the screen was there.
    spin()
  }

  func leave() { pane.release() }

  /// Ends the reading and the watching of the source until the user enters again.
  func pause() {
    if !isPaused { viewModel.cancelFetch() }
    isPaused = true
  }

  var announcement: String? {
    let completions = CompletionLine(viewModel.search).announcement
    let search = field.isTyping ? [field.announcement, searchResult?.text, completions] : []
    let words = pane.announcement ?? (isLoading ? status.text : notice?.joined(separator: " "))
    return (search + [words]).compactMap(\.self).joined(separator: " · ")
  }

  func setRowSize(_ size: RowSize) { pane.list.rowSize = size }

  private func bind() {
    viewModel.onReload = { [unowned self] in reload() }
    viewModel.onAlert = { [unowned self] in host.show($0, from: self) }
    savedSearches.onAlert = { [unowned self] in host.show($0, from: self) }
    choosing.onAlert = { [unowned self] in host.show($0, from: self) }
    choosing.onNote = { [unowned self] in host.note($0) }
    choosing.onReturn = { [unowned self] in returnToPhoto(of: $0, movesOn: $1) }
    choosing.onChange = { [unowned self] in host.setNeedsDisplay() }
    choosing.sharing.onAddress = { [unowned self] in openLate(mapPopup($0)) }
    viewModel.onLoading = { [unowned self] _ in spin() }
    viewModel.onProgress = { [unowned self] in spin() }
    viewModel.onOpen = { [unowned self] in open($0) }
    field.onChange = { [viewModel, unowned field] in
      viewModel.search.find($0)
      if field.isTyping { viewModel.search.complete() }
    }
    exchange.onEnd = { [unowned self] in host.setNeedsDisplay() }
    bindings = [choosing.marks.$count, choosing.$unlistedMarkCount].map { [context] in
      $0.bind { _ in context.onChange() }
    }
  }

  private func reload() {
    clicked = nil
    comparison = nil
    let shot = (pane.list.highlightedRow as? PhotoRow)?.photoID
    pane.setRows(viewModel.rows)
    calendar?.recount()
    if isUntouched, !viewModel.rows.isEmpty { pane.highlight(0) }
    noteExchange(of: shot)
    highlight(search.rowsDidChange(query: viewModel.search.query, keepsWholeList: viewModel.search.listsAll))
    if let photo = destination, viewModel.search.query == nil {
      destination = nil
      if let row = choosing.reveal(photo) {
        isUntouched = false
        pane.highlight(row)
      }
    }
    // The highlighted photo may have moved to another row, with other stacks near it.
    choosing.approach(row: highlighted)
    if shownSnapshot != viewModel.source.snapshotNumber {
      shownSnapshot = viewModel.source.snapshotNumber
      context.images.revalidate()
    }
    if let returning { returnToPhoto(of: returning) }
    if firstView != .list { choosing.viewFirst() }
    host.setNeedsDisplay()
    for command in search.takeWaitingCommands() { perform(command) }
  }

  /// Refuses decisions for a moment if another shot represents the highlighted stack now.
  private func noteExchange(of shot: Photo.ID?) {
    guard let shot, let row = pane.list.highlightedRow as? PhotoRow, row.stack?.isOpen == false, row.photoID != shot,
      viewModel.rows.index(ofPhoto: shot, guess: highlighted) == highlighted
    else { return }
    exchange.begin()
  }

  private func highlight(_ highlight: PhotoSearch.Highlight) {
    let row: RowIndex? =
      switch highlight {
      case .unchanged: nil
      case .bestMatch where viewModel.search.listsAll:
        viewModel.search.match(after: highlighted - 1)
      case .bestMatch: 0
      case .origin(let row): viewModel.rows.index(of: row)
      }
    if let row { pane.highlight(row) }
  }

  private func spin() {
    let isWaiting =
      viewModel.isLoading || viewModel.source.isPaging || viewModel.search.isRunning
      || viewModel.search.awaitsDuplicates || viewModel.search.awaitsServer
    if isWaiting != (spinning != nil) { spinning = isWaiting ? context.spinner.use() : nil }
    host.setNeedsDisplay()
  }

  private func open(_ photo: Photo) {
    guard let row = viewModel.rows.index(ofPhoto: photo.id, guess: highlighted) else { return }
    guard let viewer = ViewerViewModel(row, among: { [viewModel] in viewModel.rows }, clock: host.clock) else { return }
    if case .slideshow(let seconds) = firstView { viewer.startSlideshow(seconds: seconds) }
    firstView = .list
    isUntouched = false
    // The photo that the user named need not be the first one.
    pane.highlight(row)
    viewer.onTurn = { [unowned self] in
      pane.highlight($0)
      choosing.approach(row: $0)
    }
    self.viewer = viewer
    host.view(viewer, summary: nil, photos: actions { [viewModel] in viewModel.rows })
  }

  func draw(on surface: Surface) {
    let hasField = field.isTyping || !field.text.isEmpty && !source.isOwn
    // The line of the completions is always there, so that the rows don't jump while the user types.
    let (top, body) = surface.bounds.split(rows: hasField ? field.isTyping ? 2 : 1 : 0)
    if hasField {
      let (line, below) = top.inset(columns: 1).split(rows: 1)
      field.draw(result: searchResult, on: surface.clipped(to: line))
      CompletionLine(viewModel.search).draw(
        key: host.keys.keyName(of: .complete), on: surface.clipped(to: below))
    } else {
      field.hide()
    }
    let rest = surface.clipped(to: body)
    if showsSheet, !viewModel.rows.isEmpty {
      drawSheet(on: rest)
    } else {
      pane.draw(notice: notice, status: rowCount, isDimmed: isLoading, on: rest)
    }
  }

  /// Draws the sheet. The last line of a search says why it found the highlighted photo, unless the name shows that.
  private func drawSheet(on surface: Surface) {
    let isSearch = viewModel.search.query != nil
    let (place, last) = surface.bounds.split(rows: surface.bounds.rows - (isSearch ? 1 : 0))
    sheet.draw(viewModel.rows, highlighted: highlighted, isDimmed: isLoading, on: surface.clipped(to: place))
    guard isSearch, let row = pane.list.highlightedRow as? PhotoRow,
      let finding = row.finding(besideName: row.distinctName ?? row.name)
    else { return }
    let line = surface.clipped(to: last.inset(columns: 2))
    line.put(CellText(finding.text, truncatedTo: line.bounds.columns), .secondary, lighting: finding.ranges(in:))
  }

  /// Requests the images of the highlighted stack, whose shots will probably be compared.
  func prepareNext(for window: Surface) {
    guard stackOfHighlighted?.isOpen == false, choosing.marks.count < 2 else {
      comparison = nil
      return
    }
    if comparison?.row != highlighted {
      comparison = choosing.comparison(ofStackAtRow: highlighted).map {
        (highlighted, CompareScreen($0, images: context.images))
      }
    }
    comparison?.screen.prepare(for: window)
  }
}
