import Finding
import Gallery
import Terminal
import ViewModels

/// What is shown of the photos first.
public enum FirstView: Equatable, Sendable {
  case list
  /// The first photo alone.
  case viewer
  /// One after another, each for so long.
  case slideshow(seconds: Double)
}

/// The first room: the photos, as a list beside the detail of the highlighted one, or as a contact sheet.
@MainActor
final class PhotosScreen: Room {
  let viewModel: PhotoListViewModel
  private let source: String
  unowned let host: any RoomHost
  let context: CellContext
  let pane: ListPane
  let sheet: ContactSheet
  let field = SearchField(hint: "words, or camera:x100 rating:>=4 year:2017 has:gps")
  var showsSheet = false
  private var spinning: SharedSpinner.Use?
  /// The photo that a second click in the contact sheet presses.
  var clicked: Int?
  /// What was highlighted when the search began, and is again when it is given up.
  var rowBeforeSearch: (any RowViewModel)?
  /// What is to be done when the rows that were searched for are there: it is meant for them.
  var waiting: [Command] = []
  /// What was searched for when rows came last.
  private var shownQuery: PhotoQuery?
  /// Which snapshot the rows were made of when rows came last: with another, files may have changed.
  private var shownSnapshot = 0
  /// What is to be shown as soon as there are photos; the list, when that has been.
  private var firstView: FirstView
  private var bindings: [Subscription] = []

  private static let kinds = CellKinds().adding(PhotoRowCell.self)
  private static let barWidth = 10

  /// - Parameters:
  ///   - source: What the photos come from, as the header names it.
  ///   - firstView: What is shown as soon as there are photos.
  init(
    viewModel: PhotoListViewModel, source: String, firstView: FirstView, host: any RoomHost, context: CellContext
  ) {
    self.viewModel = viewModel
    self.source = source
    self.firstView = firstView
    self.host = host
    self.context = context
    pane = ListPane(title: "Photos", kinds: Self.kinds, context: context)
    sheet = ContactSheet(images: context.images)
    bind()
  }

  let name = "Photos"
  /// The most important first, since the footer has no room for all: what can be done with marks, where there are some.
  var hints: [Command] {
    let marking: [Command] = viewModel.marks.count > 0 ? [.mark, .openOutside, .copyPlace, .export] : []
    return [.stopLoading, .moveUp] + marking
      + [
        .press, .view, .showProblems, .search, .sort, .contactSheet, .zoomIn, .zoomOut, .mark, .toggleRows, .reload,
        .switchWindow, .close, .help, .quit,
      ].filter { !marking.contains($0) }
  }

  var isLoading: Bool { viewModel.isLoading }

  func enter() {
    if viewModel.state == .idle { viewModel.fetch() }
  }

  func leave() { pane.release() }

  private func bind() {
    viewModel.onReload = { [unowned self] in reload() }
    viewModel.onAlert = { [unowned self] in host.show($0, from: self) }
    viewModel.onLoading = { [unowned self] _ in spin() }
    viewModel.onProgress = { [unowned self] in spin() }
    viewModel.onOpen = { [unowned self] in open($0) }
    field.onChange = { [viewModel] in viewModel.search.find($0) }
    bindings = [viewModel.marks.$count.bind { [context] _ in context.onChange() }]
  }

  private func reload() {
    clicked = nil
    pane.setRows(viewModel.rows)
    if shownQuery != viewModel.search.query {
      shownQuery = viewModel.search.query
      if shownQuery == nil { returnFromSearch() } else { showBestMatch() }
    }
    if shownSnapshot != viewModel.snapshotNumber {
      shownSnapshot = viewModel.snapshotNumber
      context.images.revalidate()
    }
    if firstView != .list { viewModel.view(row: 0) }
    host.setNeedsDisplay()
    let commands = waiting
    waiting = []
    for command in commands where availability(of: command) == .available { perform(command) }
  }

  /// To where one was; what was turned to while the list was whole is where one wanted to be.
  private func returnFromSearch() {
    guard !viewModel.search.listsAll, let row = rowBeforeSearch else { return }
    if let index = viewModel.rows.index(of: row) { pane.highlight(index) }
  }

