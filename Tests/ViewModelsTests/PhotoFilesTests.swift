import Foundation
import Gallery
import Services
import Synchronization
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

/// Photos that consist of several files, and the actions that apply to all of them.
@MainActor
@Suite(.limited) struct PhotoFilesTests {
  private let fixture = PhotoListFixture()
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var choosing: PhotoChoosingViewModel { fixture.choosing }

  /// Returns a folder of files, whose metadata has the keywords and the stars.
  private func folder(_ names: String..., stars: [String: Int] = [:]) -> PhotoSnapshot {
    var snapshot = PhotoSnapshot.all(
      names.map { name in
        var metadata = PhotoMetadata()
        metadata.rating = stars[name]
        return Photo(
          id: name.hashValue, name: name, createdAt: Date(timeIntervalSince1970: 0), imageURL: name,
          image: .file(FilePath("/\(name)")), metadata: metadata)
      }
    ).with { $0.capabilities = .folder }
    snapshot.groups = PhotoParts().groups(of: snapshot.photos)
    return snapshot
  }

  private var names: [String] { viewModel.rows.map(\.name) }

  @Test func decisionsAreAboutAllFiles() async throws {
    try await fixture.load(folder("a.cr2", "a.jpg", "b.heic", "b.mov", "c.jpg", stars: ["a.cr2": 2]))
    #expect(names == ["a.jpg", "b.heic", "c.jpg"])
    #expect(viewModel.source.totalCount == 3)
    // The JPEG has no stars of its own.
    #expect(viewModel.rows[0].decisions.rating == 2)
    choosing.decide(.rating(4), orRow: 0)
    viewModel.rows[1].decide(.label("Red"))
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(await fixture.decisions.steps.requests == ["4 stars on [\"/a.jpg\", \"/a.cr2\"]"])
    #expect(fixture.history.entries.suffix(2) == ["note 4 stars on a.jpg", "note Label Red: b.heic"])
    #expect(viewModel.rows.map(\.decisions.rating) == [4, nil, nil])
  }

  private func plan(_ photos: [Photo], _ preset: ExportPreset) async -> ExportPlan {
    await withCheckedContinuation { answer in
      choosing.planExport(of: photos, by: preset, to: "/web") { answer.resume(returning: $0) }
    }
  }

  /// The names are numbered in the order of the list.
  @Test func theShownFileIsExportedAndAVideoIsNot() async throws {
    try await fixture.load(folder("a.cr2", "a.jpg", "b.heic", "b.mov", "c.jpg", stars: ["a.cr2": 2]))
    choosing.show(file: "a.cr2".hashValue, of: "a.jpg".hashValue)
    choosing.show(file: "b.mov".hashValue, of: "b.heic".hashValue)
    var preset = ExportPreset()
    try preset.set("name", to: "{seq}_{rating}")
    let photos = [viewModel.rows.photo(at: 2), viewModel.rows.photo(at: 0), viewModel.rows.photo(at: 1)]
    let plan = await plan(photos, preset)
    #expect(plan.exports.map(\.export.file) == ["/a.cr2", "/b.heic", "/c.jpg"])
    #expect(plan.names == "1_2.jpg, 2_0.jpg, 3_0.jpg" && plan.obstacles == [] && plan.count == 3)
    #expect(plan.exports[0].export.shown.metadata.rating == 2)
    choosing.export(plan)
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(fixture.history.entries.last == "note Export 3 photos to web")
  }

  @Test func aPhotoWithoutANameIsNotExported() async throws {
    try await fixture.load(folder("a.jpg", "b.jpg", stars: ["b.jpg": 1]))
    var preset = ExportPreset()
    try preset.set("name", to: "{title}")
    let plan = await plan([viewModel.rows.photo(at: 0)], preset)
    #expect(plan.count == 0)
    #expect(plan.obstacles == ["1 photo: The pattern leaves the name empty. Add {name} or {seq}."])
    choosing.export(plan)
    #expect(fixture.history.entries.last?.hasPrefix("note") != true)
  }

