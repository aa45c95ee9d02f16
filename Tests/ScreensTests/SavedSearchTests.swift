import Gallery
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct SavedSearchTests {
  private let host = StubHost()
  private let long = String(repeating: "lens:x ", count: 9)

  private func open(_ saved: [SavedSearch], canSave: Bool = true) async -> (popup: FindPopup, searches: SavedSearches) {
    let searches = SavedSearches(service: StubSearches(saved))
    searches.load()
    await searches.settle()
    let popup = FindPopup.savedSearches(searches, host: host, canSave: canSave) { [host] in
      host.note("save")
    } onRun: { [host] in
      host.note("run \($0.query)")
    }
    popup.onClose = { [host] in host.note("closed") }
    return (popup, searches)
  }

  private func lines(_ popup: FindPopup, columns: Int = 80) -> [String] {
    popup.drawing(columns: columns, rows: 30).boxLines
  }

  @Test func searchesAreListedWithTheirQueries() async {
    let (popup, _) = await open([
      SavedSearch(name: "Best", query: "rating:5"), SavedSearch(name: "sea", query: "sea"),
      SavedSearch(name: "long", query: long),
    ])
    #expect(
      lines(popup).map { $0.split(separator: " ").joined(separator: " ") } == [
        "Type to find a search", "Best rating:5", "long \(long.prefix(39))…", "sea",
      ])
    _ = popup.type(.paste("best"))
    #expect(lines(popup).count == 2)
    popup.perform(.press)
    #expect(host.notes == ["closed", "run rating:5"])
  }

  @Test func aRemovedSearchStaysUntilThePopupCloses() async {
    let (popup, searches) = await open([SavedSearch(name: "a", query: "1"), SavedSearch(name: "b", query: "2")])
    popup.perform(.moveDown)
    // The key must not delete a letter of the field instead.
    #expect(!popup.type(.key(Key(.delete))))
    popup.perform(.removeSearch)
    popup.perform(.removeSearch)
    #expect(host.notes.isEmpty)
    await searches.settle()
    #expect(searches.all.map(\.name) == ["a"])
    #expect(popup.refusal(of: .press) == "Removed. Restore it first.")
    #expect(lines(popup)[2].hasSuffix("removed"))
    #expect(popup.actions.first { $0.command == .removeSearch }?.label == "Restore")
    popup.perform(.removeSearch)
    await searches.settle()
    #expect(searches.all.map(\.query) == ["1", "2"])
    #expect(host.notes == ["Removed: b", "Restored: b"])
  }

  @Test(arguments: [
    (true, "No search is saved. Press Ctrl-s to save the current one."),
    (false, "No search is saved. Press / to search, then Ctrl-s to save it."),
  ])
  func anEmptyListSaysWhatToDo(canSave: Bool, notice: String) async {
    let (popup, _) = await open([], canSave: canSave)
    #expect(lines(popup).dropFirst().joined(separator: " ") == notice)
    #expect(popup.offers(.saveSearch) == canSave)
    #expect(!popup.offers(.removeSearch))
    #expect(popup.refusal(of: .press) == "No search is saved.")
  }

  @Test func aSearchThatIsSavedMeanwhileAppears() async {
    let (popup, searches) = await open([])
    searches.save(SavedSearch(name: "new", query: "1"))
    await searches.settle()
    #expect(lines(popup)[1].hasPrefix("new"))
  }
}
