import Gallery
import ImageWire

/// Lists archives in a worker process without rights on files, which runs as long as an archive is listed.
@MainActor
public final class ArchiveLister {
  private let workerPath: String?
  private var queue: RenditionQueue?
  private var lastNumber: UInt32 = 0

  /// Creates a lister without starting a process.
  /// - Parameter workerPath: The path of the worker's executable; nil if there is none.
  public init(workerPath: String?) { self.workerPath = workerPath }

  /// Lists photos of an archive for a short time.
  /// - Parameters:
  ///   - path: The absolute path of the archive.
  ///   - start: The number of entries that were read before, which is 0 or the last part's ``ArchiveListing/next``.
  ///   - readsMetadata: Whether metadata are read although that takes longer than listing names.
  public func listing(
    of path: FilePath, from start: Int, readsMetadata: Bool
  ) async -> Result<ArchiveListing, ImageFault> {
    guard let workerPath else { return .failure(.archive(.noLibrary)) }
    let queue = queue ?? RenditionQueue(workerPath: workerPath, workerCount: 1)
    self.queue = queue
    lastNumber = lastNumber % 0xFF_FFFF + 1
    let request = ListingRequest(from: start, readsMetadata: readsMetadata)
    let answer = await queue.render(ImageRequest(number: lastNumber, path: path, job: .list(request)))
    switch answer.content {
    case .listing(let listing):
      // The archive is read on in the process that has read it so far.
      if listing.next == nil { self.queue = nil }
      return .success(listing)
    case .failure(let fault):
      self.queue = nil
      return .failure(fault)
    default: return .failure(.invalidAnswer)
    }
  }
}
