import Foundation
import Gallery
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoListPagesTests {
  private let fixture = PhotoListFixture()
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var service: HeldPhotos { fixture.service }

  /// Returns a snapshot of the first of 300 photos.
  private func page(of count: Int, next: String?) -> PhotoSnapshot {
    PhotoSnapshot.beginning((0..<count).map { photo("P\($0)") }).with {
      ($0.nextPage, $0.isComplete, $0.totalItems) = (next, true, 300)
    }
  }

  @Test func theNextPageIsFetchedOnceNearTheLastRow() async throws {
    try await fixture.load(page(of: 100, next: "two"))
    viewModel.approach(row: 69)
    #expect(service.asked == ["first"] && !viewModel.source.isPaging)
    viewModel.approach(row: 70)
    viewModel.approach(row: 99)
    #expect(service.asked == ["first", "two"] && viewModel.source.isPaging)
    #expect(viewModel.state == .loaded, "the loaded photos can be used")
    // A cached page is shown while the server is asked for a newer one.
    try await fixture.give(page(of: 150, next: nil).with { $0.isComplete = false })
    #expect(viewModel.source.isPaging)
    try await fixture.give(page(of: 200, next: "three"))
    #expect(!viewModel.source.isPaging)
    viewModel.approach(row: 169)
    viewModel.approach(row: 170)
    #expect(service.asked == ["first", "two", "three"])
    try await fixture.give(page(of: 300, next: nil))
    viewModel.approach(row: 299)
    #expect(service.asked == ["first", "two", "three"])
    #expect((viewModel.source.loadedCount, viewModel.source.totalCount) == (300, 300))
    #expect(fixture.history.entries.filter { !$0.hasPrefix("reload") } == ["loading true", "loading false"])
    #expect(fixture.progress.entries == ["", "paging", "paging", "", "paging", ""])
  }

  @Test func aFetchThatIsTriedAgainSaysSo() async throws {
    viewModel.fetch()
    service.give(PhotoSnapshot().with { ($0.isComplete, $0.retriedError) = (false, .serverOverload) })
    try await fixture.progress.wait(for: 1)
    #expect(viewModel.isLoading && viewModel.source.retriedError == .serverOverload)
    #expect(fixture.history.entries == ["loading true"], "the empty answer is not shown")
    try await fixture.give(page(of: 10, next: "two"))
    #expect(viewModel.state == .loaded && viewModel.source.retriedError == nil)
    viewModel.approach(row: 9)
    try await fixture.give(
      page(of: 10, next: "two").with { ($0.isComplete, $0.retriedError) = (false, .serverOverload) })
    #expect(viewModel.source.isPaging && viewModel.source.retriedError == .serverOverload)
    viewModel.cancelFetch()
    #expect(viewModel.source.retriedError == nil)
  }

  @Test func aPageThatFailsAlertsAndCanBeFetchedAgain() async throws {
    try await fixture.load(page(of: 10, next: "two"))
    viewModel.approach(row: 0)
    service.give(.failure(.serverOverload))
    service.finish()
    try await fixture.history.wait(for: 4)
    #expect(fixture.history.entries[3...] == ["alert Can't load photos: \(APIError.serverOverload.message)"])
    #expect(viewModel.state == .loaded && !viewModel.source.isReading)
    viewModel.approach(row: 0)
    #expect(service.asked == ["first", "two", "two"])
    try await fixture.give(page(of: 20, next: nil))
    #expect(viewModel.source.loadedCount == 20)
  }

  @Test func aCanceledPageCanBeFetchedAgain() async throws {
    try await fixture.load(page(of: 10, next: "two"))
    viewModel.approach(row: 0)
    viewModel.cancelFetch()
    #expect(!viewModel.source.isPaging && viewModel.state == .loaded)
    viewModel.approach(row: 0)
    #expect(service.asked == ["first", "two", "two"])
  }

  @Test func noPageIsFetchedDuringASearchOrAFetch() async throws {
    try await fixture.load(page(of: 10, next: "two").with { $0.isComplete = false })
    viewModel.approach(row: 9)
    #expect(service.asked == ["first"])
    try await fixture.give(page(of: 10, next: "two"))
    try await fixture.rows { viewModel.search.find("p1") }
    viewModel.approach(row: 0)
    #expect(service.asked == ["first"])
    try await fixture.rows { viewModel.search.find("") }
    viewModel.approach(row: 9)
    #expect(service.asked == ["first", "two"])
  }

  @Test func aReloadThatReplacesAPageCanFail() async throws {
    try await fixture.load(page(of: 10, next: "two"))
    viewModel.approach(row: 9)
    viewModel.fetch()
    #expect(service.asked == ["first", "two", "first"] && !viewModel.source.isPaging)
    service.give(.failure(.noNetwork))
    try await fixture.history.wait(for: 6)
    #expect(
      fixture.history.entries[3...] == [
        "loading true", "loading false", "alert Can't load photos: \(APIError.noNetwork.message)",
      ])
    #expect(viewModel.state == .failed(.noNetwork))
  }
}
