import Gallery
import Photos
import Services
import Synchronization
import TestLimit
import Testing

@testable import ViewModels

/// The form for an import, and the search for new photos.
@MainActor
@Suite(.limited) struct ImportViewModelTests {
  private let fixture = PhotoListFixture()
  private let history = History()

  private func makeForm() async throws -> ImportViewModel {
    let history = history
    let made = fixture.choosing.makeImport(
      to: "/photos",
      folders: { DestinationViewModel(service: FakePlaces(), folder: $0, named: $1, home: "/home/ann") },
      onSubmit: { card, rule in
        let folders = rule.folders == nil ? "no folders" : "folders"
        let names = rule.names == .ownName ? "own names" : "new names"
        history.add("\(card.printable) to \(rule.places.map(\.printable)), \(folders), \(names)")
      })
    let form = try #require(made)
    try await end(of: form.searching)
    return form
  }

  @Test func theCardThatIsThereIsProposed() async throws {
    let form = try await makeForm()
    #expect(form.fields.map(\.value) == ["/media/ann/EOS", "/photos", "{date:%Y/%m/%d}", "", ""])
    #expect(form.preview.first == "For example: /photos/2026/08/01/IMG_4711.JPG")
    form.submit()
    #expect(history.entries == ["/media/ann/EOS to [\"/photos\"], folders, own names"])
  }

  @Test func allCardsAreOffered() async throws {
    let form = try await makeForm()
    let folders = try #require(form.folders(of: 0))
    folders.type("")
    try await end(of: folders.listing)
    #expect(folders.suggestions.map(\.text) == ["/used", "/media/ann/EOS", "/media/ann/Z6"])
  }

  @Test func theFieldsMakeTheRule() async throws {
    let form = try await makeForm()
    form.set("~/card", of: 0)
    form.set("new", of: 1)
    form.set("", of: 2)
    form.set("{seq:3}", of: 3)
    form.set("/backup", of: 4)
    form.submit()
    #expect(history.entries == ["/home/ann/card to [\"/photos/new\", \"/backup\"], no folders, new names"])
  }

  @Test func aFaultSaysWhatIsMissingOrWrong() async throws {
    let form = try await makeForm()
    let faults = [(0, "", "Name the folder of the card."), (1, "", "Name the folder for the photos.")]
    for (field, value, fault) in faults {
      let before = form.fields[field].value
      form.set(value, of: field)
      #expect(form.fault == fault)
      form.set(before, of: field)
    }
    form.set("{nme}", of: 3)
    #expect(form.fault?.hasPrefix("Unknown field {nme}.") == true)
  }

  @Test func newPhotosAreFoundAndImportedAsAStep() async throws {
    var forecast = ImportForecast()
    let path: FilePath = "/photos/a.jpg"
    forecast.imports = [
      FileImport(
        photo("a.jpg", at: .file("/card/a.jpg")), at: path, files: ["/card/a.jpg"], as: ["/photos/a"],
        copies: [.init(of: "/card/a.jpg", at: path)])
    ]
    forecast.size = 2_000_000
    forecast.free = 5_000_000
    forecast.imported = ["/card/b.jpg"]
    fixture.imports.forecast.withLock { [forecast] in $0 = .success(forecast) }
    var found: [ImportForecast] = []
    fixture.choosing.findPhotos(on: "/card", ImportRule(to: "/photos")) { found.append($0) }
    try await end(of: fixture.choosing.deciding.jobs.last)
    #expect(found.first?.lines == ["New: 1 photo · 2 MB · 5 MB free", "Imported before: 1"])
    #expect(found.first?.lacksRoom == false)
    var rule = ImportRule(to: "/photos")
    var template = MetadataTemplate(name: "press")
    try template.set("creator", to: ["=ana="])
    rule.template = template
    fixture.choosing.deciding.codes.add("ana\tAna Silva")
    fixture.choosing.importPhotos(forecast, rule)
    for step in 0...1 { try await fixture.decisions.steps.answer(step, .success(Step(title: ""))) }
    // The texts come after the copies.
    #expect(fixture.decisions.titles.withLock(\.self) == ["Import: a.jpg", "Template press: a.jpg"])
    #expect(
      fixture.history.entries == [
        "note Look for new photos: card", "note Import: a.jpg", "note Template press: a.jpg",
      ])
    let plan = forecast.plan(template, codes: fixture.choosing.deciding.codes)
    #expect(plan.changes.map(\.photo.file) == [path] && plan.changes[0].edits.lines == ["Creator: Ana Silva"])
  }

  @Test func aCardThatCannotBeImportedIsReported() async throws {
    fixture.imports.forecast.withLock { $0 = .failure(.noCard("/card")) }
    fixture.choosing.findPhotos(on: "/card", ImportRule(to: "/photos")) { _ in Issue.record("found") }
    try await end(of: fixture.choosing.deciding.jobs.last)
    #expect(fixture.history.entries.last == "alert Can't import: There is no folder /card. Insert the card.")
  }
}
