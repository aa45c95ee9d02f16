import Finding
import Gallery
import Photos
import Terminal
import ViewModels

extension PhotosScreen {
  var highlighted: RowIndex { pane.list.highlighted }

  @ActionList var actions: [Action] {
    if field.isTyping {
      typingActions
    } else {
      findingActions
      savedSearchActions
      collectionActions
      choosingActions
      decidingActions
      viewActions
      if showsSheet { sheetActions } else { pane.actions }
    }
  }

  /// Carries out an action, or keeps it until the rows that it is meant for are there.
  func perform(_ action: Action) {
    clicked = nil
    if !field.isTyping, search.holds(action.command, isArranging: viewModel.search.isRunning) { return }
    isUntouched = false
    let row = highlighted
    action.perform()
    if highlighted != row { exchange.end() }
    choosing.approach(row: highlighted)
  }

  @ActionList private var typingActions: [Action] {
    Action(.press, label: localized("Keep results")) { [self] in endTyping() }
    let completion = viewModel.search.nextCompletion
    Action(.complete, refusal: completion == nil ? localized("Nothing to complete.") : nil) { [self] in
      if let completion { field.text = completion.query }
    }
    Action(.listAll, label: viewModel.search.listsAll ? localized("Matches only") : nil) { [self] in
      viewModel.search.toggleListsAll()
    }
    Action(.close) { [self] in close() }
    if !viewModel.rows.isEmpty { Action.moves { [self] in move($0) } }
  }

  @ActionList private var findingActions: [Action] {
    Action(.search) { [self] in beginSearch() }
    Action(.nextFound, refusal: noSearch) { [self] in turnToFound() }
    Action(.previousFound, refusal: noSearch) { [self] in turnToFound(isBackwards: true) }
    Action(.calendar, refusal: viewModel.source.loadedCount == 0 ? noPhoto : nil) { [self] in openCalendar() }
    Action(.photoMap, refusal: noPhoto) { [self] in showMap() }
    Action(.sort, refusal: noPhoto) { [self] in host.open(sortPopup()) }
    // Escape ends the search or the range before it stops the loading.
    if canClose {
      Action(.close, label: choosing.marks.range == nil ? localized("All photos") : nil) { [self] in close() }
    } else {
      Action(.stopLoading, refusal: viewModel.source.isReading ? nil : localized("Nothing is being loaded.")) {
        [self] in
        viewModel.cancelFetch()
      }
    }
    let notTyping = localized("While a search is typed.")
    Action(.complete, refusal: notTyping) {}
    Action(.listAll, refusal: notTyping) {}
  }

  var noPhoto: String? { viewModel.rows.isEmpty ? localized("There is no photo.") : nil }

  @ActionList private var choosingActions: [Action] {
    let noneChosen = choosing.marks.count == 0 ? noPhoto : nil
    Action(.press, refusal: noPhoto) { [self] in press() }
    Action(.view, refusal: noPhoto) { [self] in (pane.list.highlightedRow as? PhotoRow)?.view() }
    Action(.slideshow, refusal: noPhoto) { [self] in
      firstView = .slideshow(seconds: ViewerViewModel.slideshowSeconds)
      (pane.list.highlightedRow as? PhotoRow)?.view()
    }
    Action(.mark, refusal: noPhoto ?? exchange.refusal) { [self] in toggleMark() }
    Action(.markRange, refusal: noPhoto) { [self] in choosing.marks.markRange(to: highlighted, in: viewModel.rows) }
    let isSearch = viewModel.search.query != nil
    let unmarks = choosing.marks.count > 0 && !isSearch
    Action(.markAll, label: unmarks ? localized("Unmark") : nil, refusal: noPhoto) { [self] in
      choosing.marks.markAll(in: viewModel.rows, isSearch: isSearch)
    }
    Action(.openOutside, refusal: noneChosen ?? unopenable) { [self] in openOutside(chosenPhotos()) }
    Action.map(of: (pane.list.highlightedRow as? any Detailed)?.detail) { [self] in choosing.sharing.openMap($0) }
    Action(.copyPlace, refusal: noneChosen) { [self] in
      endRange()
      copyPaths(of: max(1, choosing.marks.count), choosing.markedPhotos(orRow: highlighted))
    }
    Action.copyImage(of: pane.list.highlightedRow) { [self] in choosing.copyImage(of: $0, to: host.clipboard) }
    Action(.export, refusal: noneChosen) { [self] in saveAsCatalog(chosenPhotos()) }
  }

