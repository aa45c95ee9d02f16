import Finding
import Foundation
import Gallery
import Terminal
import ViewModels

extension PhotosScreen {
  private var highlighted: Int { pane.list.position.highlighted }

  func label(of command: Command) -> String? {
    switch command {
    case .press where field.isTyping: "Keep results"
    case .switchWindow where field.isTyping: viewModel.search.listsAll ? "Matches only" : "Show all"
    case .contactSheet where showsSheet: "List"
    default: pane.label(of: command)
    }
  }

  func availability(of command: Command) -> Availability {
    if field.isTyping { return availabilityWhileTyping(of: command) }
    switch command {
    case .contactSheet, .search, .sort: return .available
    case .nextFound, .previousFound:
      return viewModel.search.query == nil ? .unavailable("Nothing is searched for; press / to search.") : .available
    // The innermost ends first.
    case .stopLoading: return viewModel.isReading && !canClose ? .available : .absent
    case .showProblems: return viewModel.source.problemCount > 0 ? .available : .absent
    case .reload: return isLoading ? .unavailable("The photos are being loaded already.") : .available
    case .openOutside, .copyPlace, .export:
      let isNone = viewModel.rows.isEmpty && viewModel.marks.count == 0
      return isNone ? .unavailable("There is no photo.") : .available
    case .press, .view, .mark, .markRange, .markAll:
      return viewModel.rows.isEmpty ? .unavailable("There is no photo.") : .available
    case .close where canClose: return .available
    case .quit where canClose: return .absent
    case .toggleRows: return showsSheet ? .absent : .available
    case _ where showsSheet: return availabilityInSheet(of: command)
    default: return pane.availability(of: command)
    }
  }

  /// What is typed is the field's; the footer must not offer what it would be otherwise.
  private func availabilityWhileTyping(of command: Command) -> Availability {
    switch command {
    case .press, .close, .switchWindow, .redraw: .available
    case .moveUp, .moveDown, .pageUp, .pageDown: viewModel.rows.isEmpty ? .absent : .available
    default: .absent
    }
  }

  /// Whether there is a search or a range to give up.
  private var canClose: Bool { viewModel.marks.rangeStart != nil || !field.text.isEmpty }

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
    if viewModel.search.isRunning, !waiting.isEmpty || command.isForRows, !field.isTyping {
      return waiting.append(command)
    }
    switch command {
    case .press where field.isTyping: endTyping()
    case .switchWindow where field.isTyping: viewModel.search.toggleListsAll()
    case .close where field.isTyping || canClose: close()
    case .search: search()
    case .nextFound: turnToFound()
    case .previousFound: turnToFound(isBackwards: true)
    case .sort: host.open(sortPopup())
    case .showProblems: showProblems()
    case .mark, .markRange, .markAll, .openOutside, .copyPlace, .export: choose(command)
    case .press: pane.perform(.press)
    case .view: viewModel.view(row: highlighted)
    case .toggleRows: pane.list.isTall.toggle()
    case .reload:
      context.images.retry()
      viewModel.fetch()
    case .stopLoading: viewModel.cancelFetch()
    case .contactSheet: showsSheet.toggle()
    case .zoomIn: sheet.resize(by: 1)
    case .zoomOut: sheet.resize(by: -1)
    case .close where showsSheet: showsSheet = false
    default: move(command)
    }
    viewModel.approach(row: highlighted)
  }

  private func move(_ command: Command) {
    guard showsSheet else { return pane.perform(command) }
    let position = pane.list.position
    if let photo = sheet.move(command, from: position.highlighted, count: position.count) { pane.highlight(photo) }
  }

  func type(_ event: InputEvent) -> Bool { field.type(event) }

  func handle(_ mouse: Mouse) {
    if field.click(mouse) { return }
    guard showsSheet else {
      pane.handle(mouse)
      return viewModel.approach(row: highlighted)
    }
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
    if isSecond { pane.perform(.press) }
  }
}

// MARK: - Finding and sorting

extension PhotosScreen {
  private func search() {
    if field.text.isEmpty { rowBeforeSearch = pane.list.highlightedRow }
    field.isTyping = true
    viewModel.search.prepare()
  }

  /// What is not understood is told whole, for which the field has no room, and can be corrected.
  private func endTyping() {
    if let fault = viewModel.search.fault {
      host.show(Alert(message: fault), from: self)
    } else {
      field.isTyping = false
    }
  }

  /// Gives up a range that was begun, or the search.
  private func close() {
    if viewModel.marks.rangeStart != nil, !field.isTyping { return viewModel.marks.cancelRange() }
    // Who has gone to what was found wants to stay there.
    if !field.isTyping { rowBeforeSearch = nil }
    field.isTyping = false
    field.clear()
  }

