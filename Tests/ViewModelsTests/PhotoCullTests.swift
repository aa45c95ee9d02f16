import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

@MainActor
@Suite(.timeLimit(.minutes(5)), .limited) struct PhotoCullTests {
  private let shoot = ShootFixture()
  private var viewModel: PhotoListViewModel { shoot.viewModel }
  private var choosing: PhotoChoosingViewModel { shoot.choosing }

  private func beginCull() async -> PhotoCull {
    await withCheckedContinuation { done in choosing.beginCull { done.resume(returning: $0) } }
  }

  /// The names of the shots that the places of the cull offer.
  private var offered: [String] { choosing.culledRows.map(\.name) }

  private func id(_ name: String) -> Photo.ID { name.hashValue }

  /// Loads a burst of four shots between two photos. Its sharpness is not known before the test answers.
  private func loadUnmeasuredBurst() async throws {
    shoot.service.holds = true
    let names = ["b.jpg", "c.jpg", "d.jpg", "e.jpg"]
    let burst = zip(names, [3, 1, 9, 5]).enumerated().map { place, shot in
      Shot(name: shot.0, time: 1000 + Double(place), sharpness: shot.1)
    }
    let single = [Shot(name: "a.jpg", time: 0, hash: .max), Shot(name: "f.jpg", time: 9000, hash: .max)]
    try await shoot.fixture.load(shoot.folder([single[0]] + burst + [single[1]]))
    try await end(of: choosing.stacks.finding)
  }

  private func measure() async throws {
    try await shoot.service.held.waitUntilAsked(1)
    shoot.service.holds = false
    try await shoot.service.held.answer(0, .success(()))
    try await shoot.settle()
  }

  // MARK: Where a cull begins, and what it counts

  @Test func aCullBeginsAtTheFirstUndecidedPhotoFromTheHighlightedOneOn() async throws {
    let shots = (0..<5).map { place in
      Shot(name: "\(place).jpg", time: Double(place) * 1000, stars: [1, 3].contains(place) ? 4 : nil)
    }
    try await shoot.load(shots)
    let cull = await beginCull()
    #expect(cull.firstUndecided(from: id("0.jpg")) == 0)
    #expect(cull.firstUndecided(from: id("1.jpg")) == 2 && cull.firstUndecided(from: id("4.jpg")) == 4)
    cull.take([.file("/4.jpg"): 1])
    #expect(cull.firstUndecided(from: id("3.jpg")) == 0)
    cull.take([.file("/0.jpg"): 1, .file("/2.jpg"): 1])
    #expect(cull.firstUndecided(from: id("3.jpg")) == 3)
  }

  /// The stars are given in the moment between the key and the first count.
  @Test func starsThatAreGivenDuringTheCountAreCounted() async throws {
    try await shoot.load((0..<3).map { Shot(name: "\($0).jpg", time: Double($0) * 1000) })
    let cull = await withCheckedContinuation { done in
      choosing.beginCull { done.resume(returning: $0) }
      viewModel.rows[0].decide(.rating(4))
      viewModel.rows[1].decide(.rating(PhotoDecisions.rejected))
    }
    #expect((cull.pickedCount, cull.rejectedCount, cull.undecidedCount) == (1, 1, 1))
  }

  /// The source may send its photos again before they are counted.
  @Test func starsThatAreGivenDuringTwoCountsAreCounted() async throws {
    let shots = (0..<4000).map { Shot(name: "\($0).jpg", time: Double($0) * 1000) }
    try await shoot.load(shots)
    let cull = await beginCull()
    await withCheckedContinuation { done in
      // The count of one photo ends first.
      cull.count(in: shoot.folder([shots[0]]).photos, changes: [:]) {}
      cull.count(in: viewModel.source.snapshot.photos, changes: [:]) { done.resume() }
      cull.take([.file("/0.jpg"): 4])
    }
    #expect(cull.pickedCount == 1 && cull.picks == [id("0.jpg")])
  }

  @Test func aClosedBurstHasOnePlaceAndAnOpenOneHasOneForEachShot() async throws {
    try await shoot.load(ShootFixture.burst)
    let closed = await beginCull()
    #expect(closed.count == 2 && closed.undecidedCount == 4 && closed.unseenShotCount == 0)
    // Only a burst that was reached has shots that were passed over.
    choosing.look(at: id("d.jpg"))
    #expect(closed.unseenShotCount == 0)
    choosing.look(at: id("b.jpg"))
    #expect(closed.unseenShotCount == 2)
    #expect(choosing.culledRows.map { $0.stack?.text } == ["3 shots", nil])
    // It stays as it was when the cull began.
    choosing.toggleStack(row: 0)
    #expect(choosing.culledRows.map { $0.stack?.text } == ["3 shots", nil])
    let open = await beginCull()
    #expect(open.count == 4 && open.unseenShotCount == 0)
    #expect(choosing.culledRows.map { $0.stack?.text } == ["1/3", "2/3", "3/3", nil])
    choosing.stacks.toggleAll()
    #expect(await beginCull().count == 4 && choosing.culledRows.allSatisfy { $0.stack == nil })
  }

  /// The stacks of a large folder are found some time after its photos are listed.
  @Test func stacksThatAreFoundDuringACullAreFolded() async throws {
    try await shoot.fixture.load(shoot.folder(ShootFixture.burst).with { $0.isComplete = false })
    let cull = await beginCull()
    choosing.look(at: id("d.jpg"))
    #expect(offered == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    #expect(cull.progress(at: id("d.jpg")) == "4 of 4 · 0 picked · 0 rejected")
    try await shoot.fixture.give(shoot.folder(ShootFixture.burst))
    try await shoot.settle()
    #expect(offered == ["b.jpg", "d.jpg"] && choosing.culledRows[0].stack?.offerText == "1 of 3, sharpest first")
    #expect(cull.progress(at: id("d.jpg")) == "2 of 2 · 0 picked · 0 rejected" && cull.undecidedCount == 4)
    choosing.culledRows[0].decide(.rating(PhotoDecisions.rejected))
    cull.offerNext(after: id("b.jpg"))
    #expect(offered == ["c.jpg", "d.jpg"] && cull.rejects == [id("b.jpg")])
    choosing.culledRows[1].decide(.rating(3))
    #expect(cull.picks == [id("d.jpg")])
  }

  /// What the user looks at must not change, and what was decided has a place to return to.
  @Test func stacksOfWhichAShotWasSeenStayApart() async throws {
    let second = zip(["e.jpg", "f.jpg"], [1.0, 2]).map { Shot(name: $0, time: 900 + $1, hash: 1 << 40) }
    let shots = ShootFixture.burst + second
    try await shoot.fixture.load(shoot.folder(shots).with { $0.isComplete = false })
    let cull = await beginCull()
    choosing.look(at: id("b.jpg"))
    choosing.culledRows[1].decide(.rating(2))
    try await shoot.fixture.give(shoot.folder(shots))
    try await shoot.settle()
    #expect(offered == ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"])
    #expect(choosing.culledRows.map { $0.stack?.text } == [nil, nil, nil, nil, "2 shots"])
    #expect(cull.firstUndecided(from: id("b.jpg")) == 2 && cull.picks == [id("b.jpg")])
  }

  // MARK: What a burst offers

  @Test func theNextSharpestShotFollowsARejectedOne() async throws {
    try await shoot.load(ShootFixture.burst)
    let cull = await beginCull()
    #expect(offered == ["b.jpg", "d.jpg"])
    choosing.look(at: id("b.jpg"))
    choosing.culledRows[0].decide(.rating(PhotoDecisions.rejected))
    // The shot stays until the user moves on.
    #expect(offered == ["b.jpg", "d.jpg"] && cull.hasNext(after: id("b.jpg")))
    cull.offerNext(after: id("b.jpg"))
    #expect(offered == ["c.jpg", "d.jpg"] && choosing.culledRows[0].stack?.offerText == "2 of 3, sharpest first")
    #expect(!cull.hasNext(after: id("c.jpg")))
    #expect((cull.rejectedCount, cull.undecidedCount, cull.unseenShotCount) == (1, 3, 1))
    // A picked shot ends the choice.
    choosing.culledRows[0].decide(.rating(5))
    cull.offerNext(after: id("c.jpg"))
    #expect(offered == ["c.jpg", "d.jpg"] && cull.firstUndecided(from: id("c.jpg")) == 1)
    #expect((cull.pickedCount, cull.undecidedCount, cull.unseenShotCount) == (1, 2, 1))
    #expect(cull.picks == [id("c.jpg")])
  }

  @Test func aPlaceIsDecidedOnceAllShotsAreRejected() async throws {
    try await shoot.load(ShootFixture.burst)
    let cull = await beginCull()
    for name in ["b.jpg", "c.jpg", "a.jpg"] {
      #expect(offered == [name, "d.jpg"] && cull.firstUndecided(from: nil) == 0)
      choosing.culledRows[0].decide(.rating(PhotoDecisions.rejected))
      #expect(cull.hasNext(after: id(name)) == (name != "a.jpg"))
      cull.offerNext(after: id(name))
    }
    #expect(cull.firstUndecided(from: nil) == 1 && cull.rejectedCount == 3 && cull.undecidedCount == 1)
  }

  @Test func aRejectionThatIsUndoneOffersTheShotAgain() async throws {
    try await shoot.load(ShootFixture.burst)
    let cull = await beginCull()
    choosing.culledRows[0].decide(.rating(PhotoDecisions.rejected))
    cull.offerNext(after: id("b.jpg"))
    #expect(offered == ["c.jpg", "d.jpg"])
    cull.take([.file("/b.jpg"): nil])
    #expect(offered == ["b.jpg", "d.jpg"] && cull.rejectedCount == 0)
  }

  /// Another shot of the stack may get stars while this one is offered, for instance by an undo.
  @Test func noShotFollowsOneThatIsNotRejected() async throws {
    try await shoot.load(ShootFixture.burst)
    let cull = await beginCull()
    cull.take([.file("/c.jpg"): 3])
    #expect(!cull.hasNext(after: id("b.jpg")))
    cull.offerNext(after: id("b.jpg"))
    #expect(offered == ["b.jpg", "d.jpg"])
  }

  @Test func theSharpestShotIsOfferedOnceItIsKnown() async throws {
    try await loadUnmeasuredBurst()
    _ = await beginCull()
    #expect(offered == ["a.jpg", "b.jpg", "f.jpg"])
    #expect(choosing.culledRows[1].stack?.offerText == "1 of 4, not measured yet")
    try await measure()
    #expect(offered == ["a.jpg", "d.jpg", "f.jpg"])
    #expect(choosing.culledRows[1].stack?.offerText == "1 of 4, sharpest first")
  }

  /// A shot that appears while the user looks at its place has been seen.
  @Test func aShotThatAppearsAtTheCurrentPlaceIsSeen() async throws {
    try await loadUnmeasuredBurst()
    let cull = await beginCull()
    choosing.look(at: id("b.jpg"))
    #expect(cull.unseenShotCount == 3)
    try await measure()
    #expect(offered[1] == "d.jpg" && cull.unseenShotCount == 2)
  }

  /// Each action is about the shot that the user sees, so this shot must not be replaced.
  @Test(arguments: ["stars", "rejection", "zoom"])
  func theOrderOfABurstStaysOnceTheUserHasActedOnIt(act: String) async throws {
    try await loadUnmeasuredBurst()
    let cull = await beginCull()
    switch act {
    case "stars": choosing.culledRows[1].decide(.rating(2))
    case "rejection":
      choosing.culledRows[1].decide(.rating(PhotoDecisions.rejected))
      cull.offerNext(after: id("b.jpg"))
    default: cull.use(id("b.jpg"))
    }
    let shown = act == "rejection" ? "c.jpg" : "b.jpg"
    try await measure()
    #expect(offered == ["a.jpg", shown, "f.jpg"])
  }

  /// Returns forty bursts of two shots, of which the second one is the sharper one.
  private func pairs() -> [Shot] {
    var shots: [Shot] = []
    for stack in 10..<50 {
      for shot in 0..<2 {
        let time = Double(stack * 1000 + shot)
        shots.append(Shot(name: "\(stack)-\(shot).jpg", time: time, sharpness: UInt16(10 + shot)))
      }
    }
    return shots
  }

  @Test func theBurstsBehindTheCurrentPlaceAreMeasured() async throws {
    let shots = pairs()
    try await shoot.load(shots)
    _ = await beginCull()
    let before = Set(shoot.service.asked)
    choosing.look(at: id("30-0.jpg"))
    try await shoot.settle()
    let new = shoot.service.asked.filter { $0.hasSuffix("sharpness") && !before.contains($0) }
    #expect(new == (30...35).flatMap { stack in (0..<2).map { "\(stack)-\($0).jpg sharpness" } })
    #expect(offered[25] == "35-1.jpg" && offered[26] == "36-0.jpg")
  }

  /// Otherwise each burst might be measured a moment after the user has left it.
  @Test func aBurstThatTheUserHasLeftWaitsForTheNextOne() async throws {
    let shots = pairs()
    try await shoot.load(shots)
    _ = await beginCull()
    shoot.service.holds = true
    choosing.look(at: id("30-0.jpg"))
    try await shoot.service.held.waitUntilAsked(1)
    choosing.look(at: id("40-0.jpg"))
    // The answer for the burst before is still held.
    try await shoot.service.held.waitUntilAsked(2)
    try await shoot.service.held.answer(1, .success(()))
    try await shoot.service.held.waitUntilAsked(3)
    #expect(shoot.service.asked.last == "41-1.jpg sharpness" && offered[31] == "41-1.jpg")
    shoot.service.holds = false
    for number in [0, 2] { try await shoot.service.held.answer(number, .success(())) }
    try await shoot.settle()
    #expect(offered[20] == "30-1.jpg" && offered[35] == "45-1.jpg")
  }

  @Test func theNextBurstIsMeasuredFirstIfTheUserIsFaster() async throws {
    let shots = pairs()
    try await shoot.load(shots)
    _ = await beginCull()
    shoot.service.holds = true
    for name in ["30-0.jpg", "31-0.jpg"] { choosing.look(at: id(name)) }
    // The user has left 30 before it was measured, so 32 is more urgent than 31.
    try await shoot.service.held.waitUntilAsked(1)
    shoot.service.holds = false
    let before = shoot.service.asked.count
    try await shoot.service.held.answer(0, .success(()))
    try await shoot.settle()
    let measured = shoot.service.asked[before...].filter { $0.hasSuffix("-0.jpg sharpness") }.map { $0.prefix(2) }
    #expect(measured.filter { $0 != "30" }.prefix(3) == ["32", "31", "33"])
  }

  // MARK: Shots that were kept in a comparison

  @Test func aShotThatWasKeptIsOfferedInPlaceOfItsStack() async throws {
    try await shoot.load(ShootFixture.burst)
    let cull = await beginCull()
    #expect(offered == ["b.jpg", "d.jpg"])
    let comparison = try #require(choosing.comparison(orRow: 0))
    comparison.moveCursor(to: 1)
    comparison.decide(.rating(4))
    comparison.choose()
    _ = choosing.end(comparison)
    #expect(offered == ["c.jpg", "d.jpg"])
    #expect(cull.count == 2 && cull.pickedCount == 1)
  }

  @Test func aShotOfAnOpenStackKeepsItsPlace() async throws {
    try await shoot.load(ShootFixture.burst)
    choosing.toggleStack(row: 0)
    _ = await beginCull()
    let comparison = try #require(choosing.comparison(orRow: 0))
    comparison.moveCursor(to: 2)
    comparison.choose()
    _ = choosing.end(comparison)
    #expect(offered == ["b.jpg", "c.jpg", "a.jpg", "d.jpg"])
  }

  // MARK: Files that are gone

  @Test func theNextShotReplacesOneWhoseFileIsGone() async throws {
    try await shoot.load(ShootFixture.burst)
    let cull = await beginCull()
    try await shoot.fixture.give(shoot.folder(ShootFixture.burst.filter { $0.name != "b.jpg" }))
    choosing.culledRows[0].decide(.rating(3))
    #expect(cull.pickedCount == 1)
  }

  /// The photos behind it have other rows then, but the same places.
  @Test func aPhotoKeepsItsPlaceWhenOneBeforeItIsGone() async throws {
    let shots = ["a.jpg", "b.jpg", "c.jpg"].enumerated().map { Shot(name: $1, time: Double($0) * 1000) }
    try await shoot.load(shots)
    let cull = await beginCull()
    try await shoot.fixture.give(shoot.folder(Array(shots.dropFirst())))
    let place = cull.firstUndecided(from: id("b.jpg"))
    #expect(place == 1 && choosing.culledRow(at: place) == 0)
    #expect(choosing.culledRow(at: 0) == nil)
    #expect(cull.progress(at: id("b.jpg")) == "2 of 3 · 0 picked · 0 rejected")
  }
}
