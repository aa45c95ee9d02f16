import Finding
import Foundation
import Gallery
import Services
import Testing

@testable import Catalog
@testable import Photos
@testable import ViewModels

@MainActor
@Suite struct PhotoListChoosingTests {
  private let fixture = PhotoListFixture()
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var marked: [String] { viewModel.markedPhotos.map(\.name) }

  @Test func aMarkIsToggledAndCounted() async throws {
    let history = History()
    let subscription = viewModel.marks.count.bind { history.add("\($0) marked") }
    try await fixture.load(.all("A", "B", "C"))
    viewModel.toggleMark(row: 2)
    viewModel.toggleMark(row: 0)
    #expect(marked == ["A", "C"])
    #expect(viewModel.rows.map(\.isMarked) == [true, false, true])
    viewModel.toggleMark(row: 2)
    viewModel.toggleMark(row: 3)
    viewModel.toggleMark(row: -1)
    #expect(marked == ["A"])
    viewModel.clearMarks()
    #expect(history.entries == ["0 marked", "1 marked", "2 marked", "1 marked", "0 marked"])
    subscription.cancel()
  }

  @Test(arguments: [(1, 3), (3, 1)])
  func aRangeIsMarkedBothWaysRound(start: Int, end: Int) async throws {
    try await fixture.load(.all("A", "B", "C", "D", "E"))
    viewModel.markRange(to: start)
    #expect(viewModel.rows.map(\.isRangeStart) == (0..<5).map { $0 == start })
    #expect(marked.isEmpty)
    viewModel.markRange(to: end)
    #expect(marked == ["B", "C", "D"] && viewModel.marks.rangeStart == nil)
  }

  @Test func aRangeCanBeGivenUpAndStartsAnewWhereItsBeginningIsGone() async throws {
    try await fixture.load(.all("Ash", "Birch", "Beech"))
    viewModel.markRange(to: 0)
    viewModel.marks.endRange()
    viewModel.markRange(to: 1)
    try await fixture.rows { viewModel.find("beech") }
    viewModel.markRange(to: 0)
    #expect(marked.isEmpty && viewModel.rows[0].isRangeStart)
    viewModel.toggleMark(row: 0)
    #expect(marked == ["Beech"] && viewModel.marks.rangeStart == nil)
  }

  @Test func allThatIsFoundIsMarkedOrNoneOfIt() async throws {
    try await fixture.load(.all("Ash one", "Birch", "Ash two"))
    viewModel.toggleMark(row: 1)
    try await fixture.rows { viewModel.find("ash") }
    viewModel.markAll()
    #expect(marked == ["Ash one", "Birch", "Ash two"])
    viewModel.markAll()
    #expect(marked == ["Birch"])
    // The list is whole, and still it is what was found that is meant.
    try await fixture.rows { viewModel.toggleWholeList() }
    viewModel.markAll()
    viewModel.toggleMark(row: 1)
    #expect(marked == ["Ash one", "Ash two"])
    try await fixture.rows { viewModel.find("") }
    viewModel.markAll()
    #expect(viewModel.marks.count.value == 3)
    viewModel.markAll()
    #expect(viewModel.marks.count.value == 0)
  }

  @Test func marksStayThroughSearchSortAndReload() async throws {
    try await fixture.load(.all("B", "A", "C"))
    viewModel.toggleMark(row: 0)
    #expect(try await fixture.rows { viewModel.sort(by: .name) } == ["A", "B", "C"])
    #expect(viewModel.rows.map(\.isMarked) == [false, true, false])
    try await fixture.rows { viewModel.find("a") }
    #expect(marked == ["B"])
    try await fixture.rows { viewModel.find("") }
    try await fixture.load(.all("C", "B", "D"))
    try await end(of: viewModel.arranging)
    #expect(viewModel.rows.filter(\.isMarked).map(\.name) == ["B"])
    #expect(marked == ["B"])
  }

