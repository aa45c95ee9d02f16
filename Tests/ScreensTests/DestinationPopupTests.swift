import Gallery
import Services
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

/// The field for the folder that photos go to.
@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct DestinationPopupTests {
  private struct Folders: PlaceServiceProtocol {
    func folders(in folder: FilePath) async -> [FilePath] { folder == "/a" ? ["/a/one", "/a/other", "/a/two"] : [] }
    func archives(in _: FilePath) async -> [FilePath] { [] }
    func summary(of folder: FilePath, upTo limit: Int) async -> FolderSummary { FolderSummary() }
    func recentPlaces() async throws(APIError) -> [Place] { [] }
    func visit(_ place: Place) async throws(APIError) -> PlaceState { PlaceState() }
    func setOrder(_ order: String, of place: Place) async throws(APIError) {}
    func setPhoto(_ photo: ImageLocation?, of place: Place) async throws(APIError) {}
    func recentDestinations() async throws(APIError) -> [FilePath] { ["/b"] }
    func use(destination: FilePath) async throws(APIError) {}
  }

  private let host = StubHost()

  /// Opens the popup, and waits until it offers folders.
  private func open() async -> DestinationPopup {
    let viewModel = DestinationViewModel(service: Folders(), folder: "/a", named: [], home: nil) { [host] in
      host.note("use \($0.printable)")
    }
    let popup = DestinationPopup(title: "Move 2 photos", button: "Move", viewModel) { [host] in
      host.note("enter \($0.printable)")
    }
    popup.onChange = { [host] in host.setNeedsDisplay() }
    popup.onClose = { [host] in host.note("closed") }
    await host.wait { popup.drawing().contains("two/") }
    return popup
  }

  private func type(_ text: String, into popup: DestinationPopup, offering line: String) async {
    for character in text { #expect(popup.type(.key(Key(.character(character))))) }
    await host.wait { popup.announcement?.hasSuffix(line) == true }
  }

  @Test func anEmptyFieldOffersFoldersByTheirKeys() async {
    let popup = await open()
    #expect(
      popup.drawing().boxLines == [
        "A missing folder is created.", "name, ../name, ~/name or /path", "Alt-1  /b", "Alt-2  one/",
        "Alt-3  other/", "Alt-4  two/",
      ])
    #expect(popup.type(.key(Key(.character("3"), .alt))))
    #expect(host.notes == ["closed", "use /a/other", "enter /a/other"])
  }

  @Test func theTypedFolderCountsUntilTheUserMoves() async {
    let popup = await open()
    await type("o", into: popup, offering: "1 of 2: one/")
    popup.perform(.press)
    #expect(host.notes.last == "enter /a/o")
    popup.perform(.moveDown)
    #expect(popup.announcement?.hasSuffix("2 of 2: other/") == true)
    popup.perform(.press)
    #expect(host.notes.last == "enter /a/other")
    // The next letter is meant for the field again.
    await type("n", into: popup, offering: "1 of 1: one/")
    popup.perform(.press)
    #expect(host.notes.last == "enter /a/on")
    popup.perform(.switchWindow)
    popup.perform(.press)
    #expect(host.notes.last == "enter /a/one")
  }

  /// The keys were typed before the folders for the text were found.
  @Test func keysThatAreTypedAheadAreMeantForTheTextBeforeThem() async {
    let popup = await open()
    for character in "tw" { #expect(popup.type(.key(Key(.character(character))))) }
    popup.perform(.switchWindow)
    popup.perform(.press)
    await host.wait { !host.notes.isEmpty }
    #expect(host.notes == ["closed", "use /a/two", "enter /a/two"])
  }

  @Test func escapeClearsTheFieldAndThenCloses() async {
    let popup = await open()
    #expect(popup.label(of: .close) == nil && popup.label(of: .press) == "Move")
    for character in "new" { #expect(popup.type(.key(Key(.character(character))))) }
    await host.wait { popup.refusal(of: .moveDown) != nil }
    #expect(popup.drawing().contains("No folder begins like this. Enter creates it.") && popup.offers(.press))
    #expect(popup.label(of: .close) == "Clear")
    popup.perform(.close)
    await host.wait { popup.drawing().contains("two/") }
    #expect(host.notes.isEmpty)
    popup.perform(.close)
    #expect(host.notes == ["closed"])
  }

  @Test func aClickTakesAFolderOrClosesThePopup() async throws {
    let popup = await open()
    let row = try #require(popup.drawing().line(with: "two/"))
    popup.handle(Mouse(.press, column: 20, row: row))
    #expect(host.notes == ["closed", "use /a/two", "enter /a/two"])
    popup.handle(Mouse(.press, column: 0, row: 0))
    #expect(host.notes.suffix(1) == ["closed"])
  }
}
