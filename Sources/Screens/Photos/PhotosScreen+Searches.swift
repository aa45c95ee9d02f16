import Foundation
import Gallery
import Terminal
import ViewModels

// Saved searches.
extension PhotosScreen {
  @ActionList var savedSearchActions: [Action] {
    Action(.savedSearches) { [self] in host.open(savedSearchPopup()) }
    Action(.saveSearch, refusal: noSearch) { [self] in host.open(saveSearchPopup()) }
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
  /// The number of characters that the list shows of a query.
  private static let longestQuery = 40

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
        let isSaved = all.contains(search)
        let query = search.query == search.name ? "" : search.query.shortened(to: longestQuery)
        return Entry(
          texts: .init(title: search.name), note: isSaved ? query : localized("removed"),
          refusal: isSaved ? nil : localized("Removed. Restore it first."))
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

extension String {
  /// Returns the text with at most `count` characters, of which the last one is an ellipsis if some are left out.
  fileprivate func shortened(to count: Int) -> String {
    self.count > count ? prefix(count - 1) + Charset.current.ellipsis : self
  }
}
