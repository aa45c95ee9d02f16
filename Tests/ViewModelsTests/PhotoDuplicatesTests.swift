import Gallery
import Services
import Synchronization
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

/// The search for duplicates in the list, and the key that keeps the best of a group.
@MainActor @Suite(.limited) struct PhotoDuplicatesTests {
  private let service = FakeAppraisals()
  private let fixture: PhotoListFixture
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var choosing: PhotoChoosingViewModel { fixture.choosing }

  private static let files = [
    DuplicateFile(name: "a.webp", picture: 1, size: 90_000, pixels: (300, 200), time: nil),
    DuplicateFile(name: "b.jpg", picture: 2, time: 7), DuplicateFile(name: "c.jpg", picture: 3, bytes: "c", time: 8),
    DuplicateFile(name: "d.jpg", picture: 1, size: 300_000),
    DuplicateFile(name: "e.jpg", picture: 3, bytes: "c", time: 8), DuplicateFile(name: "f.jpg", picture: 1, time: nil),
  ]

  init() { fixture = PhotoListFixture(appraisals: service) }

  private func find(_ text: String = "is:duplicate") async throws {
    try await fixture.load(service.folder(Self.files))
    viewModel.search.find(text)
    try await settle()
  }

  private func settle() async throws {
    try await end(of: choosing.duplicates.finding)
    try await end(of: viewModel.search.running)
  }

  private var rows: [String] { viewModel.rows.map { row in row.stack.map { "\(row.name) \($0.text)" } ?? row.name } }

  /// The number of photos that were looked at, but for the sharpness of stacks.
  private var lookCount: Int { service.asked.count { !$0.hasSuffix("sharpness") } }

  private var notes: [String] { fixture.history.entries.filter { $0.hasPrefix("note ") } }

  @Test func groupsAreTogetherTheBestFirst() async throws {
    try await find()
    #expect(rows == ["d.jpg 1/3", "f.jpg 2/3", "a.webp 3/3", "c.jpg 1/2", "e.jpg 2/2"])
    #expect(viewModel.search.matchCount == 5)
    #expect(
      viewModel.rows.map(\.subtitle) == [
        "Best · 600×400 · JPEG · 300 kB", "600×400 · JPEG · 1 kB · no metadata",
        "300×200 · WebP · 90 kB · no metadata", "Best", "Same bytes",
      ])
  }

  @Test func otherWordsAndOrdersStillCount() async throws {
    try await find("is:duplicate jpg")
    // A group is at the place of the first photo that is found.
    #expect(rows == ["c.jpg 1/2", "e.jpg 2/2", "d.jpg 1/2", "f.jpg 2/2"])
    viewModel.search.find("-is:duplicate")
    try await settle()
    #expect(rows == ["b.jpg"])
  }

  /// Photos are looked at only for a search that asks for it, and again only if the source has others.
  @Test func photosAreLookedAtOnlyIfASearchAsks() async throws {
    try await fixture.load(service.folder(Self.files))
    viewModel.search.find("jpg")
    try await settle()
    try await end(of: choosing.stacks.finding)
    let before = lookCount
    viewModel.search.find("is:duplicate")
    #expect(viewModel.search.awaitsDuplicates && rows.count == 5)
    try await settle()
    #expect(!viewModel.search.awaitsDuplicates)
    let after = lookCount
    #expect(after > before)
    viewModel.search.find("")
    viewModel.search.find("is:duplicate")
    try await settle()
    #expect(lookCount == after && rows.count == 5)
    service.set("g.jpg", Self.files[1].appraisal, nil)
    try await fixture.give(
      service.folder(Self.files + [DuplicateFile(name: "g.jpg", picture: 2, time: 7, stars: 3)]))
    try await settle()
    #expect(rows.prefix(2) == ["d.jpg 1/3", "f.jpg 2/3"] && rows.contains("g.jpg 1/2") && rows.contains("b.jpg 2/2"))
  }

  @Test func theKeyRejectsTheOthersInOneStep() async throws {
    try await find()
    #expect(choosing.keepBest(ofRow: 1) == 3)
    #expect(notes == ["note Rejected: 2 photos · kept d.jpg"])
    #expect(viewModel.rows.map(\.decisions.isRejected) == [false, true, true, false, false])
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(fixture.decisions.titles.withLock(\.self) == ["Rejected: 2 photos"])
    #expect(choosing.keepBest(ofRow: 0) == nil)
    #expect(notes.last == "note The other duplicates are rejected already.")
    // The best one is the first that is not rejected.
    choosing.decide(.rating(PhotoDecisions.rejected), about: [viewModel.rows[3].files[0]])
    #expect(choosing.keepBest(ofRow: 3) == nil)
  }

  @Test func outsideOfThatSearchTheKeyDoesNothing() async throws {
    try await fixture.load(service.folder(Self.files))
    #expect(!choosing.isDuplicate(row: 0) && choosing.keepBest(ofRow: 0) == nil && notes.isEmpty)
  }

  @Test func nothingIsFoundWhereImagesAreNotAtHand() async throws {
    try await fixture.load(service.folder(Self.files).with { $0.capabilities = [] })
    viewModel.search.find("is:duplicate")
    try await settle()
    #expect(rows == [] && viewModel.search.matchCount == 0 && service.asked.isEmpty)
  }
}
