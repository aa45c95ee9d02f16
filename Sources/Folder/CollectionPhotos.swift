import Gallery
import Photos
import Services
import WorkerPool

/// A source of the photos in a collection, in its order. Those that are missing are shown by their names.
public struct CollectionPhotos: APIServiceProtocol {
  private let collection: String
  private let service: any CollectionServiceProtocol
  private let isWatching: Bool
  private let photos: @Sendable (FolderScope) -> any APIServiceProtocol

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - isWatching: Whether the answers continue with changes of the photos and of the collection.
  ///   - photos: Makes the source of some files.
  public init(
    _ collection: String, service: any CollectionServiceProtocol, isWatching: Bool,
    photos: @escaping @Sendable (FolderScope) -> any APIServiceProtocol
  ) {
    self.collection = collection
    self.service = service
    self.isWatching = isWatching
    self.photos = photos
  }

  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: WorkerPool.shared) {
        let changes = isWatching ? service.changes() : AsyncStream(unfolding: { nil })
        var reading: Task<Void, Never>?
        var files: [FilePath]?
        var next = changes.makeAsyncIterator()
        repeat {
          do throws(APIError) {
            // One that is deleted is empty until it comes back, whether the user looks at it or not.
            guard let new = try await service.files(of: collection) ?? files.map({ _ in [] }) else {
              throw .noCollection(collection)
            }
            if new == files { continue }
            reading?.cancel()
            await reading?.value
            reading = read(new, isAgain: files != nil, continuation)
            files = new
          } catch {
            files = nil
            continuation.yield(.failure(error))
          }
        } while await next.next() != nil && !Task.isCancelled
        // Without changes to wait for, the answers end with the photos.
        await withTaskCancellationHandler { [reading] in
          await reading?.value
        } onCancel: { [reading] in
          reading?.cancel()
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Reads files.
  /// - Parameter isAgain: Whether there are photos already, which stay until all are known, so that the highlight stays.
  private func read(
    _ files: [FilePath], isAgain: Bool, _ continuation: PhotoStream.Continuation
  ) -> Task<Void, Never> {
    Task(executorPreference: WorkerPool.shared) {
      var isShown = !isAgain
      for await answer in photos(FolderScope(collected: files)).fetchPhotos(after: nil) {
        if Task.isCancelled { return }
        isShown = isShown || (try? answer.get().isComplete) ?? true
        guard isShown else { continue }
        continuation.yield(
          answer.map { snapshot in
            var snapshot = snapshot
            // Stacks and the sections of folders would change the order.
            snapshot.capabilities.subtract([.stacking, .folders])
            return snapshot
          })
      }
    }
  }
}
