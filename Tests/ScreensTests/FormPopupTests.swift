import Gallery
import Services
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

/// The popup that draws a form.
@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct FormPopupTests {
  private final class TestForm: Form {
    let title = "A form"
    let button = "Send"
    var fields = [
      FormField("Name", "a"), FormField("Kind", "one", of: ["one", "two", "three"]),
      FormField("Folder", "", hint: "none"),
    ]
    var preview: [String] { ["\(fields[0].value) is \(fields[1].value)"] }
    var fault: String? { fields[0].value.isEmpty ? "No name." : nil }
    var onChange: () -> Void = {}
    private(set) var sent: [String] = []
    let completion = DestinationViewModel(service: Folders(), folder: "/a", named: [], home: nil)

    func set(_ value: String, of field: Int) { fields[field].value = value }
    func folders(of field: Int) -> DestinationViewModel? { field == 2 ? completion : nil }
    func submit() { sent = fields.map(\.value) }
  }

  private struct Folders: PlaceServiceProtocol {
    func folders(in folder: FilePath) async -> [FilePath] { folder == "/a" ? ["/a/one", "/a/two"] : [] }
    func archives(in _: FilePath) async -> [FilePath] { [] }
    func summary(of folder: FilePath, upTo limit: Int) async -> FolderSummary { FolderSummary() }
    func recentPlaces() async throws(APIError) -> [Place] { [] }
    func visit(_ place: Place) async throws(APIError) -> PlaceState { PlaceState() }
    func setOrder(_ order: String, of place: Place) async throws(APIError) {}
    func setPhoto(_ photo: ImageLocation?, of place: Place) async throws(APIError) {}
    func recentDestinations() async throws(APIError) -> [FilePath] { [] }
    func use(destination: FilePath) async throws(APIError) {}
  }

  private let host = StubHost()
  private let form = TestForm()

  private func open() -> FormPopup {
    let popup = FormPopup(form) { [host] in host.setNeedsDisplay() }
    popup.onClose = { [host] in host.note("closed") }
    return popup
  }

  private func type(_ text: String, into popup: FormPopup) {
    for character in text { #expect(popup.type(.key(Key(.character(character))))) }
  }

  /// What is typed first replaces what is proposed.
  @Test func fieldsAreTypedChosenAndSent() {
    let popup = open()
    #expect(popup.drawing().boxLines == ["Name    a", "Kind    < one >", "Folder  none", "a is one"])
    type("b", into: popup)
    popup.perform(.switchWindow)
    #expect(popup.announcement == "A form: Kind: one · b is one")
    popup.perform(.moveLeft)
    #expect(popup.type(.key(" ")) && popup.type(.key(" ")))
    #expect(popup.drawing().contains("b is two"))
    popup.perform(.press)
    #expect(form.sent == ["b", "two", ""] && host.notes == ["closed"])
  }

  @Test func aFormWithAFaultIsNotSent() {
    let popup = open()
    #expect(popup.type(.key(Key(.backspace))))
    #expect(popup.drawing().contains("No name."))
    popup.perform(.press)
    #expect(form.sent == [] && host.notes == [])
    popup.perform(.close)
    #expect(host.notes == ["closed"])
  }

  @Test func foldersCompleteAField() async {
    let popup = open()
    popup.perform(.moveUp)
    await host.wait { popup.drawing().contains("two/") }
    #expect(popup.drawing().boxLines.suffix(2) == ["Alt-1  one/", "Alt-2  two/"])
    // The key comes before the folders for the letter.
    type("t", into: popup)
    popup.perform(.switchWindow)
    await host.wait { form.fields[2].value == "two/" }
    // With nothing left to complete, the key goes on.
    await host.wait { popup.drawing().contains("a is one") }
    popup.perform(.switchWindow)
    #expect(popup.announcement == "A form: Name: a, selected · a is one")
  }

  @Test func aFolderIsTakenByItsKey() async {
    let popup = open()
    popup.perform(.moveUp)
    await host.wait { popup.drawing().contains("two/") }
    #expect(popup.type(.key(Key(.character("2"), .alt))))
    #expect(form.fields[2].value == "two/")
  }
}
