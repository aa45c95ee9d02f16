import Foundation
import Gallery
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoListReadingTests {
  private let fixture = PhotoListFixture()
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var service: HeldPhotos { fixture.service }
  private var said: [String] { fixture.history.entries }
  private var progress: [String] { fixture.progress.entries }

  @Test func photosAreShownAsTheyAreLoaded() async throws {
    let (first, more) = (PhotoSnapshot.beginning("A"), PhotoSnapshot.beginning("A").adding("B"))
    try await fixture.load(first)
    #expect(viewModel.source.isReading && !viewModel.isLoading)
    try await fixture.give(more)
    try await fixture.give(more.adding("C", isComplete: true))
    #expect(
      said == [
        "loading true", #"reload ["A"]"#, "loading false", #"reload ["A", "B"]"#, #"reload ["A", "B", "C"]"#,
      ])
    #expect(viewModel.state == .loaded && !viewModel.source.isReading)
    #expect(viewModel.source.loadedCount == 3)
    // A source that is still observed reports later changes.
    try await fixture.give(.all("B"))
    #expect(said.last == #"reload ["B"]"#)
  }

  @Test func progressEstimatesTheRemainingTime() async throws {
    func snapshot(_ done: Int, _ total: Int, _ unit: PhotoSnapshot.Progress.Unit) -> PhotoSnapshot {
      .beginning("A").with { $0.progress = .init(done: done, total: total, unit: unit) }
    }
    try await fixture.load(snapshot(100, 20_000, .photos))
    fixture.advance(by: .seconds(1))
    try await fixture.give(snapshot(1100, 20_000, .photos))
    fixture.advance(by: .seconds(39))
    try await fixture.give(snapshot(2100, 20_000, .photos))
    try await fixture.give(.all("A"))
    try await fixture.load(snapshot(3 << 20, 10 << 20, .bytes))
    #expect(viewModel.source.progress?.fraction == 0.3)
    fixture.advance(by: .seconds(2))
    try await fixture.give(snapshot(5 << 20, 10 << 20, .bytes))
    // The file has grown while it was read.
    try await fixture.give(snapshot(11 << 20, 10 << 20, .bytes))
    #expect(viewModel.source.progress?.fraction == 1)
    try await fixture.load(snapshot(64 << 10, 200 << 10, .bytes))
    #expect(
      progress == [
        "100 of 20,000", "1100 of 20,000 · 19 s left", "2100 of 20,000 · 6 min left", "", "3 of 10 MB",
        "5 of 10 MB · 5 s left", "11 of 10 MB · 0 s left", "64 of 200 kB",
      ])
  }

  @Test func photosLoadedBeforeAFailureStay() async throws {
    try await fixture.load(.beginning("A").with { $0.progress = .init(done: 1, total: 2, unit: .photos) })
    service.give(.failure(.noNetwork))
    service.finish()
    try await fixture.progress.wait(for: 2)
    #expect(
      said == [
        "loading true", #"reload ["A"]"#, "loading false", "alert Can't load photos: \(APIError.noNetwork.message)",
      ])
    #expect(viewModel.state == .failed(.noNetwork) && !viewModel.source.isReading)
    #expect(progress == ["1 of 2", ""])
    try await fixture.load(.all("A", "B"))
    #expect(said[4...] == ["loading true", #"reload ["A", "B"]"#, "loading false"])
    #expect(viewModel.state == .loaded)
  }

  @Test func aCanceledFetchKeepsTheLoadedPhotos() async throws {
    try await fixture.load(.beginning("A").with { $0.progress = .init(done: 1, total: 2, unit: .photos) })
    let reading = viewModel.fetching
    viewModel.cancelFetch()
    #expect(viewModel.state == .loaded && !viewModel.source.isReading && viewModel.source.progress == nil)
    try await end(of: reading)
    #expect(!service.give(.all("A", "B")), "the fetch goes on")
    viewModel.cancelFetch()
    #expect(said == ["loading true", #"reload ["A"]"#, "loading false"])
    #expect(progress == ["1 of 2", ""])
  }

  @Test func aReloadWithoutAnswerKeepsTheRows() async throws {
    try await fixture.load(.all("A"))
    viewModel.fetch()
    viewModel.cancelFetch()
    #expect(viewModel.state == .loaded)
    viewModel.fetch()
    service.finish()
    try await fixture.history.wait(for: 7)
    #expect(said[3...] == ["loading true", "loading false", "loading true", "loading false"])
    #expect(viewModel.state == .loaded && viewModel.rows.map(\.name) == ["A"])
  }

  @Test func theSourceStatusIsReadyToShow() async throws {
    try await fixture.load(
      .all("A").with {
        $0.keptSince = Date(timeIntervalSince1970: 1_509_933_600)
        $0.totalItems = 12
        for number in 1...1001 {
          $0.problems.append(CatalogProblem(.text(line: number, column: 2, row: nil), .duplicate("bad\u{1B}")))
        }
      })
    #expect(viewModel.source.cachedSince == "2017-11-05 21:00")
    #expect((viewModel.source.loadedCount, viewModel.source.totalCount) == (1, 12))
    let (count, lines) = (viewModel.source.problemCount, viewModel.source.problems.map(\.text))
    #expect((count, lines.count) == (1001, 1000))
    #expect(lines[0] == "line 1, column 2: bad\u{FFFD} is repeated; the last one wins" && !lines[0].contains("\u{1B}"))
    try await fixture.load(.all("A"))
    #expect(viewModel.source.cachedSince == nil && viewModel.source.problemCount == 0)
  }
}
