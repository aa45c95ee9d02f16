import Gallery
import Services
import WorkerPool

/// The view model of the collections of photos.
@MainActor
public final class PhotoCollections {
  /// The collections in the order of their names.
  @Published public private(set) var all: [PhotoCollection] = []
  /// Called with the reason why a collection could not be read or changed.
  public var onAlert: (Alert) -> Void = { _ in }

  private let service: any CollectionServiceProtocol
  private var watching: Task<Void, Never>?
  /// The last request. Each request waits for the one before.
  private(set) var work: Task<Void, Never>?

  /// Creates an empty list. Call ``load()`` to read the collections.
  public init(service: any CollectionServiceProtocol) { self.service = service }

  deinit { watching?.cancel() }

  /// Reads the collections, and again after each change.
  public func load() {
    enqueue {}
    guard watching == nil else { return }
    watching = Task.onMainActor { [weak self, changes = service.changes()] in
      for await _ in changes { self?.enqueue {} }
    }
  }

  /// Returns the collection with a name, in any case of its letters; nil if there is none.
  public func collection(named name: String) -> PhotoCollection? {
    all.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns the files of a collection, or nil if there is none or they can't be read.
  public func files(of collection: String) async -> [FilePath]? {
    let answer = await result { [service] () throws(APIError) in try await service.files(of: collection) }
    switch answer {
    case .success(let files): return files
    case .failure(let error):
      alert(error)
      return nil
    }
  }

  /// Gives a collection another name.
  /// - Parameter onEnd: Called with whether it has that name.
  public func rename(_ collection: String, to name: String, onEnd: @escaping @MainActor (Bool) -> Void) {
    enqueue { [service] () throws(APIError) in
      let isRenamed = try await service.rename(collection, to: name)
      await onEnd(isRenamed)
    }
  }

  /// Deletes a collection.
  /// - Parameter onEnd: Called when it is deleted.
  public func delete(_ collection: String, onEnd: @escaping @MainActor () -> Void) {
    enqueue { [service] () throws(APIError) in
      try await service.delete(collection)
      await onEnd()
    }
  }

  /// Waits until all requests are answered.
  public func settle() async { await work?.value }

  private func enqueue(_ body: @escaping @Sendable () async throws(APIError) -> Void) {
    work = Task.onMainActor { [weak self, service, before = work] in
      await before?.value
      let answer = await result { () throws(APIError) in
        try await body()
        return try await service.collections()
      }
      guard let self else { return }
      switch answer {
      case .success(let collections):
        let sorted = collections.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
        if sorted != all { all = sorted }
      case .failure(let error): alert(error)
      }
    }
  }

  private func alert(_ error: APIError) {
    onAlert(Alert(title: localized("Can't change the collection"), message: error.message))
  }
}