  @ActionList private var viewActions: [Action] {
    Action.otherFile(of: pane.list.highlightedRow)
    stackActions
    let tooFew = viewModel.rows.count < 2 && stackOfHighlighted == nil
    Action(.compare, refusal: tooFew ? localized("At least two photos are needed.") : nil) { [self] in compare() }
    Action(.contactSheet, label: showsSheet ? localized("List") : nil, refusal: showsSheet ? nil : noPhoto) { [self] in
      showsSheet.toggle()
    }
    if !showsSheet {
      Action(.toggleRows, refusal: noPhoto) { [self] in pane.list.rowSize = pane.list.rowSize.next }
      Action(.justify, refusal: localized("In the contact sheet.")) {}
    }
    Action(.showProblems, refusal: viewModel.source.problemCount == 0 ? localized("There are no problems.") : nil) {
      [self] in
      showProblems()
    }
    Action(.reload, refusal: isLoading ? localized("Already loading.") : nil) { [self] in
      context.images.retry()
      viewModel.fetch()
    }
  }

  private func compare() {
    endRange()
    compare(fromRow: highlighted)
  }

  /// Compares the photo of a row that the user looks at, which may be that of a cull, as
  /// ``PhotoChoosingViewModel/comparison(orRow:viewed:)`` does.
  ///
  /// - Parameters:
  ///   - rows: Returns the rows in which the photo at the cursor is looked up at the end.
  ///   - onEnd: Called with its row.
  func compare(
    _ row: any RowViewModel, among rows: @escaping @MainActor () -> PhotoRows,
    onEnd: @escaping @MainActor (RowIndex) -> Void
  ) {
    guard let place = viewModel.rows.index(of: row) else { return }
    compare(fromRow: place, viewed: (row as? PhotoRow)?.photoID) {
      if let row = rows().index(ofPhoto: $0) { onEnd(row) }
    }
  }

  /// Returns what the viewer does with photos.
  /// - Parameter rows: Returns the rows that it shows.
  func actions(among rows: @escaping @MainActor () -> PhotoRows) -> PhotoActions {
    PhotoActions(
      compare: { [unowned self] in compare($0, among: rows, onEnd: $1) },
      template: { [unowned self] in if let photo = ($0 as? PhotoRow)?.photo { chooseTemplate(of: [photo]) } },
      templateRefusal: { [unowned self] in
        choosing.canDecide ? nil : Action.cannotDecide(about: pane.list.highlightedRow)
      })
  }

  private func compare(
    fromRow row: RowIndex, viewed: Photo.ID? = nil, onEnd: @escaping (Photo.ID) -> Void = { _ in }
  ) {
    guard let comparison = choosing.comparison(orRow: row, viewed: viewed) else { return }
    host.compare(comparison) { [unowned self] in
      if let row = choosing.end(comparison) { pane.highlight(row) }
      // The user has chosen the shot.
      exchange.end()
      onEnd(comparison.chosen)
      noteBeaten(in: comparison)
    }
  }

  /// Says that the beaten photos of a comparison can still be rejected.
  private func noteBeaten(in comparison: PhotoComparison) {
    let beaten = comparison.beaten.count
    guard beaten > 0, choosing.canDecide else { return }
    host.note(
      localized("Left as they are: \(beaten.photosText) · \(host.keys.keyName(of: .rejectBeaten)) rejects them"))
  }

