import Gallery
import Photos
import TestLimit
import Testing

@testable import ViewModels

/// The viewer on a list, by what its hooks were called with.
@MainActor
@Suite(.limited) struct ViewerViewModelTests {
  private let shoot = ShootFixture()
  private let clock = ManualClock()
  private let history = History()

  private func open(_ row: RowIndex = 0, cull: PhotoCull? = nil) throws -> ViewerViewModel {
    let rows = { [shoot] in cull == nil ? shoot.viewModel.rows : shoot.choosing.culledRows }
    let viewer = try #require(ViewerViewModel(row, among: rows, clock: clock, cull: cull))
    viewer.onTurn = { [history] in history.add("turn \($0.value)") }
    viewer.onShow = { [history] in history.add($0 ? "show" : "show whole") }
    viewer.onChange = { [history] in history.add("change") }
    viewer.onFinish = { [history] in history.add("finish") }
    return viewer
  }

  private func load(_ names: String...) async throws {
    try await shoot.load(names.enumerated().map { Shot(name: $1, time: Double($0) * 1000) })
  }

  @Test func turningEndsAtTheLastPhoto() async throws {
    try await load("a.jpg", "b.jpg")
    let viewer = try open()
    #expect(viewer.detail.name == "a.jpg" && viewer.canTurn(by: 1) && !viewer.canTurn(by: -1))
    viewer.turn(by: 1)
    #expect(viewer.detail.name == "b.jpg" && !viewer.canTurn(by: 1))
    viewer.turn(by: 1)
    #expect(history.entries == ["show", "turn 1"])
    #expect(viewer.neighbor(after: -1)?.detail.name == "a.jpg" && viewer.neighbor(after: 1) == nil)
  }

  @Test func aShownPhotoStaysWhenTheListLosesIt() async throws {
    try await load("a.jpg", "b.jpg", "c.jpg")
    let viewer = try open(1)
    try await shoot.fixture.give(shoot.folder([Shot(name: "a.jpg", time: 0), Shot(name: "c.jpg", time: 2000)]))
    #expect(viewer.update() == .none)
    #expect(viewer.row == nil && viewer.detail.name == "b.jpg" && viewer.count == 2)
    viewer.turn(by: 1)
    #expect(viewer.detail.name == "c.jpg")
  }

  @Test func aRatingTurnsToTheNextPhotoAndTheLastOneOfACullEndsIt() async throws {
    try await load("a.jpg", "b.jpg")
    let cull = await withCheckedContinuation { done in shoot.choosing.beginCull { done.resume(returning: $0) } }
    let viewer = try open(cull: cull)
    viewer.decide(.label("Red"))
    #expect(history.entries == [])
    viewer.decide(.rating(3))
    viewer.decide(.rating(PhotoDecisions.rejected))
    #expect(history.entries == ["show", "turn 1", "finish"])
    #expect(viewer.progress == "2 of 2 · 1 picked · 1 rejected")
    // The user may keep the photo in view after a rating.
    shoot.choosing.deciding.toggleAdvance()
    viewer.decide(.rating(1))
    #expect(history.entries.count == 3)
  }

  @Test func aPhotoIsHeldOnlyUntilTheUserTurnsToAnotherOne() async throws {
    try await shoot.load(ShootFixture.burst)
    let cull = await withCheckedContinuation { done in shoot.choosing.beginCull { done.resume(returning: $0) } }
    let viewer = try open(1, cull: cull)
    viewer.hold()
    viewer.turn(by: -1)
    #expect(viewer.detail.name == "b.jpg")
    shoot.choosing.culledRows[0].decide(.rating(PhotoDecisions.rejected))
    cull.offerNext(after: "b.jpg".hashValue)
    #expect(viewer.update() == .otherShot && viewer.detail.name == "c.jpg")
  }

  @Test func aSlideshowShowsWholePhotosAndBeginsAgain() async throws {
    try await load("a.jpg", "b.jpg")
    let viewer = try open()
    viewer.toggleSlideshow()
    for count in 1...2 {
      try await clock.wait(forSleepers: 1)
      clock.advance(by: .seconds(5))
      try await history.wait(for: count * 3)
    }
    #expect(history.entries == ["show whole", "turn 1", "change", "show whole", "turn 0", "change"])
    viewer.toggleSlideshow()
    #expect(viewer.slideshow?.isPaused == true)
  }
}