  @Test func theFileThatTheUserOpenedIsShown() async throws {
    var snapshot = folder("a.jpg", "b.cr2", "b.jpg", "c.jpg")
    snapshot.opened = "b.cr2".hashValue
    try await fixture.load(snapshot)
    #expect(viewModel.rows.map(\.image) == ["/a.jpg", "/b.cr2", "/c.jpg"].map { .file($0) })
    choosing.viewFirst()
    #expect(fixture.history.entries.last == "open b.jpg")
    // The user's later choice stays.
    choosing.show(file: "b.jpg".hashValue, of: "b.jpg".hashValue)
    try await fixture.give(snapshot)
    #expect(viewModel.rows[1].image == .file("/b.jpg"))
  }

  /// A contact sheet whose sections fill its rows has other rows than the list.
  @Test func aContactSheetShowsTheOtherFile() async throws {
    try await fixture.load(folder("x/a.cr2", "x/a.jpg", "y/b.jpg"))
    var sheet: PhotoRows { viewModel.rows.forSheet(columns: 3) }
    #expect(viewModel.rows.hasSections && !sheet.hasSections)
    #expect(sheet[0].image == .file("/x/a.jpg"))
    sheet[0].showOtherFile()
    #expect(sheet[0].image == .file("/x/a.cr2"))
  }

  @Test func theFirstPhotoIsViewedUnlessTheUserNamedOne() async throws {
    try await fixture.load(folder("a.jpg", "b.jpg"))
    choosing.viewFirst()
    #expect(fixture.history.entries.last == "open a.jpg")
  }

  @Test func aProblemLeadsToTheFileOfItsPhoto() async throws {
    var snapshot = folder("a.jpg", "b.cr2", "b.jpg")
    snapshot.problems.append(CatalogProblem(.file("b.cr2"), .photo(.notAnImage)))
    snapshot.problems.append(CatalogProblem(.folder, .source(.notFound(path: "/c"))))
    try await fixture.load(snapshot)
    let problems = viewModel.source.problems
    #expect(problems.map(\.isListed) == [true, false])
    #expect(choosing.photo(with: problems[1]) == nil)
    let photo = try #require(choosing.photo(with: problems[0]))
    #expect(choosing.reveal(photo) == 1 && viewModel.rows[1].image == .file("/b.cr2"))
    try await fixture.rows { viewModel.search.find("a.jpg") }
    #expect(choosing.reveal(photo) == nil)
  }

  /// Cameras write a rating of zero.
  @Test func theStarsOfAnyFileCountMoreThanNone() async throws {
    try await fixture.load(folder("a.cr2", "a.jpg", "b.cr2", "b.jpg", stars: ["a.jpg": 0, "a.cr2": 2, "b.jpg": 0]))
    #expect(viewModel.rows.map(\.decisions.rating) == [2, 0])
    try await fixture.rows { viewModel.search.find("is:unrated") }
    #expect(names == ["b.jpg"])
  }

  @Test func aDecisionIsAboutTheVideoOfAPhotoToo() async throws {
    try await fixture.load(folder("b.heic", "b.mov"))
    choosing.decide(.rating(4), orRow: 0)
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(await fixture.decisions.steps.requests == ["4 stars on [\"/b.heic\", \"/b.mov\"]"])
    #expect(choosing.deciding.newStars == [.file("/b.heic"): 4, .file("/b.mov"): 4])
    let four = PhotoDecisions(rating: 4)
    let step = Step(title: "", decisions: ["/b.heic": four, "/b.mov": four])
    try await fixture.decisions.steps.answer(0, .success(step))
    try await end(of: choosing.deciding.jobs.last)
    #expect(choosing.deciding.newStars == [.file("/b.heic"): 4, .file("/b.mov"): 4])
  }

