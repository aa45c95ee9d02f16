import Gallery
import Photos
import Services
import Synchronization
import TestLimit
import Testing

@testable import ViewModels

/// The form for a contact sheet.
@MainActor
@Suite(.limited) struct SheetViewModelTests {
  private let fixture = PhotoListFixture()

  /// Loads photos, and opens the form for a sheet of them.
  private func makeSheet(_ count: Int, marking marked: Int = 0) async throws -> SheetViewModel {
    let photos = (0..<count).map { photo("P\($0)", at: .file(FilePath("/oslo/\($0).jpg"))) }
    try await fixture.load(.all(photos + [photo("web", at: .web("https://h/a.jpg"))]))
    for row in 0..<marked { fixture.choosing.marks.toggle(row: RowIndex(row), in: fixture.viewModel.rows) }
    return try #require(fixture.choosing.makeSheet(in: "/oslo"))
  }

  @Test func allListedPhotosAreOnTheSheetOrTheMarkedOnes() async throws {
    let all = try await makeSheet(3)
    #expect(all.title == "Contact sheet of 3 photos" && all.fields.map(\.value)[..<3] == ["PDF", "5x7", "oslo"])
    #expect(all.fields[3].value.hasSuffix("/oslo.pdf") && all.fault == nil)
    fixture.choosing.marks.toggle(row: 1, in: fixture.viewModel.rows)
    #expect(fixture.choosing.makeSheet(in: "/oslo")?.title == "Contact sheet of 1 photo")
  }

  @Test func theSuffixFollowsTheFormatAndTheFormatTheSuffix() async throws {
    let form = try await makeSheet(1)
    form.set("web page", of: 0)
    #expect(form.fields[3].value.hasSuffix("/oslo.html"))
    form.set("/x/mine", of: 3)
    form.set("PNG", of: 0)
    #expect(form.fields[3].value == "/x/mine")
    form.set("/x/mine.PDF", of: 3)
    #expect(form.fields[0].value == "PDF")
  }

  @Test func thePreviewHasThePagesAndAFaultSaysWhatIsWrong() async throws {
    let form = try await makeSheet(5)
    form.set("2x2", of: 1)
    #expect(form.preview[0] == "2 pages · A4, with names, stars and labels")
    form.set("2x", of: 1)
    #expect(form.fault == "Columns and rows are numbers from 1 to 20, such as 5x7." && form.preview == [])
    form.set("web page", of: 0)
    #expect(form.fault == nil)
    form.set("/x/", of: 3)
    #expect(form.fault == "The name is empty.")
  }

  @Test func theSheetIsMadeAsAStep() async throws {
    let form = try await makeSheet(2)
    form.set("PNG", of: 0)
    form.set("1x1", of: 1)
    form.set("Oslo", of: 2)
    form.set("/out/sheet.png", of: 3)
    form.submit()
    try await fixture.decisions.steps.answer(0, .success(Step(title: "")))
    #expect(fixture.decisions.titles.withLock(\.self) == ["Contact sheet sheet.png: 2 photos"])
    #expect(fixture.history.entries.last == "note Contact sheet sheet.png: 2 photos")
  }
}
