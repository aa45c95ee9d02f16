import Gallery
import Services
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct SavedSearchesTests {
  private let service = HeldSearchService()
  private let history = History()
  private let searches: SavedSearches
  private let subscription: Subscription

  init() {
    let searches = SavedSearches(service: service)
    self.searches = searches
    subscription = searches.$all.bind { [history] in history.add($0.map(\.name).joined(separator: " ")) }
    searches.onAlert = { [history] in history.add("alert \($0.message)") }
  }

  private func search(_ name: String) -> SavedSearch { SavedSearch(name: name, query: "rating:5") }

  @Test func changesAreMadeInTheOrderOfTheKeys() async throws {
    searches.load()
    searches.save(search("b"))
    searches.remove(search("a"))
    try await service.work.waitUntilAsked(1)
    #expect(await service.work.requests == ["searches"])
    try await service.work.answer(0, .success([search("a")]))
    try await service.work.answer(1, .success([search("b"), search("a"), search("C")]))
    try await service.work.answer(2, .success([search("b")]))
    await searches.settle()
    #expect(await service.work.requests == ["searches", "save b rating:5", "remove a"])
    // The names are sorted without regard to case.
    #expect(history.entries == ["", "a", "a b C", "b"])
  }

  @Test func aChangeThatIsNotStoredAlerts() async throws {
    let error = APIError.notKept(path: "/s", .full)
    searches.save(search("a"))
    try await service.work.answer(0, .failure(error))
    await searches.settle()
    #expect(history.entries == ["", "alert \(error.message)"])
  }
}

final class HeldSearchService: SavedSearchServiceProtocol {
  let work = Held<String, [SavedSearch]>()

  func searches() async throws(APIError) -> [SavedSearch] { try await work.ask("searches") }
  func save(_ search: SavedSearch) async throws(APIError) -> [SavedSearch] {
    try await work.ask("save \(search.name) \(search.query)")
  }
  func removeSearch(named name: String) async throws(APIError) -> [SavedSearch] { try await work.ask("remove \(name)") }
}
