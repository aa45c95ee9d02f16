import Finding
import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoStacksTests {
  private let shoot = ShootFixture()
  private var service: FakeAppraisals { shoot.service }
  private var fixture: PhotoListFixture { shoot.fixture }
  private var viewModel: PhotoListViewModel { shoot.viewModel }
  private var choosing: PhotoChoosingViewModel { shoot.choosing }
  private var rows: [String] { shoot.rows }
  private let burst = ShootFixture.burst

  private func folder(_ shots: [Shot]) -> PhotoSnapshot { shoot.folder(shots) }
  private func load(_ shots: [Shot]) async throws { try await shoot.load(shots) }
  private func settle() async throws { try await shoot.settle() }

  /// Returns the hash that differs from 0 in a number of bits.
  nonisolated private static func hash(_ bits: UInt64) -> UInt64 { (1 << bits) - 1 }

  @Test func aBurstIsListedAsItsSharpestShot() async throws {
    try await load(burst)
    #expect(rows == ["b.jpg 3 shots", "d.jpg"])
    choosing.toggleStack(row: 0)
    #expect(rows == ["b.jpg 1/3", "c.jpg 2/3", "a.jpg 3/3", "d.jpg"])
    choosing.toggleStack(row: 2)
    #expect(rows == ["b.jpg 3 shots", "d.jpg"])
    choosing.stacks.toggleAll()
    #expect(rows == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    choosing.stacks.toggleAll()
    #expect(rows == ["b.jpg 3 shots", "d.jpg"])
    // The photo that was looked at is in the row of its stack.
    #expect(viewModel.rows.index(ofPhoto: "a.jpg".hashValue) == 0)
  }

  /// A closed burst gets texts as a whole, in the order of its shots, and an open one shot by shot.
  @Test func textsAreAboutAllShotsOfAClosedBurst() async throws {
    try await load(burst)
    func names() -> [String] {
      choosing.withClosedBursts(choosing.markedPhotos(orRow: 0)).map(\.name)
    }
    #expect(names() == ["a.jpg", "b.jpg", "c.jpg"])
    choosing.marks.markAll(in: viewModel.rows, isSearch: false)
    #expect(names() == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    choosing.marks.markAll(in: viewModel.rows, isSearch: false)
    choosing.toggleStack(row: 0)
    #expect(names() == ["b.jpg"])
  }

  /// The mark or the stars would seem to be gone, and an export would be of a shot that is not shown.
  @Test(arguments: ["mark", "stars"]) func aShotThatWasChosenBeforeItWasMeasuredStaysListed(act: String) async throws {
    service.holds = true
    try await fixture.load(folder(burst))
    try await end(of: choosing.stacks.finding)
    #expect(rows == ["a.jpg 3 shots", "d.jpg"])
    // The request has to be there before the next ones are answered at once.
    try await service.held.waitUntilAsked(1)
    if act == "mark" {
      choosing.marks.markAll(in: viewModel.rows, isSearch: false)
    } else {
      viewModel.rows[0].decide(.rating(4))
    }
    service.holds = false
    try await service.held.answer(0, .success(()))
    try await settle()
    #expect(rows == ["a.jpg 3 shots", "d.jpg"] && viewModel.rows[0].isMarked == (act == "mark"))
    // An open stack is sorted by sharpness.
    choosing.toggleStack(row: 0)
    #expect(rows == ["b.jpg 1/3", "c.jpg 2/3", "a.jpg 3/3", "d.jpg"])
  }

  @Test func theSharpestShotIsListedAgainOnceNoneIsChosen() async throws {
    try await load(burst)
    choosing.toggleStack(row: 0)
    choosing.marks.toggle("c.jpg".hashValue)
    choosing.toggleStack(row: 0)
    choosing.approach(row: 1)
    try await settle()
    #expect(rows == ["c.jpg 3 shots", "d.jpg"])
    choosing.marks.toggle("c.jpg".hashValue)
    choosing.approach(row: 0)
    try await settle()
    #expect(rows == ["b.jpg 3 shots", "d.jpg"])
  }

  @Test func theRowsOfAnOpenStackHaveTheSharpness() async throws {
    service.holds = true
    try await fixture.load(folder(burst))
    try await end(of: choosing.stacks.finding)
    choosing.toggleStack(row: 0)
    var sharpness: [Int?] { viewModel.rows.map { $0.stack?.sharpness } }
    #expect(sharpness == [nil, nil, nil, nil])
    // The order of the shots is that of their sharpness already, so only the values are new.
    service.set("a.jpg", hash: 0, sharpness: 10)
    service.set("c.jpg", hash: 0, sharpness: 5)
    let entries = fixture.history.entries.count
    try await service.held.answer(0, .success(()))
    try await fixture.history.wait(for: entries + 1)
    try await settle()
    #expect(viewModel.rows.map(\.name) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"] && sharpness == [100, 90, 50, nil])
    choosing.toggleStack(row: 0)
    #expect(sharpness == [nil, nil])
  }

  /// Titles of other programs are often the same for a whole burst.
  @Test func theRowsOfAnOpenStackHaveFileNamesIfTheNamesRepeat() async throws {
    func names(titles: [String]) async throws -> [String?] {
      var shots = burst
      for (shot, title) in titles.enumerated() { shots[shot].title = title }
      try await load(shots)
      choosing.toggleStack(row: 0)
      defer { choosing.toggleStack(row: 0) }
      return viewModel.rows.map(\.distinctName)
    }
    #expect(try await names(titles: ["Sea", "Sea", "Boat", "Sea"]) == ["b.jpg", "c.jpg", "a.jpg", "d.jpg"])
    // The photo beside the stack has the name of the last shot.
    #expect(try await names(titles: ["Sea", "Wave", "Boat", "Sea"]) == [nil, nil, "a.jpg", "d.jpg"])
    #expect(try await names(titles: ["Sea", "Wave", "Boat", "Lake"]) == [nil, nil, nil, nil])
  }

  /// The first shot counts until the sharpness is known, which is measured only near the highlighted row.
  @Test func sharpnessIsMeasuredNearTheHighlightedRow() async throws {
    var shots: [Shot] = []
    for stack in 0..<40 {
      for shot in 0..<2 {
        let name = String(format: "%02d-%d.jpg", stack, shot)
        shots.append(Shot(name: name, time: Double(stack * 1000 + shot), sharpness: UInt16(10 + shot)))
      }
    }
    try await load(shots)
    #expect(rows.count == 40)
    #expect(rows[0] == "00-1.jpg 2 shots" && rows[30] == "30-0.jpg 2 shots")
    choosing.approach(row: 30)
    try await settle()
    #expect(rows[30] == "30-1.jpg 2 shots" && rows[39] == "39-1.jpg 2 shots" && rows[16] == "16-0.jpg 2 shots")
    let measured = service.asked.filter { $0.hasSuffix("sharpness") }
    #expect(Set(measured).count == measured.count)
  }

  @Test(arguments: [
    // Within moments, a photo may change more.
    (2.0, ImageAppraisal.burstDistance, true), (2.0, ImageAppraisal.burstDistance + 1, false),
    (2.1, ImageAppraisal.burstDistance, false), (30.0, ImageAppraisal.nearDuplicateDistance, true),
    (30.0, ImageAppraisal.nearDuplicateDistance + 1, false), (30.1, 0, false),
  ])
  func photosAreStackedIfTheyAreAlikeAndNearInTime(gap: Double, distance: Int, isStack: Bool) async throws {
    try await load([
      Shot(name: "a.jpg", time: 0), Shot(name: "b.jpg", time: gap, hash: Self.hash(UInt64(distance))),
    ])
    #expect(rows.count == (isStack ? 1 : 2))
  }

  /// The hashes of shots that are a second apart, and the stacks: a and b are the scenes of similar shots, and x looks like no
  /// other.
  @Test(arguments: [
    ("aaxaa", [[0, 1, 3, 4]]), ("xaa", [[1, 2]]), ("aax", [[0, 1]]), ("aabb", [[0, 1], [2, 3]]),
    ("aabaa", [[0, 1, 3, 4]]), ("axaxa", [[0, 2, 4]]),
    ("aabbaa", [[0, 1], [2, 3], [4, 5]]), ("axbb", [[2, 3]]), ("aaxxaa", [[0, 1], [4, 5]]), ("axa", [[0, 2]]),
    ("ab", []),
  ])
  func aShotThatLooksDifferentDoesNotDivideAStack(scenes: String, stacks: [[TableIndex]]) throws {
    let hashes: [Character: UInt64] = ["a": 0, "b": .max]
    let photos = folder(scenes.indices.enumerated().map { place, _ in Shot(name: "\(place)", time: Double(place)) })
      .photos
    let runs = try #require(ShotRuns(in: photos))
    let names = Array(scenes)
    #expect(runs.stacks(clock: photos.clock) { hashes[names[$0.value]] }.map(\.shots) == stacks)
  }

  /// A shot in between, which looks different, does not make the time longer in which photos may be taken.
  @Test func similarShotsThatAreFarApartInTimeAreNoStack() throws {
    let photos = folder([Shot(name: "0", time: 0), Shot(name: "1", time: 25), Shot(name: "2", time: 50)]).photos
    let runs = try #require(ShotRuns(in: photos))
    #expect(runs.stacks(clock: photos.clock) { $0 == 1 ? .max : 0 }.isEmpty)
  }

  /// Only the groups change if a file is renamed, as photos keep their identifiers.
  @Test func aShotOfWhichAFileWasRenamedIsFoundAgain() async throws {
    let shots = [
      Shot(name: "a.cr2", time: 0), Shot(name: "a.jpg", time: 0, sharpness: 5),
      Shot(name: "b.jpg", time: 1, sharpness: 1),
    ]
    try await load(shots)
    #expect(rows == ["a.jpg 2 shots"])
    var renamed = folder(shots)
    renamed.groups = PhotoGroups()
    service.set("a.cr2", hash: 0, sharpness: 3)
    try await fixture.give(renamed)
    try await settle()
    #expect(rows == ["a.jpg 3 shots"])
  }

  /// Other programs write the rejection of a photo next to one of its files.
  @Test func theRejectionOfAnyFileCounts() async throws {
    var shots = burst.prefix(3).flatMap { shot in
      [shot, Shot(name: shot.name.replacing("jpg", with: "cr2"), time: shot.time)]
    }
    try await load(shots)
    #expect(rows == ["b.jpg 3 shots"])
    shots[3].stars = PhotoDecisions.rejected
    #expect(shots[3].name == "b.cr2")
    try await fixture.give(folder(shots))
    try await settle()
    #expect(rows == ["c.jpg 3 shots"])
  }

  /// The marks may be those of yesterday.
  @Test func theStackOfAViewedPhotoIsComparedRatherThanMarksOutOfView() async throws {
    let names = { (comparison: PhotoComparison?) in comparison?.rows.compactMap { $0?.name } }
    try await load(burst + [Shot(name: "e.jpg", time: 900, hash: 1 << 40)])
    for row: RowIndex in [1, 2] { choosing.marks.toggle(row: row, in: viewModel.rows) }
    #expect(names(choosing.comparison(orRow: 0)) == ["d.jpg", "e.jpg"])
    #expect(names(choosing.comparison(orRow: 0, viewed: "b.jpg".hashValue)) == ["b.jpg", "c.jpg", "a.jpg"])
    // A photo without a stack is compared with what is marked, and so is a stack with a mark.
    #expect(names(choosing.comparison(orRow: 1, viewed: "d.jpg".hashValue)) == ["d.jpg", "e.jpg"])
    choosing.marks.toggle(row: 0, in: viewModel.rows)
    #expect(names(choosing.comparison(orRow: 0, viewed: "b.jpg".hashValue))?.count == 3)
    #expect(names(choosing.comparison(orRow: 0, viewed: "b.jpg".hashValue))?.contains("e.jpg") == true)
  }

  @Test func aShotThatIsKeptWhileTheStackIsMeasuredStaysTheFirstOne() async throws {
    service.holds = true
    try await fixture.load(folder(burst))
    try await end(of: choosing.stacks.finding)
    try await service.held.waitUntilAsked(1)
    let comparison = try #require(choosing.comparison(orRow: 0))
    comparison.moveCursor(to: 2)
    comparison.choose()
    #expect(choosing.end(comparison) == 0)
    #expect(rows == ["c.jpg 3 shots", "d.jpg"])
    service.holds = false
    try await service.held.answer(0, .success(()))
    try await settle()
    choosing.toggleStack(row: 0)
    #expect(rows == ["c.jpg 1/3", "b.jpg 2/3", "a.jpg 3/3", "d.jpg"])
  }

  @Test func aStackIsMeasuredAgainAfterStacksWereOff() async throws {
    service.holds = true
    try await fixture.load(folder(burst))
    try await end(of: choosing.stacks.finding)
    try await service.held.waitUntilAsked(1)
    choosing.stacks.toggleAll()
    choosing.stacks.toggleAll()
    service.holds = false
    try await service.held.answer(0, .success(()))
    try await settle()
    #expect(rows == ["b.jpg 3 shots", "d.jpg"])
  }

  @Test func photosOfOtherCamerasAndWithoutTimesStayApart() async throws {
    try await load([
      Shot(name: "a.jpg", time: 0), Shot(name: "b.jpg", time: 0, camera: "Z 6"),
      Shot(name: "c.jpg", time: 0, camera: nil), Shot(name: "d.jpg", time: 0, camera: nil),
      Shot(name: "e.jpg", time: 0, camera: "Z 7", hasTime: false),
      Shot(name: "f.jpg", time: 0, camera: "Z 7", hasTime: false), Shot(name: "sub/g.jpg", time: 0),
    ])
    #expect(rows.count == 7)
    #expect(service.asked.isEmpty)
  }

  @Test func aStackHasEachPhotoOnceAndItsActionsAreOfTheShownShot() async throws {
    try await load([
      Shot(name: "a.cr2", time: 0, sharpness: 9), Shot(name: "a.jpg", time: 0, sharpness: 1),
      Shot(name: "b.cr2", time: 1, sharpness: 9), Shot(name: "b.jpg", time: 1, sharpness: 2),
    ])
    #expect(rows == ["b.jpg 2 shots"])
    #expect(service.asked == ["a.jpg", "b.jpg", "a.jpg sharpness", "b.jpg sharpness"])
    choosing.decide(.rating(3), orRow: 0)
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(await fixture.decisions.steps.requests == ["3 stars on [\"/b.jpg\", \"/b.cr2\"]"])
  }

  /// A shot that was marked while its stack was open is not the one that stands for the stack.
  @Test func aMarkedShotOfAClosedStackIsItself() async throws {
    try await load(
      burst.prefix(3).flatMap { shot in [shot, Shot(name: shot.name.replacing("jpg", with: "cr2"), time: shot.time)] })
    choosing.toggleStack(row: 0)
    choosing.marks.toggle(row: 2, in: viewModel.rows)
    choosing.toggleStack(row: 0)
    #expect(rows == ["b.jpg 3 shots"])
    choosing.decide(.rating(1), orRow: 0)
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(await fixture.decisions.steps.requests == ["1 star on [\"/a.jpg\", \"/a.cr2\"]"])
  }

  @Test func aSearchListsTheShotsOfAStack() async throws {
    try await load(burst)
    try await fixture.rows { viewModel.search.find("jpg") }
    #expect(viewModel.rows.allSatisfy { $0.stack == nil })
    #expect(viewModel.rows.map(\.name).sorted() == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    try await fixture.rows { viewModel.search.find("") }
    #expect(rows == ["b.jpg 3 shots", "d.jpg"])
    try await fixture.rows { viewModel.search.sort(by: .date) }
    #expect(rows == ["d.jpg", "b.jpg 3 shots"])
  }

  @Test func aStackIsOneMatchInTheListOfAllPhotos() async throws {
    try await load(burst)
    viewModel.search.toggleListsAll()
    try await fixture.rows { viewModel.search.find("jpg") }
    #expect(rows == ["b.jpg 3 shots", "d.jpg"] && viewModel.search.matchCount == 2)
    #expect(viewModel.search.match(after: 0) == 1)
  }

  @Test func stacksFollowTheFolder() async throws {
    try await load(burst)
    // Only a rating has changed: nothing is looked at again, and the stacks stay at once.
    let asked = service.asked.count
    try await fixture.give(folder(burst))
    #expect(rows == ["b.jpg 3 shots", "d.jpg"])
    try await settle()
    #expect(service.asked.count == asked)
    // A shot is deleted and another comes.
    let new = Shot(name: "z.jpg", time: 12, hash: 1, sharpness: 20)
    try await fixture.give(folder([burst[0], burst[2], burst[3], new]))
    try await settle()
    #expect(rows == ["z.jpg 3 shots", "d.jpg"])
    #expect(service.asked.dropFirst(asked).filter { !$0.hasSuffix("sharpness") } == ["z.jpg"])
  }

  @Test func aRejectedShotIsTheLastOneOfItsStack() async throws {
    try await load(burst)
    var shots = burst
    shots[1].stars = PhotoDecisions.rejected
    try await fixture.give(folder(shots))
    try await settle()
    choosing.toggleStack(row: 0)
    #expect(rows == ["c.jpg 1/3", "a.jpg 2/3", "b.jpg 3/3", "d.jpg"])
    // A comparison is among the others, and the one that the user looks at.
    let comparison = try #require(choosing.comparison(orRow: 1))
    #expect(comparison.rows.map { $0?.name } == ["c.jpg", "a.jpg"] && comparison.cursor == 1)
    let viewed = try #require(choosing.comparison(orRow: 2))
    #expect(viewed.rows.map { $0?.name } == ["c.jpg", "a.jpg", "b.jpg"] && viewed.cursor == 2)
    // If nothing is chosen, the list stays where it is.
    #expect(choosing.end(viewed) == 2)
    shots[0].stars = PhotoDecisions.rejected
    try await fixture.give(folder(shots))
    try await settle()
    #expect(choosing.comparison(orRow: 0)?.count == 3)
    try await fixture.give(folder(burst))
    try await settle()
    #expect(rows == ["b.jpg 1/3", "c.jpg 2/3", "a.jpg 3/3", "d.jpg"])
  }

  /// A rejection gives a closed stack another row, which has to say what became of the rejected shot.
  @Test func theRowOfAStackCountsTheDecisionsBehindIt() async throws {
    func behind() -> [String] { viewModel.rows.map { "\($0.name) \($0.decidedBehind)" } }
    try await load(burst)
    #expect(behind() == ["b.jpg (starred: 0, rejected: 0)", "d.jpg (starred: 0, rejected: 0)"])
    // A decision counts before the source has read it.
    choosing.toggleStack(row: 0)
    choosing.decide(.rating(PhotoDecisions.rejected), orRow: 2)
    #expect(behind().allSatisfy { $0.hasSuffix("(starred: 0, rejected: 0)") })
    choosing.toggleStack(row: 0)
    #expect(behind()[0] == "b.jpg (starred: 0, rejected: 1)")
    var shots = burst
    shots[0].stars = PhotoDecisions.rejected
    shots[1].stars = PhotoDecisions.rejected
    shots[2].stars = 3
    try await fixture.give(folder(shots))
    try await settle()
    #expect(behind()[0] == "c.jpg (starred: 0, rejected: 2)")
    shots[1].stars = 4
    try await fixture.give(folder(shots))
    try await settle()
    #expect(behind()[0] == "b.jpg (starred: 1, rejected: 1)")
    // The note says that a decision about a closed stack is about one shot.
    let notes = History()
    choosing.onNote = { notes.add($0) }
    choosing.decide(.rating(2), orRow: 0)
    choosing.decide(.rating(2), orRow: 1)
    #expect(notes.entries == ["2 stars on b.jpg · 1 of 3 shots", "2 stars on d.jpg"])
  }

  @Test func theShotThatWasKeptInAComparisonRepresentsItsStack() async throws {
    try await load(burst)
    let comparison = try #require(choosing.comparison(orRow: 0))
    #expect(choosing.end(comparison) == 0)
    #expect(rows == ["b.jpg 3 shots", "d.jpg"])
    comparison.moveCursor(to: 2)
    comparison.choose()
    #expect(choosing.end(comparison) == 0)
    #expect(rows == ["a.jpg 3 shots", "d.jpg"])
    try await settle()
    choosing.toggleStack(row: 0)
    #expect(rows == ["a.jpg 1/3", "b.jpg 2/3", "c.jpg 3/3", "d.jpg"])
  }

  /// A sorted list has its old rows until the photos of a changed folder are sorted.
  @Test func stacksAreThoseOfTheRowsThatAreListed() async throws {
    try await load(burst)
    try await fixture.rows { viewModel.search.sort(by: .name) }
    var compared: [[String?]] = []
    let onProgress = viewModel.onProgress
    viewModel.onProgress = { [viewModel] in
      let (row, names) = (viewModel.rows.firstIndex { $0.stack != nil }, ["b.jpg", "c.jpg", "a.jpg"])
      if let row, let panes = choosing.comparison(orRow: row)?.panes {
        compared.append(panes.map { id in names.first { $0.hashValue == id } })
      }
      onProgress()
    }
    try await fixture.give(folder([Shot(name: "0.jpg", time: 900), Shot(name: "1.jpg", time: 2000)] + burst))
    #expect(compared.count > 0 && compared.allSatisfy { $0 == ["b.jpg", "c.jpg", "a.jpg"] })
  }

  @Test func shotsThatCannotBeDecodedStayApart() async throws {
    let snapshot = folder(burst)
    try await PhotoListFixture(appraisals: NoAppraisals()).check(snapshot)
  }
}

/// A service that can decode nothing.
private struct NoAppraisals: AppraisalServiceProtocol {
  func contents(of files: [FilePath]) async -> [FileContent?] { files.map { _ in nil } }
  func appraisals(of files: [FilePath], _: ImageAppraisal.Detail) async -> [ImageAppraisal?] { files.map { _ in nil } }
}

extension PhotoListFixture {
  fileprivate func check(_ snapshot: PhotoSnapshot) async throws {
    try await load(snapshot)
    try await end(of: choosing.stacks.finding)
    #expect(viewModel.rows.count == snapshot.photos.count)
  }
}
