import Foundation
import Gallery
import Photos
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoListViewModelTests {
  private let service = HeldPhotos()
  private let history = History()

  private func makeViewModel() -> PhotoListViewModel {
    let viewModel = PhotoListViewModel(
      service: service, calendar: LocalClock { _ in -5 * 3600 })
    viewModel.onReload = { [unowned viewModel, history] in history.add("reload \(viewModel.rows.map(\.name))") }
    viewModel.onAlert = { [history] in history.add("alert \($0.title): \($0.message)") }
    viewModel.onLoading = { [history] in history.add("loading \($0)") }
    viewModel.onOpen = { [history] in history.add("open \($0.name)") }
    return viewModel
  }

  @Test func aFetchReportsLoadingThenRows() async throws {
    let viewModel = makeViewModel()
    #expect(viewModel.state == .idle)
    viewModel.fetch()
    #expect(viewModel.isLoading)
    service.give(.all("A", "B"), to: 0)
    try await history.wait(for: 3)
    #expect(history.entries == ["loading true", "reload [\"A\", \"B\"]", "loading false"])
    #expect(viewModel.state == .loaded)
    #expect(viewModel.source.totalCount == 2)
  }

  /// A catalog gives each photo a date. A folder has only that of the file, if the photo has none.
  @Test(arguments: [SourceCapabilities(), .folder])
  func aPhotoOfAFolderIsNotDatedByItsFile(capabilities: SourceCapabilities) async throws {
    let viewModel = makeViewModel()
    viewModel.fetch()
    service.give(PhotoSnapshot.all("A").with { $0.capabilities = capabilities }, to: 0)
    try await history.wait(for: 3)
    let labels = viewModel.rows[0].detail.fields.map(\.label)
    #expect(labels.contains("Date") == (capabilities != .folder))
  }

  @Test func aSecondFetchIsNotStartedWhileOneRuns() async throws {
    let viewModel = makeViewModel()
    viewModel.fetch()
    viewModel.fetch()
    service.give(.all("A"), to: 0)
    try await history.wait(for: 3)
    #expect(service.asked == ["first"])
    #expect(history.entries == ["loading true", "reload [\"A\"]", "loading false"])
  }

  @Test(arguments: [
    APIError.noNetwork, .serverOverload, .permissionDenied(), .unreadableContent(source: "a", .folder),
  ])
  func aFailedFetchAlertsKeepsTheRowsAndCanBeRetried(error: APIError) async throws {
    let viewModel = makeViewModel()
    viewModel.fetch()
    service.give(.all("A"), to: 0)
    try await history.wait(for: 3)
    viewModel.fetch()
    service.give(.failure(error), to: 1)
    try await history.wait(for: 6)
    #expect(history.entries[3...] == ["loading true", "loading false", "alert Can't load photos: \(error.message)"])
    #expect(viewModel.rows.map(\.name) == ["A"])
    #expect(viewModel.state == .failed(error))
    viewModel.fetch()
    service.give(.all("B"), to: 2)
    try await history.wait(for: 9)
    #expect(history.entries[6...] == ["loading true", "reload [\"B\"]", "loading false"])
  }

  @Test func anAnswerToACanceledFetchChangesNothing() async throws {
    let viewModel = makeViewModel()
    viewModel.fetch()
    let canceled = viewModel.fetching
    viewModel.cancelFetch()
    #expect(viewModel.state == .idle)
    viewModel.fetch()
    service.give(.all("new"), to: 1)
    try await history.wait(for: 5)
    service.give(.all("old"), to: 0)
    try await end(of: canceled)
    #expect(
      history.entries == [
        "loading true", "loading false", "loading true", "reload [\"new\"]", "loading false",
      ])
    #expect(viewModel.rows.map(\.name) == ["new"])
  }

  @Test func aViewModelCanBeReleasedDuringAFetch() async throws {
    var viewModel: PhotoListViewModel? = makeViewModel()
    weak let weakly = viewModel
    viewModel?.fetch()
    let fetching = viewModel?.fetching
    viewModel = nil
    #expect(weakly == nil)
    service.give(.all("A"), to: 0)
    try await end(of: fetching)
    #expect(history.entries == ["loading true"])
  }

  @Test func pressingAPhotoForSaleSelectsAndOpensIt() async throws {
    let viewModel = try await loaded([photo("A", isForSale: false), photo("B", isForSale: true)])
    viewModel.rows[1].press()
    #expect(history.entries[3...] == ["open B"])
    #expect(viewModel.selectedPhoto?.name == "B")
  }

  @Test func pressingAPhotoNotForSaleSelectsNothingAndAlerts() async throws {
    let viewModel = try await loaded([photo("A", isForSale: false), photo("B", isForSale: true)])
    viewModel.rows[1].press()
    viewModel.rows[0].press()
    #expect(history.entries[3...] == ["open B", "alert Alert: This item is not for sale"])
    #expect(viewModel.selectedPhoto == nil)
  }

  @Test func aPhotoThatMayBeForSaleIsOpened() async throws {
    let viewModel = try await loaded([photo("A", isForSale: nil)])
    viewModel.rows[0].press()
    #expect(history.entries[3...] == ["open A"])
    #expect(viewModel.rows[0].saleBadge == nil)
  }

  @Test func viewingOpensAPhotoThatIsNotForSale() async throws {
    let viewModel = try await loaded([photo("A", isForSale: false)])
    viewModel.rows[0].view()
    #expect(history.entries[3...] == ["open A"])
    #expect(viewModel.selectedPhoto == nil)
  }

  private func loaded(_ photos: [Photo]) async throws -> PhotoListViewModel {
    let viewModel = makeViewModel()
    viewModel.fetch()
    service.give(.all(photos))
    try await history.wait(for: 3)
    return viewModel
  }
}
