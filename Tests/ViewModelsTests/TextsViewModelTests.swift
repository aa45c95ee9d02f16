import Gallery
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

/// The form for the texts of photos.
@MainActor
@Suite(.limited) struct TextsViewModelTests {
  private let fixture = PhotoListFixture()

  private func known(_ change: (inout PhotoMetadata) -> Void) -> PhotoMetadata {
    var metadata = PhotoMetadata()
    change(&metadata)
    return metadata
  }

  private func field(_ name: String, of form: TextsViewModel) throws -> Int {
    try #require(form.fields.firstIndex { $0.label == name })
  }

  @Test func onlyWhatTheUserTouchesChanges() async throws {
    let photos = [
      photo("A", at: .file("/A.jpg"), metadata: known { ($0.city, $0.creator, $0.caption) = ("Oslo", "Ana", "1\n2") }),
      photo(
        "B", at: .file("/B.jpg"), metadata: known { ($0.city, $0.creator, $0.caption) = ("Bergen", "Ana", "1\n2") }),
    ]
    try await fixture.load(.all(photos).with { $0.capabilities = .folder })
    let form = fixture.choosing.makeTextsForm(of: photos)
    #expect(form.title == "Texts of 2 photos")
    let (city, creator, caption, title) = (
      try field("City", of: form), try field("Creator", of: form), try field("Caption", of: form),
      try field("Title", of: form)
    )
    #expect(form.fields[city].value == "" && form.fields[city].hint == "several texts, which stay")
    #expect(form.fields[creator].value == "Ana" && form.fields[caption].value == "1¶2")
    form.set("{town}", of: title)
    #expect(form.fault?.hasPrefix("Unknown field {town}.") == true)
    form.set("Walk {seq:2}", of: title)
    form.set("", of: creator)
    form.set("1¶3", of: caption)
    #expect(form.fault == nil)
    try await fixture.rows(after: { form.submit() })
    let rows = fixture.viewModel.rows
    #expect(rows.map { $0.decisions[.title]?.text } == ["Walk 01", "Walk 02"])
    #expect(rows.map { $0.decisions[.city]?.text } == ["Oslo", "Bergen"])
    #expect(
      rows.map { $0.decisions[.creator]?.text } == [nil, nil] && rows.map(\.decisions.caption) == ["1\n3", "1\n3"])
    #expect(fixture.history.entries.last == "note Texts: 2 photos")
  }

  /// Braces and the usual sign for a line break in a text are those that the photo has.
  @Test func textsKeepTheirSigns() throws {
    var decisions = PhotoDecisions(caption: "a ¶ {title}\nb }}")
    decisions[.title] = "T"
    var templates: [MetadataTemplate] = []
    let form = TextsViewModel(of: [decisions], possible: [.caption, .title]) { templates.append($0) }
    #expect(form.fields[0].value == "a ¶ {{title}}⏎b }}}}")
    form.set(form.fields[0].value + "!", of: 0)
    form.submit()
    let photo = NamePattern.Values(path: "/a.jpg", clock: 0, metadata: PhotoMetadata(), sequence: 1)
    let edits = try #require(templates.first).edits(of: photo, decisions, possible: [.caption, .title])
    #expect(edits.lines == ["Caption: a ¶ {title} b }}!"] && edits[.caption] == .set("a ¶ {title}\nb }}!"))
  }

  @Test func aServerKeepsSomeTexts() async throws {
    let form = TextsViewModel(of: [PhotoDecisions()], possible: [.caption, .rating]) { _ in }
    #expect(form.fields.map(\.label) == ["Caption"] && form.title == "Texts" && form.fault == nil)
    form.submit()
  }
}