  /// Another program may have rated the raw file alone.
  @Test func aCullCountsTheStarsThatTheRowsShow() async throws {
    try await fixture.load(
      folder("a.cr2", "a.jpg", "b.cr2", "b.jpg", "c.cr2", "c.jpg", stars: ["a.cr2": 2, "a.jpg": 0, "b.cr2": -1]))
    let cull = await withCheckedContinuation { done in choosing.beginCull { done.resume(returning: $0) } }
    #expect((cull.pickedCount, cull.rejectedCount, cull.undecidedCount) == (1, 1, 1))
    #expect(cull.picks == [viewModel.rows[0].photoID] && cull.firstUndecided(from: viewModel.rows[0].photoID) == 2)
    // The other file keeps its stars.
    cull.take([.file("/b.jpg"): nil, .file("/a.jpg"): nil])
    #expect((cull.pickedCount, cull.rejectedCount, cull.undecidedCount) == (1, 1, 1))
    cull.take([.file("/c.cr2"): 3, .file("/a.cr2"): 0])
    #expect(cull.picks == [viewModel.rows[2].photoID])
    viewModel.rows[0].decide(.rating(5))
    #expect((cull.pickedCount, cull.rejectedCount, cull.undecidedCount) == (2, 1, 0))
  }

  @Test func marksAreOfPhotosAndActionsOfTheirFiles() async throws {
    try await fixture.load(folder("a.cr2", "a.jpg", "b.heic", "b.mov", "c.jpg"))
    choosing.marks.toggle(row: 0, in: viewModel.rows)
    choosing.marks.toggle(row: 1, in: viewModel.rows)
    #expect(choosing.marks.count == 2)
    let files = choosing.files(of: choosing.markedPhotos)
    #expect(choosing.sharing.paths(of: files) == "/a.jpg\n/a.cr2\n/b.heic\n/b.mov")
    // A catalog has no videos. The note counts photos, as the list does.
    fixture.exporter.answer(with: .success(ExportReport(count: 3)))
    choosing.sharing.export(choosing.filesByShot(choosing.markedPhotos), to: "/x.json")
    try await fixture.history.wait(for: fixture.history.entries.count + 1)
    #expect(fixture.exporter.written == [#"["a.jpg", "a.cr2", "b.heic"] to /x.json"#])
    #expect(fixture.history.entries.last == "note Saved 2 photos in /x.json.")
  }

  @Test func photosWithTooManyFilesAreNotOpened() async throws {
    let shot = ["cr2", "jpg"].map { photo("a.\($0)", at: .file(FilePath("/a.\($0)"))) }
    choosing.sharing.open(Array(repeating: shot, count: 11))
    let message = "The files of 11 photos are too many to open. Mark fewer photos."
    #expect(fixture.history.entries == ["alert Too many photos: \(message)"])
  }

