import Gallery
import Services
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct PrintsViewModelTests {
  private let service = HeldPrintService()
  private let clock = ManualClock()
  private let history = History()
  private let room: Room

  init() {
    room = Room(service: service, clock: clock, history: history)
  }

  @Test func bindingLoadsTheFirstPage() async throws {
    try await service.pages.answer(0, .success(page(1, of: 2, ids: 1, 2)))
    try await history.wait(for: 7)
    #expect(
      history.entries == [
        "loading true", "rows []", "page -", "end false",
        "rows [1, 2]", "page 1 of 2", "loading false",
      ])
    #expect(await service.pages.requests == [1])
  }

  @Test func pagesAreAppendedUntilTheLastOne() async throws {
    try await loadFirstPage(of: 2)
    try await askForNextPage(at: .milliseconds(300))
    try await service.pages.answer(1, .success(page(2, of: 2, ids: 2, 3)))
    try await history.wait(for: 12)
    // The second page repeats print 2, which is listed once.
    #expect(
      history.entries[7...] == ["loading true", "rows [1, 2, 3]", "page 2 of 2", "end true", "loading false"])
    #expect(room.viewModel.begin(.nextPage) == nil)
    room.reload.send()
    try await service.pages.answer(2, .success(page(1, of: 2, ids: 9)))
    try await history.wait(for: 17)
    #expect(history.entries[12...] == ["loading true", "rows [9]", "page 1 of 2", "end false", "loading false"])
    #expect(await service.pages.requests == [1, 2, 1])
  }

  /// A service may have fewer pages than it says.
  @Test func anEmptyPageIsTheLastOne() async throws {
    try await loadFirstPage(of: 9)
    try await askForNextPage(at: .milliseconds(300))
    try await service.pages.answer(1, .success(Page(items: [], number: 2, totalPages: 9)))
    try await history.wait(for: 11)
    #expect(
      history.entries[7...] == ["loading true", "rows [1, 2]", "page 2 of 9", "end true", "loading false"])
  }

  @Test func repeatedRequestsForAPageCountOnce() async throws {
    try await loadFirstPage(of: 3)
    for pause in [0, 50, 50, 100] {
      clock.advance(by: .milliseconds(pause))
      room.nextPage.send()
      // The first request began the pause. A key that is held down doesn't put it off.
      try await clock.wait(forSleepUntil: .milliseconds(300))
    }
    clock.advance(by: .milliseconds(99))
    #expect(await service.pages.requests == [1])
    clock.advance(by: .milliseconds(1))
    try await service.pages.answer(1, .success(page(2, of: 3, ids: 3)))
    try await history.wait(for: 11)
    #expect(history.entries[7...] == ["loading true", "rows [1, 2, 3]", "page 2 of 3", "loading false"])
    #expect(await service.pages.requests == [1, 2])
  }

  @Test func aReloadReplacesAPageInProgress() async throws {
    try await loadFirstPage(of: 3)
    try await askForNextPage(at: .milliseconds(300))
    try await service.pages.waitUntilAsked(2)
    room.reload.send()
    try await service.pages.waitUntilAsked(3)
    try await service.pages.answer(1, .success(page(2, of: 3, ids: 3, 4)))
    try await service.pages.answer(2, .success(page(1, of: 3, ids: 5)))
    try await history.wait(for: 11)
    #expect(history.entries[7...] == ["loading true", "rows [5]", "page 1 of 3", "loading false"])
  }

  @Test func theNewestReloadWins() async throws {
    try await service.pages.waitUntilAsked(1)
    room.reload.send()
    try await service.pages.waitUntilAsked(2)
    try await service.pages.answer(1, .success(page(1, of: 1, ids: 2)))
    try await history.wait(for: 8)
    try await service.pages.answer(0, .success(page(1, of: 1, ids: 1)))
    room.reload.send()
    try await service.pages.answer(2, .failure(.noNetwork))
    try await history.wait(for: 11)
    #expect(
      history.entries[4...] == [
        "rows [2]", "page 1 of 1", "end true", "loading false",
        "loading true", "alert \(APIError.noNetwork.message)", "loading false",
      ])
  }

  @Test func anAnswerToAnEarlierRequestChangesNothing() async throws {
    try await service.pages.waitUntilAsked(1)
    let old = try #require(room.viewModel.begin(.reload))
    let new = try #require(room.viewModel.begin(.reload))
    room.viewModel.receive(PrintsViewModel.Answer(request: old, page: .success(page(1, of: 2, ids: 1))))
    room.viewModel.receive(PrintsViewModel.Answer(request: new, page: .success(page(1, of: 2, ids: 2))))
    #expect(history.entries[4...] == ["rows [2]", "page 1 of 2", "loading false"])
  }

  @Test func noPageIsRequestedDuringARequest() async throws {
    try await service.pages.waitUntilAsked(1)
    #expect(room.viewModel.begin(.nextPage) == nil)
    try await loadFirstPage(of: 2)
    #expect(room.viewModel.begin(.nextPage)?.page == 2)
    #expect(room.viewModel.begin(.nextPage) == nil)
    #expect(room.viewModel.begin(.reload)?.page == 1)
  }

  @Test func aPageThatFailsAlertsAndCanBeRequestedAgain() async throws {
    try await loadFirstPage(of: 2)
    try await askForNextPage(at: .milliseconds(300))
    try await service.pages.answer(1, .failure(.serverOverload))
    try await history.wait(for: 10)
    #expect(history.entries[7...] == ["loading true", "alert \(APIError.serverOverload.message)", "loading false"])
    try await askForNextPage(at: .milliseconds(600))
    try await service.pages.answer(2, .success(page(2, of: 2, ids: 3)))
    try await history.wait(for: 15)
    #expect(
      history.entries[10...] == ["loading true", "rows [1, 2, 3]", "page 2 of 2", "end true", "loading false"])
    #expect(await service.pages.requests == [1, 2, 2])
  }

  @Test func rowsAreReadyToShowAndOpenWhenPressed() async throws {
    try await service.pages.answer(0, .success(Page(items: [print(7, left: 0), print(8, left: 3)])))
    try await history.wait(for: 8)
    let rows = room.output.rows.value
    #expect(rows.map(\.left) == ["Sold out", "3 left"])
    #expect([rows[1].title, rows[1].price, rows[1].size, rows[1].paper] == ["P8", "24.00 EUR", "20 × 30 cm", "matte"])
    rows[1].press()
    #expect(history.entries[8...] == ["open P8"])
    #expect(PhotoDetail(rows[1].print).fields.map(\.value) == ["24.00 EUR", "20 × 30 cm", "matte", "3 left"])
  }

  @Test func aViewModelCanBeReleasedDuringARequest() async throws {
    var viewModel: PrintsViewModel? = PrintsViewModel(
      service: service, basket: BasketViewModel(service: HeldBasketService()), clock: clock)
    weak let weakly = viewModel
    let output = viewModel?.transform(PrintsViewModel.Input(reload: Subject(), nextPage: Subject()))
    try await service.pages.waitUntilAsked(2)
    viewModel = nil
    #expect(weakly == nil)
    #expect(output?.isLoading.value == true)
  }

  private func loadFirstPage(of total: Int) async throws {
    try await service.pages.answer(0, .success(page(1, of: total, ids: 1, 2)))
    try await history.wait(for: 7)
  }

  /// Requests the next page, and advances the clock by 0.3 s.
  ///
  /// - Parameter end: The time at which the debounce ends.
  private func askForNextPage(at end: Duration) async throws {
    room.nextPage.send()
    try await clock.wait(forSleepUntil: end)
    clock.advance(by: .milliseconds(300))
  }

  private func page(_ number: Int, of total: Int, ids: Int...) -> Page<Print> {
    Page(items: ids.map { print($0, left: 1) }, number: number, totalPages: total)
  }
}

/// The room, bound as its screen binds it.
@MainActor
private final class Room {
  let reload = Subject<Void>()
  let nextPage = Subject<Void>()
  let output: PrintsViewModel.Output
  let viewModel: PrintsViewModel
  private let subscriptions: [Subscription]

  init(service: HeldPrintService, clock: ManualClock, history: History) {
    viewModel = PrintsViewModel(
      service: service, basket: BasketViewModel(service: HeldBasketService()), clock: clock)
    output = viewModel.transform(PrintsViewModel.Input(reload: reload, nextPage: nextPage))
    subscriptions = [
      output.isLoading.bind { history.add("loading \($0)") },
      output.rows.bind { history.add("rows \($0.map(\.print.id))") },
      output.page.bind { history.add("page \($0.map { "\($0.number) of \($0.totalPages)" } ?? "-")") },
      output.isAtEnd.bind { history.add("end \($0)") },
      output.alerts.bind { history.add("alert \($0.message)") },
      output.opened.bind { history.add("open \($0.title)") },
    ]
  }
}

private final class HeldPrintService: PrintServiceProtocol {
  let pages = Held<Int, Page<Print>>()

  func fetchPrints(page: Int) async throws(APIError) -> Page<Print> { try await pages.ask(page) }
}