  private func showBestMatch() {
    if !viewModel.search.listsAll {
      pane.highlight(0)
    } else if let row = viewModel.search.match(after: pane.list.position.highlighted - 1) {
      pane.highlight(row)
    }
  }

  private func spin() {
    let isWaiting = viewModel.isLoading || viewModel.isPaging || viewModel.search.isRunning
    if isWaiting != (spinning != nil) { spinning = isWaiting ? context.spinner.use() : nil }
    host.setNeedsDisplay()
  }

  private func open(_ photo: Photo) {
    guard let row = viewModel.rows.index(ofPhoto: photo.id, guess: pane.list.position.highlighted) else { return }
    let seconds: Double? = if case .slideshow(let seconds) = firstView { seconds } else { nil }
    firstView = .list
    host.view(
      row, among: { [viewModel] in viewModel.rows }, slideshowSeconds: seconds,
      onTurn: { [unowned self] in pane.highlight($0) })
  }

  func draw(on surface: Surface) {
    let hasField = field.isTyping || !field.text.isEmpty
    let (top, body) = surface.bounds.split(rows: hasField ? 1 : 0)
    if hasField {
      field.draw(result: searchResult, on: surface.clipped(to: top.inset(columns: 1)))
    } else {
      field.hide()
    }
    let rest = surface.clipped(to: body)
    if showsSheet, !viewModel.rows.isEmpty {
      sheet.draw(viewModel.rows, highlighted: pane.list.position.highlighted, isDimmed: isLoading, on: rest)
    } else {
      pane.draw(notice: notice, isDimmed: isLoading, on: rest)
    }
  }
}

// MARK: - What is said

extension PhotosScreen {
  var status: String {
    if isLoading { return "\(context.spinner.symbol) Loading photos…" }
    if let progress = viewModel.progress {
      let done = Int((progress.fraction * Double(Self.barWidth)).rounded(.down))
      let bar = String(repeating: "━", count: done) + String(repeating: "─", count: Self.barWidth - done)
      return "\(bar) \(progress.text) · \(source)"
    }
    if case .failed = viewModel.state, viewModel.rows.isEmpty { return source }
    return [marked, age, extent, problems].compactMap(\.self).joined(separator: " · ") + " · \(source)"
  }

  private var extent: String {
    let (shown, total) = (viewModel.source.loadedCount, viewModel.source.totalCount)
    if viewModel.isPaging { return "\(context.spinner.symbol) \(shown.grouped) of \(total.photosText)" }
    if viewModel.isReading { return "\(shown.photosText) so far" }
    return shown < total ? "\(shown.grouped) of \(total.photosText)" : total.photosText
  }

  private var marked: String? {
    if viewModel.marks.rangeStart != nil { return "V ends the range" }
    let count = viewModel.marks.count
    return count > 0 ? "\(count.grouped) marked" : nil
  }

  private var problems: String? {
    let count = viewModel.source.problemCount
    return count > 0 ? "\(count.grouped) \(count == 1 ? "problem" : "problems")" : nil
  }

  private var age: String? { viewModel.source.cachedSince.map { "as of \($0)" } }

  private var searchResult: (text: String, role: Role)? {
    let (search, source) = (viewModel.search, viewModel.source)
    if let fault = search.fault { return (fault, .accent) }
    if search.isRunning { return (context.spinner.symbol, .accent) }
    guard search.query != nil, let count = search.matchCount else { return nil }
    // Of pages that have not come nothing is known.
    let loaded = source.loadedCount < source.totalCount ? " loaded" : ""
    return ("\(count.grouped) of \(source.loadedCount.grouped)\(loaded)", .secondary)
  }

  private var notice: [String]? {
    switch viewModel.state {
    case .loading: nil
    case .idle: ["Nothing is loaded.", Binding.reloadHint(to: "load the photos")]
    case .loaded where viewModel.search.query != nil: ["Nothing was found.", "Esc ends the search."]
    case .loaded where viewModel.source.problemCount > 0:
      ["There are no photos here that can be read.", "Press ! for why."]
    case .loaded: viewModel.source.emptyNotice
    case .failed(let error): [error.message, Binding.reloadHint()]
    }
  }
}
