import Finding
import Foundation
import Gallery
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoRowsTests {
  @Test func rowsAreCreatedWhenTheyAreRequested() async throws {
    var table = PhotoTable((0..<1000).map { photo("P\($0)") })
    for _ in 0..<10 {
      let half = table
      table.append(half) { _ in true }
    }
    let fixture = PhotoListFixture()
    fixture.viewModel.onReload = {}
    fixture.viewModel.onLoading = { _ in }
    fixture.viewModel.fetch()
    fixture.service.give(PhotoSnapshot(photos: table))
    try await fixture.progress.wait(for: 1)
    let rows = fixture.viewModel.rows
    #expect(rows.count == 1_024_000 && rows.cachedCount == 0)
    #expect(rows[1_023_999].name == "P999" && rows[500_000].name == "P0")
    #expect(rows[500_000] === rows[500_000])
    #expect(rows.cachedCount == 2)
    for row: RowIndex in 0..<10_000 { _ = rows[row] }
    #expect(rows.cachedCount <= 4096)
  }

  /// Photos of a folder, taken an hour after each other from 22:30 on.
  private func folder(_ paths: String...) -> PhotoSnapshot {
    var snapshot = PhotoSnapshot(
      photos: PhotoTable(
        paths.enumerated().map { index, path in
          Photo(
            id: index, name: String(path.split(separator: "/").last ?? ""),
            createdAt: Date(timeIntervalSince1970: 1_509_921_000 + Double(index) * 3600), imageURL: path,
            image: .file(FilePath("/\(path)")))
        }))
    snapshot.capabilities = .folder
    snapshot.groups = PhotoParts().groups(of: snapshot.photos)
    return snapshot
  }

  /// Returns the names of the rows, each after the heading above it.
  private func lines(_ rows: PhotoRows) -> [String] {
    rows.indices.flatMap { row in
      (rows.beginsSection(row) ? [rows.section(ofRow: row) ?? "?"] : []) + [rows[row].name]
    }
  }

  private func loaded(_ snapshot: PhotoSnapshot) async throws -> PhotoListFixture {
    let fixture = PhotoListFixture()
    fixture.viewModel.fetch()
    fixture.service.give(snapshot)
    try await fixture.progress.wait(for: 1)
    return fixture
  }

  @Test func theRowsOfAFolderAreInSectionsByFolderOrDay() async throws {
    let fixture = try await loaded(folder("z.jpg", "Rome/b.jpg", "Rome/c.jpg", "Alps/a.jpg"))
    let search = fixture.viewModel.search
    #expect(lines(fixture.viewModel.rows) == ["This folder", "z.jpg", "Rome/", "b.jpg", "c.jpg", "Alps/", "a.jpg"])
    try await fixture.rows { search.sort(by: .name) }
    #expect(lines(fixture.viewModel.rows) == ["This folder", "z.jpg", "Rome/", "b.jpg", "c.jpg", "Alps/", "a.jpg"])
    try await fixture.rows { search.sort(by: .name) }
    #expect(lines(fixture.viewModel.rows) == ["Alps/", "a.jpg", "Rome/", "c.jpg", "b.jpg", "This folder", "z.jpg"])
    try await fixture.rows { search.sort(by: .date) }
    #expect(
      lines(fixture.viewModel.rows) == [
        "Monday, 2017-11-06", "a.jpg", "c.jpg", "Sunday, 2017-11-05", "b.jpg", "z.jpg",
      ])
    try await fixture.rows { search.sort(by: .camera) }
    #expect(!fixture.viewModel.rows.hasSections)
  }

  @Test func aSectionHasTheRowsOfItsFolder() async throws {
    let rows = try await loaded(folder("z.jpg", "Rome/b.jpg", "Rome/c.jpg", "Alps/a.jpg")).viewModel.rows
    #expect(rows.indices.map(rows.section(around:)) == [0..<1, 1..<3, 1..<3, 3..<4])
    // The second answer is remembered.
    #expect(rows.section(around: 2) == 1..<3 && rows.isInSection(2))
    let flat = try await loaded(folder("a.jpg", "b.jpg")).viewModel.rows
    #expect(flat.section(around: 1) == 0..<2 && !flat.isInSection(1) && flat.section(ofRow: 1) == nil)
  }

  /// A sheet of a folder has its sections if they fill its rows on average.
  @Test func aContactSheetHasSectionsThatFillItsRows() async throws {
    let rows = try await loaded(folder("a/1.jpg", "a/2.jpg", "b/3.jpg", "b/4.jpg")).viewModel.rows
    #expect(rows.forSheet(columns: 2).hasSections && !rows.forSheet(columns: 3).hasSections)
    #expect(rows.forSheet(columns: 2).hasSections && rows.hasSections)
    let fixture = try await loaded(folder("a.jpg", "b.jpg", "c.jpg", "d.jpg"))
    try await fixture.rows { fixture.viewModel.search.sort(by: .date) }
    let days = fixture.viewModel.rows
    // Two photos of each day, four of the month.
    #expect(days.forSheet(columns: 2).section(ofRow: 0) == "Monday, 2017-11-06")
    #expect(days.forSheet(columns: 3).section(ofRow: 0) == days.forSheet(columns: 4).section(ofRow: 0))
    #expect(days.forSheet(columns: 3).section(around: 0) == 0..<4 && days.forSheet(columns: 3).hasSections)
    #expect(!days.forSheet(columns: 5).hasSections)
  }

  /// Each reload of a folder has new rows, with the properties of all photos. For one column, the rows of the sheet are those of the list.
  @Test(arguments: [1, 3]) func rowsThatAContactSheetHasShownAreReleased(columns: Int) async throws {
    let fixture = try await loaded(folder("a/1.jpg", "b/2.jpg"))
    weak let row = fixture.viewModel.rows[0]
    weak let shown = fixture.viewModel.rows.forSheet(columns: columns)[0]
    #expect(row != nil && shown != nil)
    try await fixture.rows { fixture.service.give(folder("a/1.jpg", "b/2.jpg", "c/3.jpg")) }
    #expect(row == nil && shown == nil)
  }

  /// The best matches come first, wherever they are.
  @Test func matchesInTheirOwnOrderHaveNoSections() async throws {
    let fixture = try await loaded(folder("Rome/b.jpg", "Alps/bb.jpg"))
    try await fixture.rows { fixture.viewModel.search.find("b") }
    #expect(!fixture.viewModel.rows.hasSections)
    try await fixture.rows { fixture.viewModel.search.sort(by: .date) }
    #expect(!fixture.viewModel.rows.hasSections)
    try await fixture.rows { fixture.viewModel.search.toggleListsAll() }
    #expect(fixture.viewModel.rows.hasSections)
  }

  @Test func photosInOneFolderHaveNoSections() async throws {
    #expect(try await loaded(folder("a.jpg", "b.jpg")).viewModel.rows.hasSections == false)
  }

  @Test func theFilesOfAPhotoHaveOneRowWithTheirFormats() async throws {
    let rows = try await loaded(
      folder(
        "a.JPG", "a.NEF", "b.cr2", "c.jpg", "d/c.raf", "e.heic", "e.mov", "f.jpg", "f_edited.jpg", "g.cr2", "g.jpg",
        "g.tif")
    ).viewModel.rows
    #expect(
      rows.map { "\($0.name) \($0.format ?? "-")" } == [
        "a.JPG RAW+JPEG", "b.cr2 RAW", "c.jpg -", "c.raf RAW", "e.heic HEIC+MOV", "f_edited.jpg JPEG ×2",
        "g.jpg RAW+JPEG+TIF",
      ])
  }
}