  /// Rows show the file that the user has chosen, and so do the notes and the journal.
  @Test func aNoteNamesTheFileThatTheRowShows() async throws {
    try await fixture.load(folder("a.cr2", "a.jpg", "b.cr2", "b.jpg"))
    viewModel.rows[0].showOtherFile()
    #expect(names == ["a.cr2", "b.jpg"])
    choosing.decide(.rating(4), orRow: 0)
    viewModel.rows[0].decide(.label("Red"))
    viewModel.rows[1].decide(.rating(2))
    #expect(
      fixture.history.entries.suffix(3) == ["note 4 stars on a.cr2", "note Label Red: a.cr2", "note 2 stars on b.jpg"])
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(fixture.decisions.titles.withLock { $0.first } == "4 stars on a.cr2")
  }

  /// The files of a shot may have been marked before they were known to belong together.
  @Test func aShotWithTwoMarksIsOneShot() async throws {
    var apart = folder("a.cr2", "a.jpg", "b.jpg")
    apart.groups = PhotoGroups()
    try await fixture.load(apart)
    for row: RowIndex in 0...1 { choosing.marks.toggle(row: row, in: viewModel.rows) }
    try await fixture.give(folder("a.cr2", "a.jpg", "b.jpg"))
    #expect(choosing.markedPhotos.map(\.name) == ["a.jpg"])
    #expect(choosing.files(of: choosing.markedPhotos).map(\.name) == ["a.jpg", "a.cr2"])
    viewModel.rows[0].toggleMark()
    #expect(choosing.marks.count == 0)
    choosing.marks.toggle("a.cr2".hashValue)
    #expect(viewModel.rows[0].isMarked)
  }

  /// Each file is stored in its own orientation, which the sidecar of another one doesn't change.
  @Test func anOrientationIsThatOfItsFile() async throws {
    var raw = PhotoMetadata()
    (raw.orientation, raw.chosenOrientation) = (6, 8)
    var snapshot = PhotoSnapshot.all(
      [("a.cr2", raw), ("a.jpg", PhotoMetadata())].map { name, metadata in
        Photo(
          id: name.hashValue, name: name, createdAt: Date(timeIntervalSince1970: 0), imageURL: name,
          image: .file(FilePath("/\(name)")), metadata: metadata)
      }
    ).with { $0.capabilities = .folder }
    snapshot.groups = PhotoParts().groups(of: snapshot.photos)
    try await fixture.load(snapshot)
    #expect(viewModel.rows[0].name == "a.jpg" && viewModel.rows[0].quarters == 0)
    viewModel.rows[0].showOtherFile()
    #expect(viewModel.rows[0].quarters == 2)
  }

  @Test func theOtherFileIsShownInTurn() async throws {
    try await fixture.load(folder("a.cr2", "a.jpg", "b.heic", "b.mov", "c.jpg"))
    let id = viewModel.rows[0].id
    #expect(viewModel.rows.map(\.fileName) == ["a.jpg", "b.heic", nil])
    for name in ["a.cr2", "a.jpg", "a.cr2"] {
      viewModel.rows[0].showOtherFile()
      #expect(viewModel.rows[0].detail.name == name && viewModel.rows[0].id == id)
    }
    #expect(viewModel.rows[0].image == .file("/a.cr2"))
    viewModel.rows[1].showOtherFile()
    #expect(viewModel.rows[1].name == "b.mov" && viewModel.rows[1].image == .file("/b.mov"))
    // The choice outlives a change of the folder, and decisions are still about all files.
    try await fixture.give(folder("a.cr2", "a.jpg", "d.jpg"))
    #expect(names == ["a.cr2", "d.jpg"])
    viewModel.rows[0].decide(.rating(1))
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(await fixture.decisions.steps.requests == ["1 star on [\"/a.jpg\", \"/a.cr2\"]"])
  }

  @Test func anImageIsExportedInPlaceOfItsVideoAndAVideoByItselfAsItsStill() async throws {
    try await fixture.load(folder("b.heic", "b.mov", "c.mov"))
    viewModel.rows[0].showOtherFile()
    #expect(viewModel.rows.map { choosing.shownImage(of: $0.files)?.name } == ["b.heic", "c.mov"])
  }

  @Test func aSearchFindsAPhotoByAnyFileOnce() async throws {
    try await fixture.load(folder("a.cr2", "a.jpg", "b.jpg", "c.mov"))
    #expect(names == ["a.jpg", "b.jpg", "c.mov"])
    try await fixture.rows { viewModel.search.find("cr2") }
    #expect(names == ["a.jpg"] && viewModel.search.matchCount == 1)
    try await fixture.rows { viewModel.search.find("a") }
    #expect(names == ["a.jpg"] && viewModel.search.matchCount == 1)
    viewModel.search.toggleListsAll()
    try await fixture.rows { viewModel.search.find("cr2") }
    #expect(names == ["a.jpg", "b.jpg", "c.mov"] && viewModel.search.match(after: -1) == 0)
    #expect(viewModel.search.matchCount == 1)
  }

  @Test func aHiddenFileLeadsToTheRowOfItsPhoto() async throws {
    try await fixture.load(folder("a.jpg"))
    let row = viewModel.rows[0]
    try await fixture.give(folder("a.jpg", "a_edited.jpg"))
    #expect(names == ["a_edited.jpg"])
    #expect(viewModel.rows.index(of: row) == 0 && viewModel.rows.index(ofPhoto: row.photoID) == 0)
  }

  /// A closed stack hides the shot, so it is opened.
  @Test func aShotIsRevealedInItsStack() async throws {
    let shoot = ShootFixture()
    try await shoot.load(ShootFixture.burst)
    #expect(shoot.rows == ["b.jpg 3 shots", "d.jpg"])
    let row = try #require(shoot.choosing.reveal("c.jpg".hashValue))
    #expect(shoot.viewModel.rows[row].name == "c.jpg" && shoot.viewModel.rows.count == 4)
    #expect(shoot.choosing.reveal("d.jpg".hashValue) == 3 && shoot.choosing.reveal(-1) == nil)
  }
}
