import Gallery
import Services
import TestLimit
import Testing
import ViewModels

/// The cases of the article about pages: two triggers go in, and pages and states come out.
@MainActor
@Suite(.limited) struct PagesTests {
  private let mockPrintService = MockPrintService()
  private let clock = HeldClock()
  private let reload = Subject<Void>()
  private let nextPage = Subject<Void>()
  private let viewModel: PrintsViewModel
  private let output: PrintsViewModel.Output
  /// The values of the outputs, in their order.
  private let seen = Recorder<String>()
  private let subscriptions: [Subscription]

  init() {
    viewModel = PrintsViewModel(
      service: mockPrintService, basket: BasketViewModel(service: EmptyBasket()), clock: clock)
    output = viewModel.transform(PrintsViewModel.Input(reload: reload, nextPage: nextPage))
    subscriptions = [
      output.rows.bind { [seen] in seen.add("rows \($0.map(\.title))") },
      output.isLoading.bind { [seen] in seen.add("loading \($0)") },
      output.alerts.bind { [seen] in seen.add("alert \($0.title): \($0.message)") },
    ]
  }

  @Test func theFirstPageLoadsByItself() async throws {
    try await loadFirstPage(of: 2)
    #expect(seen.entries == ["rows []", "loading true", #"rows ["Fog", "Moss"]"#, "loading false"])
    #expect(output.page.value?.text == "Page 1 of 2")
    #expect(mockPrintService.pages.requests == [1])
  }

  @Test func theNextPageIsAddedToTheRows() async throws {
    try await loadFirstPage(of: 2)
    nextPage.send()
    try await clock.endSleeps(1)
    try await mockPrintService.pages.answer(.success(page(2, of: 2, "Dune")))
    try await seen.wait(for: 7)
    #expect(seen.entries[4...] == ["loading true", #"rows ["Fog", "Moss", "Dune"]"#, "loading false"])
    #expect(output.isAtEnd.value)
  }

  @Test func aHeldKeyAsksForTheNextPageOnce() async throws {
    try await loadFirstPage(of: 3)
    for _ in 1...5 { nextPage.send() }
    try await clock.endSleeps(1)
    try await mockPrintService.pages.answer(.success(page(2, of: 3, "Dune")))
    try await seen.wait(for: 7)
    #expect(mockPrintService.pages.requests == [1, 2])
  }

  @Test func aReloadReplacesTheRequestBefore() async throws {
    try await mockPrintService.pages.wait(for: 1)
    reload.send()
    try await mockPrintService.pages.wait(for: 2)
    try await mockPrintService.pages.answer(.success(page(1, of: 1, "Old")))
    try await mockPrintService.pages.answer(.success(page(1, of: 1, "New")))
    try await seen.wait(for: 4)
    #expect(seen.entries[2...] == [#"rows ["New"]"#, "loading false"])
  }

  @Test func aFailedPageShowsAnErrorAndKeepsTheRows() async throws {
    try await loadFirstPage(of: 2)
    reload.send()
    try await mockPrintService.pages.answer(.failure(.noNetwork))
    try await seen.wait(for: 7)
    #expect(
      seen.entries[4...] == [
        "loading true", "alert Can't load prints: \(APIError.noNetwork.message)", "loading false",
      ])
    #expect(output.rows.value.map(\.title) == ["Fog", "Moss"])
  }

  @Test func aPressedPrintIsOpened() async throws {
    let opened = Recorder<String>()
    let subscription = output.opened.bind { opened.add($0.title) }
    try await loadFirstPage(of: 1)
    output.rows.value[1].press()
    #expect(opened.entries == ["Moss"])
    withExtendedLifetime(subscription) {}
  }

  private func loadFirstPage(of total: Int) async throws {
    try await mockPrintService.pages.answer(.success(page(1, of: total, "Fog", "Moss")))
    try await seen.wait(for: 4)
  }

  private func page(_ number: Int, of total: Int, _ titles: String...) -> Page<Print> {
    let prints = titles.map { title in
      Print(
        id: title.hashValue, title: title, image: .file("/\(title).jpg"),
        price: Money(minorUnits: 2400, currency: "EUR"), size: "20 × 30 cm", paper: "matte", left: 1)
    }
    return Page(items: prints, number: number, totalPages: total)
  }
}

@MainActor
private final class MockPrintService: PrintServiceProtocol {
  let pages = HeldRequests<Int, Page<Print>>()

  func fetchPrints(page: Int) async throws(APIError) -> Page<Print> { try await pages.ask(page) }
}

private struct EmptyBasket: BasketServiceProtocol {
  func basket() async throws(APIError) -> Basket { Basket() }
  func put(_: Print) async throws(APIError) -> Basket? { nil }
  func takeOut(_: Print.ID) async throws(APIError) -> Basket { Basket() }
}
