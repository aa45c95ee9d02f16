import Gallery
import Services
import WorkerPool

/// The view model of the searches that the user has given names.
@MainActor
public final class SavedSearches {
  /// The searches in the order of their names.
  @Published public private(set) var all: [SavedSearch] = []
  /// Called with the reason why a change was not stored.
  public var onAlert: (Alert) -> Void = { _ in }

  private let service: any SavedSearchServiceProtocol
  /// The last request. Each request waits for the one before, so that changes keep the order of the keys.
  private(set) var work: Task<Void, Never>?
  /// The number of requests that have no answer yet.
  private var waiting = 0

  /// Creates an empty list. Call ``load()`` to read the searches.
  public init(service: any SavedSearchServiceProtocol) { self.service = service }

  /// Whether a request has no answer yet, so that ``all`` is about to change.
  public var isChanging: Bool { waiting > 0 }

  /// Reads the stored searches.
  public func load() {
    enqueue { [service] () throws(APIError) in try await service.searches() }
  }

  /// Adds a search, or replaces the one with the same name.
  ///
  /// - Parameter onSuccess: Called when the change is stored.
  public func save(_ search: SavedSearch, onSuccess: @escaping @MainActor () -> Void = {}) {
    enqueue(onSuccess) { [service] () throws(APIError) in try await service.save(search) }
  }

  /// Removes a search.
  ///
  /// - Parameter onSuccess: Called when the change is stored.
  public func remove(_ search: SavedSearch, onSuccess: @escaping @MainActor () -> Void = {}) {
    enqueue(onSuccess) { [service] () throws(APIError) in try await service.removeSearch(named: search.name) }
  }

  /// Waits until all changes are stored or have failed.
  public func settle() async { await work?.value }

  private func enqueue(
    _ onSuccess: @escaping @MainActor () -> Void = {},
    _ body: @escaping @Sendable () async throws(APIError) -> [SavedSearch]
  ) {
    waiting += 1
    work = Task.onMainActor { [self, before = work] in
      await before?.value
      let answer = await result(body)
      waiting -= 1
      switch answer {
      case .success(let searches):
        all = searches.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
        onSuccess()
      case .failure(let error): onAlert(Alert(title: localized("Saved searches"), message: error.message))
      }
    }
  }
}
