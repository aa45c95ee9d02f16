import Gallery
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

@MainActor
@Suite(.timeLimit(.minutes(5)), .limited) struct ShotSeriesTests {
  private static func shots(
    biases: [Double?] = [], times: [Double] = [], gap: Double = 0.3, series: PhotoSeries? = nil, numbers: [Int] = []
  ) -> [ShotSeries.Shot] {
    (0..<max(biases.count, times.count)).map { place in
      ShotSeries.Shot(
        clock: Double(place) * gap, exposureTime: times.isEmpty ? 0.004 : times[place], series: series,
        number: numbers.isEmpty ? nil : numbers[place], bias: biases.isEmpty ? nil : biases[place])
    }
  }

  /// The biases of shots in quick succession, and the brackets that they are.
  @Test(arguments: [
    ("0 -2 2", "0 1 2"), ("-2 0 2", "1 0 2"), ("2 0 -2", "1 2 0"), ("0 -1 1 -2 2", "0 3 1 2 4"),
    // A bracket begins where an exposure occurs again.
    ("0 -2 2 0 -2 2", "0 1 2, 3 4 5"), ("0 0 -2 2", "1 2 3"),
    // The user has corrected the exposure: the middle one represents the bracket.
    ("1 -1 3", "0 1 2"), ("-0.7 -1.7 0.3", "0 1 2"),
    // Cameras round thirds of a step.
    ("0 -0.3 0.3", "0 1 2"), ("0 -0.67 0.67", "0 1 2"),
    // Two shots, or uneven steps, may have other reasons.
    ("0 -2", ""), ("0 -1 3", ""), ("0 0 0 0", ""), ("0.7 0.7 0.7", ""),
  ])
  func aBracketHasDifferentExposuresInEvenSteps(biases: String, brackets: String) {
    let found = ShotSeries.all(in: Self.shots(biases: biases.split(separator: " ").map { Double($0) }))
    #expect(found.allSatisfy { $0.kind == .bracket })
    let places = found.map { series in series.shots.map(String.init).joined(separator: " ") }
    #expect(places.joined(separator: ", ") == brackets)
  }

  /// In changing light, the automatic exposure changes by small steps.
  @Test(arguments: [
    ("250 1000 60", true), ("250 320 400", false), ("250 320 250", false), ("250 500", false),
  ])
  func exposureTimesAloneMustDifferByLargeSteps(speeds: String, isBracket: Bool) {
    let times = speeds.split(separator: " ").compactMap { Double($0) }.map { 1 / $0 }
    let shots = Self.shots(times: times)
    #expect(ShotSeries.all(in: shots) == (isBracket ? [ShotSeries(kind: .bracket, shots: [0, 1, 2])] : []))
    var other = shots
    other[1].iso = 400
    #expect(ShotSeries.all(in: other).isEmpty)
  }

  @Test func longExposuresDoNotDivideABracket() {
    var shots = Self.shots(times: [8, 2, 32])
    shots[1].clock = 9
    shots[2].clock = 12
    #expect(ShotSeries.all(in: shots).map(\.shots) == [[0, 1, 2]])
    shots[2].clock = 14
    #expect(ShotSeries.all(in: shots).isEmpty)
  }

  @Test func theCameraTellsItsSeries() {
    func kinds(_ series: PhotoSeries?, _ count: Int = 3, gap: Double = 0.3, numbers: [Int] = []) -> [StackKind] {
      ShotSeries.all(
        in: Self.shots(times: Array(repeating: 0.01, count: count), gap: gap, series: series, numbers: numbers)
      )
      .map(\.kind)
    }
    #expect(kinds(.focusSeries) == [.focusSeries] && kinds(.panorama, 5, gap: 8) == [.panorama])
    #expect(kinds(.otherBracket) == [.bracket])
    #expect(kinds(.burst) == [] && kinds(nil) == [] && kinds(.panorama, 1) == [])
    // The numbers begin again with each series.
    #expect(kinds(.panorama, 5, gap: 8, numbers: [1, 2, 3, 1, 2]) == [.panorama, .panorama])
    #expect(kinds(.focusSeries, 3, gap: 31) == [])
  }

  /// The camera's word counts more than the steps.
  @Test func aNamedBracketMayHaveTwoShotsAndUnevenSteps() {
    func brackets(_ biases: [Double], _ series: PhotoSeries?) -> [[Int]] {
      ShotSeries.all(in: Self.shots(biases: biases, series: series)).map(\.shots)
    }
    #expect(brackets([0, -2], .exposureBracket) == [[0, 1]])
    #expect(brackets([0, -1, 3], .exposureBracket) == [[0, 1, 2]])
    #expect(brackets([0, -2, 2], .burst) == [])
  }

  // MARK: In the list

  private let shoot = ShootFixture()

  private static let bracket = [
    Shot(name: "a.jpg", time: 10, hash: 1, sharpness: 3, bias: 0, exposureTime: 0.004),
    Shot(name: "b.jpg", time: 10.3, hash: 2, sharpness: 2, bias: -2, exposureTime: 0.001),
    Shot(name: "c.jpg", time: 10.6, hash: .max, sharpness: 9, bias: 2, exposureTime: 0.016),
    Shot(name: "d.jpg", time: 500, hash: 0, sharpness: 1),
  ]

  /// The sharpest shot of a bracket is often the brightest one, and is not what the user wants to see.
  @Test func aBracketIsListedAsTheShotWithoutABiasAndIsNotMeasured() async throws {
    try await shoot.load(Self.bracket)
    #expect(shoot.rows == ["a.jpg bracket of 3", "d.jpg"])
    #expect(shoot.service.asked.isEmpty)
    shoot.choosing.toggleStack(row: 0)
    #expect(shoot.rows == ["a.jpg 1/3", "b.jpg 2/3", "c.jpg 3/3", "d.jpg"])
  }

  @Test func aSeriesDividesABurst() async throws {
    var shots = Self.bracket
    shots.insert(Shot(name: "0.jpg", time: 8, bias: 0), at: 0)
    shots.insert(Shot(name: "1.jpg", time: 9, bias: 0), at: 1)
    shots.insert(Shot(name: "x.jpg", time: 11, bias: 0), at: 5)
    shots.insert(Shot(name: "y.jpg", time: 12, bias: 0), at: 6)
    try await shoot.load(shots)
    #expect(shoot.rows == ["0.jpg 2 shots", "a.jpg bracket of 3", "x.jpg 2 shots", "d.jpg"])
  }

  @Test func aDecisionAboutAClosedBracketIsOneAboutAllOfItsShots() async throws {
    try await shoot.load(Self.bracket)
    let steps = shoot.fixture.decisions.steps
    shoot.viewModel.rows[0].decide(.rating(4))
    shoot.choosing.decide(.label("Red"), orRow: 0)
    #expect(shoot.choosing.files(of: [shoot.viewModel.rows.photo(at: 0)]).map(\.name) == ["a.jpg", "b.jpg", "c.jpg"])
    try await steps.answer(0, .success(nil))
    try await steps.waitUntilAsked(2)
    shoot.choosing.toggleStack(row: 0)
    shoot.viewModel.rows[1].decide(.rating(1))
    shoot.choosing.decide(.rating(2), orRow: 2)
    for number in 1...2 { try await steps.answer(number, .success(nil)) }
    try await steps.waitUntilAsked(4)
    let all = #"["/a.jpg", "/b.jpg", "/c.jpg"]"#
    #expect(
      await steps.requests == [
        "4 stars on \(all)", "Label Red: \(all)", #"1 star on ["/b.jpg"]"#, #"2 stars on ["/c.jpg"]"#,
      ])
  }

  @Test func theRowOfABracketCountsTheShotsThatAreDecidedOtherwise() async throws {
    var shots = Self.bracket
    for place in 0..<3 { shots[place].stars = 4 }
    try await shoot.load(shots)
    #expect(shoot.viewModel.rows[0].decidedBehind == (0, 0))
    shots[1].stars = PhotoDecisions.rejected
    shots[2].stars = 2
    try await shoot.fixture.give(shoot.folder(shots))
    #expect(shoot.rows[0] == "a.jpg bracket of 3" && shoot.viewModel.rows[0].decidedBehind == (1, 1))
  }

  /// A search lists each shot by itself.
  @Test func aDecisionAboutASearchResultIsOneAboutItsShot() async throws {
    try await shoot.load(Self.bracket)
    try await shoot.fixture.rows { shoot.viewModel.search.find("a.jpg") }
    shoot.viewModel.rows[0].decide(.rating(4))
    try await shoot.fixture.decisions.steps.waitUntilAsked(1)
    #expect(await shoot.fixture.decisions.steps.requests == [#"4 stars on ["/a.jpg"]"#])
  }

  @Test func aCullKeepsOrRejectsABracketAsOne() async throws {
    try await shoot.load(Self.bracket)
    let cull = await withCheckedContinuation { done in shoot.choosing.beginCull { done.resume(returning: $0) } }
    let rows = { self.shoot.choosing.culledRows }
    #expect(rows().map(\.name) == ["a.jpg", "d.jpg"] && rows()[0].stack?.offerText == "bracket of 3, rated as one")
    rows()[0].decide(.rating(PhotoDecisions.rejected))
    #expect(!cull.hasNext(after: "a.jpg".hashValue) && cull.rejectedCount == 3 && cull.undecidedCount == 1)
    rows()[0].decide(.rating(3))
    #expect(cull.pickedCount == 3 && cull.unseenShotCount == 0)
    try await shoot.fixture.decisions.steps.waitUntilAsked(1)
    #expect(await shoot.fixture.decisions.steps.requests == [#"Rejected: ["/a.jpg", "/b.jpg", "/c.jpg"]"#])
  }

  @Test func aMarkedBracketIsAllOfItsShots() async throws {
    try await shoot.load(Self.bracket)
    shoot.choosing.marks.toggle(row: 0, in: shoot.viewModel.rows)
    shoot.choosing.marks.toggle(row: 1, in: shoot.viewModel.rows)
    let files = shoot.choosing.files(of: shoot.choosing.markedPhotos)
    #expect(files.map(\.name) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
  }
}
