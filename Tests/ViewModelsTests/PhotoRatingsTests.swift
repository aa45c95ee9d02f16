import Gallery
import Services
import Testing

@testable import Photos
@testable import ViewModels

/// A service of ratings that answers when the test says so.
final class HeldRatings: RatingServiceProtocol {
  let steps = Held<String, RatingStep?>()

  func make(_ change: RatingChange, for photos: [FilePath]) async -> RatingStep {
    await ask("\(change.text) for \(photos.map(\.printable))") ?? RatingStep(title: "", ratings: [:])
  }

  func undo() async -> RatingStep? { await ask("undo") }
  func redo() async -> RatingStep? { await ask("redo") }

  private func ask(_ request: String) async -> RatingStep? { (try? await steps.ask(request)) ?? nil }
}

@MainActor
@Suite struct PhotoRatingsTests {
  private let fixture = PhotoListFixture()
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var ratings: PhotoRatings { viewModel.ratings }
  private var history: [String] { fixture.history.entries.filter { $0.hasPrefix("note") || $0.hasPrefix("alert") } }

  /// Returns the photos A, B and C of a folder, with stars as in their sidecars.
  private static func folder(stars: [Int?] = [nil, nil, nil]) -> PhotoSnapshot {
    .all(
      zip(["A", "B", "C"], stars).map { name, stars in
        var metadata = PhotoMetadata()
        metadata.rating = stars
        return photo(name, at: .file(FilePath("/\(name).jpg")), metadata: metadata)
      }
    ).with { $0.isOfFolder = true }
  }

  private var stars: [Int?] { viewModel.rows.map(\.rating.stars) }

  private func answer(_ number: Int, _ stars: Int?, title: String = "step", failures: [String] = []) async throws {
    let ratings = failures.isEmpty ? [FilePath("/A.jpg"): PhotoRating(stars: stars)] : [:]
    try await fixture.ratings.steps.answer(
      number, .success(RatingStep(title: title, ratings: ratings, failures: failures)))
    try await end(of: viewModel.ratings.working)
  }

  @Test func aRatingShowsBeforeItIsKeptAndUntilTheSourceHasReadIt() async throws {
    try await fixture.load(Self.folder())
    viewModel.rate(.stars(4), orRow: 0)
    #expect(stars == [4, nil, nil])
    #expect(history == ["note ★★★★: A"])
    try await answer(0, 4)
    #expect(await fixture.ratings.steps.requests == ["★★★★ for [\"/A.jpg\"]"])
    // The source has not seen the sidecar yet, then it has, and then another program changes it.
    try await fixture.give(Self.folder())
    #expect(stars == [4, nil, nil])
    try await fixture.give(Self.folder(stars: [4, nil, nil]))
    #expect(stars == [4, nil, nil])
    try await fixture.give(Self.folder(stars: [2, nil, nil]))
    #expect(stars == [2, nil, nil])
  }

  @Test func theMarkedPhotosAreRatedInOneStep() async throws {
    try await fixture.load(Self.folder())
    viewModel.marks.toggle(row: 0, in: viewModel.rows)
    viewModel.marks.toggle(row: 2, in: viewModel.rows)
    viewModel.rate(.stars(PhotoRating.rejected), orRow: 1)
    #expect(stars == [-1, nil, -1])
    #expect(history == ["note Rejected: 2 photos"])
    try await fixture.ratings.steps.waitUntilAsked(1)
    #expect(await fixture.ratings.steps.requests == ["Rejected for [\"/A.jpg\", \"/C.jpg\"]"])
  }

  @Test func changesAreKeptInTheOrderOfTheKeys() async throws {
    try await fixture.load(Self.folder())
    viewModel.rate(.stars(1), orRow: 0)
    viewModel.rate(.stars(5), orRow: 0)
    try await fixture.ratings.steps.waitUntilAsked(1)
    #expect(await fixture.ratings.steps.requests == ["★ for [\"/A.jpg\"]"])
    try await fixture.ratings.steps.answer(0, .success(RatingStep(title: "", ratings: ["/A.jpg": .init(stars: 1)])))
    try await fixture.ratings.steps.waitUntilAsked(2)
    #expect(stars == [5, nil, nil], "the answer to the first key must not replace the second")
    try await answer(1, 5)
    #expect(stars == [5, nil, nil])
  }

  @Test func aStepIsUndoneAndRedone() async throws {
    try await fixture.load(Self.folder(stars: [2, nil, nil]))
    viewModel.rate(.stars(4), orRow: 0)
    try await answer(0, 4)
    ratings.undo()
    try await answer(1, 2, title: "★★★★: A")
    #expect(stars == [2, nil, nil])
    ratings.redo()
    try await answer(2, 4, title: "★★★★: A")
    #expect(stars == [4, nil, nil])
    ratings.undo()
    try await fixture.ratings.steps.answer(3, .success(nil))
    try await end(of: viewModel.ratings.working)
    #expect(
      history == ["note ★★★★: A", "note Undone: ★★★★: A", "note Redone: ★★★★: A", "note There is nothing to undo."])
  }

  /// Without a value in the sidecar, the photo's own counts.
  @Test func anUndoneFirstRatingLeavesTheSourcesOwn() async throws {
    try await fixture.load(Self.folder(stars: [3, nil, nil]))
    viewModel.rate(.stars(5), orRow: 0)
    try await answer(0, 5)
    ratings.undo()
    try await answer(1, nil)
    #expect(stars == [3, nil, nil])
  }

  @Test func theSameFailureIsReportedOnce() async throws {
    try await fixture.load(Self.folder())
    for number in 0...1 {
      viewModel.rate(.stars(number), orRow: 0)
      try await answer(number, nil, failures: ["The folder is read-only."])
    }
    #expect(history == ["note No stars: A", "alert Can't keep the rating: The folder is read-only.", "note ★: A"])
  }

  @Test func aStepThatCannotBeUndoneIsNotNoted() async throws {
    try await fixture.load(Self.folder())
    ratings.undo()
    try await answer(0, nil, failures: ["The disk is full."])
    #expect(history == ["alert Can't keep the rating: The disk is full."])
  }

  @Test func photosOfACatalogAreNotRated() async throws {
    try await fixture.load(.all("A"))
    viewModel.rate(.stars(4), orRow: 0)
    #expect(viewModel.rows[0].ratings == nil && viewModel.rows[0].rating.stars == nil)
    #expect(history.isEmpty)
  }

  @Test func labelsAndStarsAreIndependent() async throws {
    try await fixture.load(Self.folder(stars: [2, nil, nil]))
    viewModel.rate(.label("Red"), orRow: 0)
    #expect(viewModel.rows[0].rating == PhotoRating(stars: 2, label: "Red"))
    #expect(viewModel.rows[0].detail.fields.contains(PhotoDetail.Field("Label", "Red")))
    viewModel.rate(.label(nil), orRow: 0)
    #expect(viewModel.rows[0].rating == PhotoRating(stars: 2))
  }

  @Test func autoAdvanceIsToggled() {
    #expect(ratings.advances)
    ratings.toggleAdvance()
    #expect(!ratings.advances)
    #expect(history == ["note The photo stays after a rating."])
  }
}