  var stackOfHighlighted: StackPlace? { (pane.list.highlightedRow as? PhotoRow)?.stack }

  @ActionList private var stackActions: [Action] {
    Action(
      .toggleStack, label: stackOfHighlighted?.isOpen == true ? localized("Close stack") : nil,
      refusal: stackOfHighlighted == nil
        ? localized("The photo is in no stack.")
        : stackOfHighlighted?.kind == .duplicates ? localized("Duplicates are always listed.") : nil
    ) { [self] in
      choosing.toggleStack(row: highlighted)
    }
    Action(
      .toggleStacks, label: choosing.stacks.areOn ? localized("Unstack all") : nil,
      refusal: choosing.canStack ? nil : localized("Only the photos of a folder can be stacked.")
    ) { [self] in
      choosing.stacks.toggleAll()
      host.note(choosing.stacks.areOn ? localized("Similar photos are stacked.") : localized("Each photo is listed."))
    }
  }

  @ActionList private var sheetActions: [Action] {
    let noMove = viewModel.rows.isEmpty ? localized("Nothing here.") : nil
    Action(.zoomIn, refusal: sheet.grid.canResize(by: 1) ? nil : localized("Largest size.")) { [self] in
      sheet.resize(by: 1)
    }
    Action(.zoomOut, refusal: sheet.grid.canResize(by: -1) ? nil : localized("Smallest size.")) { [self] in
      sheet.resize(by: -1)
    }
    Action(.toggleRows, label: localized("Size")) { [self] in sheet.resizeInTurn() }
    Action(.justify, label: sheet.isJustified ? localized("Grid") : nil) { [self] in sheet.isJustified.toggle() }
    Action(.zoomToFill, label: sheet.cropsPhotos ? localized("Whole") : localized("Crop")) { [self] in
      sheet.cropsPhotos.toggle()
    }
    Action(.moveLeft, refusal: noMove) { [self] in pane.highlight(highlighted - 1) }
    Action(.moveRight, refusal: noMove) { [self] in pane.highlight(highlighted + 1) }
    Action.moves(refusal: noMove) { [self] in move($0) }
    Action(.close) { [self] in showsSheet = false }
  }

  /// Whether there is a search or a range of marks to give up.
  private var canClose: Bool { choosing.marks.range != nil || !field.text.isEmpty }

  private func move(_ move: Move) {
    // A key may come before the first frame of the sheet, or of its new photos.
    guard showsSheet, sheet.grid.contains(highlighted) else { return pane.move(move) }
    pane.highlight(sheet.grid.photo(after: move, from: highlighted))
  }

  func type(_ event: InputEvent) -> Bool { field.type(event) }

  func handle(_ mouse: Mouse) {
    isUntouched = false
    if field.click(mouse) { return }
    guard showsSheet else {
      pane.handle(mouse)
      return choosing.approach(row: highlighted)
    }
    switch mouse.action {
    case .wheelUp: perform(.moveUp)
    case .wheelDown: perform(.moveDown)
    case .press: clickInSheet(mouse)
    case .drag: dragInSheet(mouse)
    case .release: endDrag()
    }
  }

  private func clickInSheet(_ mouse: Mouse) {
    guard let photo = sheet.grid.photo(atColumn: mouse.column, row: mouse.row) else { return }
    pane.highlight(photo)
    let isSecond = clicked == photo
    clicked = isSecond ? nil : photo
    if isSecond { press() }
  }

  /// Begins a range of marks at the photo that was clicked when the pointer reaches another one.
  private func dragInSheet(_ mouse: Mouse) {
    guard let photo = sheet.grid.photo(atColumn: mouse.column, row: mouse.row), photo != highlighted else { return }
    if let clicked {
      choosing.marks.cancelRange()
      choosing.marks.markRange(to: clicked, in: viewModel.rows)
      self.clicked = nil
      isDragging = true
    }
    if isDragging { pane.highlight(photo) }
  }

