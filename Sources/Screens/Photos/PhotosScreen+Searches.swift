import Foundation
import Gallery
import Photos
import Terminal
import ViewModels

// MARK: - Finding and sorting

extension PhotosScreen {
  func beginSearch() {
    if field.text.isEmpty { search.begin(at: pane.list.highlightedRow) }
    field.isTyping = true
    viewModel.search.prepare()
  }

  /// Leaves the field. If the query is invalid, an alert explains it in full, and the user can correct it.
  func endTyping() {
    if let fault = viewModel.search.fault {
      host.show(Alert(title: localized("Invalid search"), message: fault), from: self)
    } else {
      field.isTyping = false
      viewModel.search.endCompleting()
      viewModel.search.findMarkedAgain()
    }
  }

  /// Ends the range of marks that was begun, or the search.
  func close() {
    if choosing.marks.range != nil, !field.isTyping { return choosing.marks.cancelRange() }
    if !field.isTyping { search.stayAtResult() }
    field.isTyping = false
    viewModel.search.endCompleting()
    field.clear()
  }

  func turnToFound(isBackwards: Bool = false) {
    if let row = viewModel.search.match(after: highlighted, isBackwards: isBackwards) { pane.highlight(row) }
  }

  /// Opens the map of the listed photos. It closes again if none of them has a position.
  func showMap() {
    let map = PhotoMap(viewModel, row: viewModel.rows.isEmpty ? nil : highlighted)
    let screen = MapScreen(map) { [unowned self] in find($0) }
    map.onFault = { [unowned host] in host.note($0.message) }
    map.onLoad = { [unowned self, unowned map, unowned screen] in
      if map.state == .empty {
        screen.onClose()
        host.note(localized("No listed photo has a position."))
      }
      host.setNeedsDisplay()
    }
    host.open(screen)
    map.load()
  }

  func sortPopup() -> ChoicePopup {
    .sort(viewModel.search.order, of: viewModel.source.capabilities) { [self] in
      // At the top, the user wants to see what comes first, and elsewhere to keep the photo.
      if highlighted == 0 { isUntouched = true }
      viewModel.search.sort(by: $0)
      host.keep(order: viewModel.search.order)
    }
  }

  func openCalendar() {
    let calendar = CalendarViewModel(viewModel, at: viewModel.rows.isEmpty ? nil : highlighted)
    calendar.onChange = { [unowned self] in host.setNeedsDisplay() }
    calendar.recount()
    self.calendar = calendar
    let screen = CalendarScreen(calendar, images: context.images)
    screen.onList = { [unowned self] in find($0) }
    host.open(screen)
  }

  func showProblems() {
    let (count, problems) = (viewModel.source.problemCount, viewModel.source.problems)
    let rest = count - problems.count
    host.open(
      ProblemsPopup(problems, note: rest > 0 ? localized("And \(rest.grouped) more.") : nil) { [unowned self] in
        if let photo = choosing.photo(with: $0) { go(to: photo) }
      })
  }

  /// Highlights a photo. A search that leaves it out ends.
  private func go(to photo: Photo.ID) {
    isUntouched = false
    if let row = choosing.reveal(photo) {
      pane.highlight(row)
    } else {
      destination = photo
      search.stayAtResult()
      field.clear()
    }
    choosing.approach(row: highlighted)
  }
}

// MARK: - Saved searches

extension PhotosScreen {
  @ActionList var savedSearchActions: [Action] {
    Action(.savedSearches) { [self] in host.open(savedSearchPopup()) }
    Action(.saveSearch, refusal: noSearch) { [self] in host.open(saveSearchPopup()) }
    Action(.removeSearch, refusal: localized("Among the saved searches.")) {}
  }

  var shortcuts: [Shortcut] {
    savedSearches.all.map { search in
      Shortcut(title: localized("Search: \(search.name)")) { [unowned self] in run(search) }
    }
  }

  var commandTarget: CommandTarget? {
    guard !field.isTyping, let row = pane.list.highlightedRow as? any Imaged else { return nil }
    return CommandTarget(file: row.image) { [self] in
      endRange()
      return choosing.files(of: choosing.markedPhotos(orRow: highlighted)).map(\.image)
    }
  }

  /// The reason why there is no search to save or to step through.
  var noSearch: String? {
    if viewModel.search.fault != nil { return localized("The search is invalid. Correct it first.") }
    return viewModel.search.query == nil
      ? localized("No search yet. Press \(host.keys.keyName(of: .search)) to search.") : nil
  }