  @Test func whatIsChosenIsWhatIsMarkedElseTheRow() async throws {
    let photos = [photo("A", at: .file("/a b/ü.jpg")), photo("B", at: .web("https://h/b.jpg"))]
    try await fixture.load(PhotoSnapshot(photos: PhotoTable(photos)))
    #expect(viewModel.places(otherwise: 1) == "https://h/b.jpg")
    #expect(viewModel.places(otherwise: 2).isEmpty)
    viewModel.toggleMark(row: 1)
    #expect(viewModel.places(otherwise: 0) == "https://h/b.jpg")
    viewModel.toggleMark(row: 0)
    #expect(viewModel.places(otherwise: 1) == "/a b/ü.jpg\nhttps://h/b.jpg")
  }

  @Test func whatIsChosenIsWrittenAsACatalog() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "marked.json").path
    let photos = [
      photo("A", at: .file(FilePath(folder.path + "/below/a.jpg"))), photo("B", at: .web("https://h/b.jpg")),
      photo("C", at: .file(FilePath(folder.path).appending([0xFF]))), photo("D"),
    ]
    try await fixture.load(PhotoSnapshot(photos: PhotoTable(photos)))
    for row in 0..<3 { viewModel.toggleMark(row: row) }
    viewModel.export(to: path, otherwise: 3)
    try await fixture.history.wait(for: 4)
    #expect(
      fixture.history.entries[3] == "alert Written: 2 photos written to \(path).\n\(folder.path)/\u{FFFD}: "
        + "Its name is not UTF-8, which JSON wants; rename it.")
    let read = try await readCatalog(at: path)
    #expect(read.map(\.id) == photos[..<2].map(\.id) && read.map(\.image) == photos[..<2].map(\.image))
    viewModel.clearMarks()
    viewModel.export(to: path, otherwise: 3)
    try await fixture.history.wait(for: 5)
    let again = try await readCatalog(at: path)
    #expect(again.map(\.name) == ["D"])
    #expect(again.first.map { URL(filePath: $0.image.printable).standardizedFileURL.path } == "/a.jpg")
  }

  @Test func aCatalogThatCannotBeWrittenIsTold() async throws {
    try await fixture.load(.all("A"))
    viewModel.export(to: "/nowhere/marked.json", otherwise: 0)
    try await fixture.history.wait(for: 4)
    #expect(fixture.history.entries[3].hasPrefix("alert Alert: /nowhere"))
  }

  @Test func whatIsChosenIsOpenedOutsideAndAFailureIsToldOnce() async throws {
    try await fixture.load(.all("A", "B"))
    viewModel.openOutside(otherwise: 1)
    try await fixture.desktop.opened.answer(0, .success(()))
    try await end(of: viewModel.opening)
    viewModel.markAll()
    let failure = APIError.cannotOpen(reason: "it is not there")
    // Each time it is told anew.
    for first in [1, 3] {
      viewModel.openOutside(otherwise: 1)
      for number in [first, first + 1] { try await fixture.desktop.opened.answer(number, .failure(failure)) }
      try await end(of: viewModel.opening)
    }
    #expect(
      fixture.history.entries[3...] == ["alert Alert: \(failure.message)", "alert Alert: \(failure.message)"])
    #expect(await fixture.desktop.opened.requests == Array(repeating: .file("/a.jpg"), count: 5))
  }

  @Test func tooManyAreNotOpenedOutside() async throws {
    try await fixture.load(PhotoSnapshot(photos: PhotoTable((0..<21).map { photo("P\($0)") })))
    viewModel.markAll()
    viewModel.openOutside(otherwise: 0)
    #expect(
      fixture.history.entries[3...] == ["alert Alert: 21 photos are too many to open. Mark 20 at most."])
    viewModel.toggleMark(row: 0)
    viewModel.openOutside(otherwise: 0)
    for number in 0..<20 { try await fixture.desktop.opened.answer(number, .success(())) }
    try await end(of: viewModel.opening)
    #expect(await fixture.desktop.opened.requests.count == 20)
  }

  private func readCatalog(at path: String) async throws -> PhotoTable {
    var last = PhotoSnapshot()
    for await answer in CatalogFile(path: FilePath(path), clock: ContinuousClock()).fetchPhotos() {
      last = try answer.get()
    }
    return last.photos
  }

  private func photo(_ name: String, at image: ImageLocation = .file("/a.jpg")) -> Photo {
    let id = name.utf8.reduce(0) { $0 << 8 + Int($1) }
    return Photo(id: id, name: name, createdAt: Date(timeIntervalSince1970: 0), imageURL: "", image: image)
  }
}