  private func endDrag() {
    if isDragging { endRange() }
    isDragging = false
  }

  private func press() { (pane.list.highlightedRow as? any Pressable)?.press() }
}

// MARK: - Choosing

extension PhotosScreen {
  /// Marks the photo or unmarks it, and moves on to the next one.
  private func toggleMark() {
    choosing.marks.toggle(row: highlighted, in: viewModel.rows)
    moveOn()
  }

  /// Highlights the next photo.
  func moveOn() { if showsSheet { pane.highlight(highlighted + 1) } else { pane.move(.rows(1)) } }

  /// Ends a range of marks that was begun, since the next command is meant for the whole range.
  func endRange() {
    if choosing.marks.range != nil { choosing.marks.markRange(to: highlighted, in: viewModel.rows) }
  }

  /// Returns the marked photos, with those of a range that was begun, or the highlighted photo if none is marked.
  func chosenPhotos() -> [Photo] {
    endRange()
    return choosing.markedPhotos(orRow: highlighted)
  }

  /// The reason why the photos can't be opened in other programs, or nil if they can.
  var unopenable: String? { Action.cannotLeave(pane.list.highlightedRow) }

  /// Opens photos in other programs.
  func openOutside(_ photos: [Photo]) { choosing.sharing.open(choosing.filesByShot(photos)) }

  /// Makes the popup with the address of a map, which there is no web browser for.
  func mapPopup(_ address: String) -> ChoicePopup {
    ChoicePopup(
      title: localized("Map"), text: [localized("There is no web browser here. The address is:"), address],
      choices: [.init(key: "y", text: localized("Copy the address")), .init(key: "c", text: localized("Close"))]
    ) { [self] choice in
      if choice == 0, host.copy(address) { host.note(localized("Copied: \(address)")) }
    }
  }

  /// Copies the paths of photos to the clipboard.
  ///
  /// - Parameters:
  ///   - count: The number of photos.
  ///   - photos: The photos, which are not created if they are too many.
  func copyPaths(of count: Int, _ photos: @autoclosure () -> [Photo]) {
    let files = count <= Self.mostCopied ? choosing.files(of: photos()) : nil
    let count = files?.count ?? count
    guard let paths = files.map(choosing.sharing.paths), host.copy(paths) else {
      return host.show(
        Alert(
          title: localized("Too many paths"),
          message: localized(
            "\(count.grouped) paths are too many for the clipboard. Mark fewer, or save them as a list.")),
        from: self)
    }
    host.note(localized("Copied: \(count == 1 ? paths.printable : localized("\(count.grouped) paths"))"))
  }

  /// The number of paths that no terminal's clipboard takes, however short they are.
  private static var mostCopied: Int { 10_000 }

  /// Asks for the name of a file, and saves photos in it as a catalog.
  func saveAsCatalog(_ photos: [Photo]) {
    host.open(
      FieldPopup(
        title: localized("Save \(photos.count.photosText) as a catalog"), label: localized("File name"),
        text: "marked.json",
        button: localized("Save")
      ) { [unowned self] name in
        let shots = choosing.filesByShot(photos)
        choosing.sharing.export(shots, to: name) { [unowned self] in
          openLate(.replacing { [choosing] in choosing.sharing.export(shots, to: name, replaces: true) })
        }
      })
  }
}

extension Popup where Self == ChoicePopup {
  /// Asks whether a file that exists is replaced.
  @MainActor
  fileprivate static func replacing(_ replace: @escaping () -> Void) -> ChoicePopup {
    ChoicePopup(
      title: localized("File already exists"),
      choices: [.init(key: "k", text: localized("Keep it")), .init(key: "o", text: localized("Overwrite it"))]
    ) { if $0 == 1 { replace() } }
  }
}