  private func savedSearchPopup() -> FindPopup {
    .savedSearches(savedSearches, host: host, canSave: noSearch == nil) { [unowned self] in
      host.open(saveSearchPopup())
    } onRun: { [unowned self] in
      run($0)
    }
  }

  /// Asks for a name of the search. The name is the query unless the user changes it.
  private func saveSearchPopup() -> FieldPopup {
    let query = viewModel.search.text.trimmingCharacters(in: .whitespaces)
    return FieldPopup(title: localized("Save search"), label: localized("Name"), text: query, button: localized("Save"))
    { [unowned self] name in
      let name = name.trimmingCharacters(in: .whitespaces)
      let search = SavedSearch(name: name.isEmpty ? query : name, query: query)
      let former = savedSearches.all.first { $0.name == search.name }
      savedSearches.save(search) { [weak host] in
        host?.note(
          former.map { localized("Replaced: \(search.name), which was \($0.query)") }
            ?? localized("Saved: \(search.name)"))
      }
    }
  }

  /// Searches for the photos of a saved search.
  private func run(_ saved: SavedSearch) { find(saved.query) }

  /// Searches for a query as if the user had typed it.
  func find(_ query: String) {
    beginSearch()
    if field.text == query { viewModel.search.findAgain() } else { field.text = query }
    endTyping()
  }
}

extension FindPopup {
  /// Makes the list of the saved searches. A search that is removed stays in the list until the popup closes, so that it
  /// can be restored by the same key.
  /// - Parameters:
  ///   - canSave: Whether there is a search to save.
  ///   - onSave: Called when the user wants to save the current search.
  ///   - onRun: Called with the search that the user chooses.
  static func savedSearches(
    _ searches: SavedSearches, host: any RoomHost, canSave: Bool, onSave: @escaping () -> Void,
    onRun: @escaping (SavedSearch) -> Void
  ) -> FindPopup {
    var listed: [SavedSearch] = []
    let (search, save) = (host.keys.keyName(of: .search), host.keys.keyName(of: .saveSearch))
    let popup = FindPopup(
      name: localized("Saved searches"), hint: localized("Type to find a search"), entries: [],
      notice: [
        localized("No search is saved."),
        canSave
          ? localized("Press \(save) to save the current one.")
          : localized("Press \(search) to search, then \(save) to save it."),
      ],
      noMatch: noSearch(matching:),
      hints: [.moveUp, .press, .saveSearch, .removeSearch, .close],
      keys: host.keys
    ) { onRun(listed[$0]) }
    popup.updating = searches.$all.bind { [unowned popup, unowned host] all in
      listed += all.filter { !listed.contains($0) }
      popup.entries = listed.map { search in
        if all.contains(search) { return Entry(search) }
        return Entry(
          texts: .init(title: search.name), note: localized("removed"),
          refusal: localized("Removed. Restore it first."))
      }
      host.setNeedsDisplay()
    }
    popup.moreActions = { [unowned popup, unowned host] in
      let save = Action(.saveSearch) {
        popup.onClose()
        onSave()
      }
      return (canSave ? [save] : [])
        + (popup.highlighted.map { [removal(of: listed[$0], from: searches, host)] } ?? [])
    }
    return popup
  }

  private static func noSearch(matching text: String) -> [String] { [localized("No search matches “\(text)”.")] }

  private static func removal(of search: SavedSearch, from searches: SavedSearches, _ host: any RoomHost) -> Action {
    let isSaved = searches.all.contains(search)
    return Action(.removeSearch, label: isSaved ? nil : localized("Restore")) { [weak host] in
      // A second key would ask for the same change again.
      if searches.isChanging { return }
      if isSaved {
        searches.remove(search) { host?.note(localized("Removed: \(search.name)")) }
      } else {
        searches.save(search) { host?.note(localized("Restored: \(search.name)")) }
      }
    }
  }
}

extension FindPopup.Entry {
  /// The number of characters that a list shows of a query.
  private static let longestQuery = 40

  /// Creates the line of a saved search. The query is its note, unless it is the name, too.
  init(_ search: SavedSearch, heading: String? = nil) {
    let note = search.query == search.name ? "" : search.query.shortened(to: Self.longestQuery)
    self.init(texts: .init(title: search.name), note: note, heading: heading)
  }
}

extension String {
  /// Returns the text with at most `count` characters, of which the last one is an ellipsis if some are left out.
  fileprivate func shortened(to count: Int) -> String {
    self.count > count ? prefix(count - 1) + Charset.current.ellipsis : self
  }
}