  private func turnToFound(isBackwards: Bool = false) {
    if let row = viewModel.search.match(after: highlighted, isBackwards: isBackwards) { pane.highlight(row) }
  }

  private func sortPopup() -> ChoicePopup {
    let order = viewModel.search.order
    let keys = PhotoOrder.Key.allCases
    return ChoicePopup(
      title: "Sort by",
      choices: keys.map {
        ChoicePopup.Choice(key: $0.letter, text: $0.label, note: $0 == order.key ? order.label : "")
      },
      highlighted: keys.firstIndex(of: order.key) ?? 0
    ) { [viewModel] in viewModel.search.sort(by: keys[$0]) }
  }

  private func showProblems() {
    let (count, lines) = (viewModel.source.problemCount, viewModel.source.problems)
    let rest = count > lines.count ? ["And \((count - lines.count).grouped) more."] : []
    host.open(TextPopup.list(title: "Problems", lines + rest))
  }
}

extension PhotoOrder.Key {
  fileprivate var letter: Character {
    switch self {
    case .source: "o"
    case .date: "d"
    case .name: "n"
    case .camera: "c"
    case .rating: "r"
    case .size: "s"
    }
  }

  fileprivate var label: String {
    switch self {
    case .source: "Order of the source"
    case .date: "Date"
    case .name: "Name"
    case .camera: "Camera"
    case .rating: "Rating"
    case .size: "Size of the image"
    }
  }
}

extension PhotoOrder {
  /// Which end comes first; the key once more turns it round.
  fileprivate var label: String {
    switch (key, isAscending) {
    case (.source, true): "as it is"
    case (.source, false): "reversed"
    case (.date, false): "newest first"
    case (.date, true): "oldest first"
    case (.name, true), (.camera, true): "A to Z"
    case (.name, false), (.camera, false): "Z to A"
    case (.rating, false): "best first"
    case (.rating, true): "worst first"
    case (.size, false): "largest first"
    case (.size, true): "smallest first"
    }
  }
}

// MARK: - Choosing

extension PhotosScreen {
  private func choose(_ command: Command) {
    // A range that has been begun is meant.
    if [.openOutside, .copyPlace, .export].contains(command), viewModel.marks.rangeStart != nil {
      viewModel.marks.markRange(to: highlighted, in: viewModel.rows)
    }
    switch command {
    case .mark:
      viewModel.marks.toggle(row: highlighted, in: viewModel.rows)
      move(showsSheet ? .moveRight : .moveDown)
    case .markRange: viewModel.marks.markRange(to: highlighted, in: viewModel.rows)
    case .markAll: viewModel.marks.markAll(in: viewModel.rows)
    case .openOutside: viewModel.sharing.open(viewModel.markedPhotos(orRow: highlighted))
    case .copyPlace: copyPlaces()
    default: host.open(exportPopup())
    }
  }

  private func copyPlaces() {
    let count = max(1, viewModel.marks.count)
    let photos = count <= Self.mostCopied ? viewModel.markedPhotos(orRow: highlighted) : nil
    guard let paths = photos.map(viewModel.sharing.paths), host.copy(paths) else {
      return host.show(
        Alert(message: "\(count.grouped) paths are too many for the clipboard. Mark fewer, or save them as a list."),
        from: self)
    }
    host.note("Copied: \(count == 1 ? paths.printable : "\(count.grouped) paths")")
  }

  /// Longer than the terminal takes, whatever they are.
  private static var mostCopied: Int { 10_000 }

  private func exportPopup() -> FieldPopup {
    let count = max(1, viewModel.marks.count)
    let folder = FileManager.default.currentDirectoryPath
    return FieldPopup(
      title: "Write a catalog", label: "Of \(count.photosText), to the file", text: "marked.json", button: "Write"
    ) { [unowned self, highlighted] name in
      let base = URL(filePath: folder, directoryHint: .isDirectory)
      export(to: URL(filePath: name, relativeTo: base).standardizedFileURL.path, orRow: highlighted)
    }
  }

  private func export(to path: String, orRow row: Int) {
    let write = { [viewModel] in
      viewModel.sharing.export(viewModel.markedPhotos(orRow: row), to: FilePath(path))
    }
    guard FileManager.default.fileExists(atPath: path) else { return write() }
    host.open(
      ChoicePopup(
        title: "The file exists", choices: [.init(key: "k", text: "Keep it"), .init(key: "o", text: "Write over it")]
      ) { choice in
        if choice == 1 { write() }
      })
  }
}

extension Command {
  /// Whether it is about the rows that are listed.
  fileprivate var isForRows: Bool {
    switch self {
    case .search, .close, .stopLoading, .switchWindow, .sort, .contactSheet, .zoomIn, .zoomOut, .toggleRows,
      .showProblems, .reload:
      false
    default: true
    }
  }
}
