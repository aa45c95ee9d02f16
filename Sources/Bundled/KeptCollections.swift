import Foundation
import Gallery
import Services
import Store
import Synchronization

/// The collections, saved in the store. Their changes are reported to the sources that show them.
public final class KeptCollections: CollectionServiceProtocol {
  private let store: StateStore
  private let watchers = Mutex<[UUID: AsyncStream<Void>.Continuation]>([:])

  /// Creates the collections of a store.
  public init(store: StateStore) { self.store = store }

  public func collections() async throws(APIError) -> [PhotoCollection] { try await store.collections() }

  public func files(of collection: String) async throws(APIError) -> [FilePath]? {
    try await store.files(ofCollection: collection)
  }

  public func make(_ edit: CollectionEdit) async throws(APIError) {
    try await store.make(edit)
    report()
  }

  public func rename(_ collection: String, to name: String) async throws(APIError) -> Bool {
    try await store.renameCollection(collection, to: name)
  }

  public func delete(_ collection: String) async throws(APIError) {
    try await store.deleteCollection(collection)
    report()
  }

  public func follow(_ moves: [MovedFile]) async throws(APIError) {
    if !moves.isEmpty, try await store.follow(moves) { report() }
  }

  public func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = UUID()
      watchers.withLock { $0[id] = continuation }
      continuation.onTermination = { [weak self] _ in _ = self?.watchers.withLock { $0.removeValue(forKey: id) } }
    }
  }

  private func report() {
    for watcher in watchers.withLock({ Array($0.values) }) { watcher.yield() }
  }
}
