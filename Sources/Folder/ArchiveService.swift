import Foundation
import Gallery
import Photos
import Services
import Store
import WorkerPool

/// A source of the photos in an archive, which counts as a folder that is never written.
///
/// The first answers contain names only, unless photos have to be unpacked for their names. Metadata follow. No file of an archive
/// is written to the disk, and what is in it cannot change, so there are no further answers.
public struct ArchiveService: APIServiceProtocol {
  /// A function that lists a part of an archive.
  public typealias Reader =
    @Sendable (FilePath, _ start: Int, _ readsMetadata: Bool) async -> Result<
      ArchiveListing, ImageFault
    >

  private let path: FilePath
  private let read: Reader

  /// The least number of new photos, or of photos whose metadata are new, between two answers.
  private static let leastNews = 64

  /// Creates a source.
  /// - Parameters:
  ///   - path: The absolute path of the archive.
  ///   - read: The function that lists a part of it.
  public init(path: FilePath, read: @escaping Reader) {
    self.path = path
    self.read = read
  }

  /// Returns the photos as they are found, in the order of their names, in which numbers count by their value.
  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: WorkerPool.shared) {
        var rows = ArchiveRows(path)
        do throws(APIError) {
          try await load(&rows, continuation)
        } catch {
          continuation.yield(.failure(error))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func load(_ rows: inout ArchiveRows, _ answers: PhotoStream.Continuation) async throws(APIError) {
    for readsMetadata in [false, true] where !readsMetadata || rows.unreadCount > 0 {
      var (start, news): (Int?, Int) = (0, 0)
      while let place = start, !Task.isCancelled {
        let listing = try await part(from: place, readsMetadata, isEmpty: rows.isEmpty)
        if readsMetadata { rows.update(listing) } else { rows.add(listing) }
        start = listing.next
        news += listing.entries.count
        // While names are read, an answer is sent each time the list has doubled.
        let enough = max(Self.leastNews, readsMetadata ? rows.count / 12 : rows.count / 2)
        guard start != nil, news > enough else { continue }
        news = 0
        answers.yield(.success(await rows.snapshot(isComplete: false)))
      }
      if Task.isCancelled { return }
      let isComplete = readsMetadata || rows.unreadCount == 0
      answers.yield(.success(await rows.snapshot(isComplete: isComplete)))
    }
  }

  /// - Parameter isEmpty: Whether nothing has been found before, so that a fault is one of the source.
  private func part(from start: Int, _ readsMetadata: Bool, isEmpty: Bool) async throws(APIError) -> ArchiveListing {
    func error(_ fault: ContentFault) -> APIError { .unreadableContent(source: path.printableName, fault) }
    switch await read(path, start, readsMetadata) {
    case .success(let listing):
      if let fault = listing.fault, isEmpty, listing.entries.isEmpty { throw error(.archive(fault)) }
      return listing
    case .failure(.archive(let fault)): throw error(.archive(fault))
    case .failure(.missing): throw .notFound(path: path.printable)
    case .failure(let fault): throw error(.worker(fault))
    }
  }
}

/// The photos of an archive that have been found.
private struct ArchiveRows {
  private let path: FilePath
  private var rows: [FolderRow] = []
  private var table: FolderTable
  private var ids = PhotoIDs()
  private var places: [FilePath: Int] = [:]
  private var fault: ArchiveFault?
  /// The number of archives in the archive.
  private var archiveCount = 0

  init(_ path: FilePath) {
    self.path = path
    table = FolderTable(root: path)
  }

  var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }
  /// The number of photos whose metadata have not been read.
  var unreadCount: Int { rows.count { $0.isUnread } }

  mutating func add(_ listing: ArchiveListing) {
    for entry in listing.entries {
      guard let place = path.entry(entry.name), places[place] == nil else { continue }
      let stamp = PhotoIndex.Stamp(size: entry.size, modifiedAt: entry.modifiedAt * 1_000_000_000, sidecarModifiedAt: 0)
      places[place] = rows.count
      rows.append(
        FolderRow(id: ids.id(place.bytes), found: FoundPhoto(path: place), stamp: stamp, result: entry.result))
    }
    archiveCount += listing.archives
    fault = fault ?? listing.fault
    sort()
  }

  mutating func update(_ listing: ArchiveListing) {
    for entry in listing.entries {
      guard let result = entry.result, let place = path.entry(entry.name).flatMap({ places[$0] }) else { continue }
      rows[place].result = result
      table.change(row: place)
    }
  }

  private mutating func sort() {
    rows.sort { $0.found.path.precedesNaturally($1.found.path) }
    for (place, row) in rows.enumerated() { places[row.found.path] = place }
    table.changeAll()
  }

  mutating func snapshot(isComplete: Bool) async -> PhotoSnapshot {
    await table.pack(rows)
    var snapshot = PhotoSnapshot(photos: table.photos)
    snapshot.capabilities = .archive
    snapshot.isComplete = isComplete
    for problem in table.problems { snapshot.problems.append(problem) }
    if archiveCount > 0 { snapshot.problems.append(CatalogProblem(.folder, .archives(archiveCount))) }
    if let fault {
      let error = APIError.unreadableContent(source: path.printableName, .archive(fault))
      snapshot.problems.append(CatalogProblem(.folder, .source(error)))
    }
    if !isComplete, unreadCount < count {
      snapshot.progress = PhotoSnapshot.Progress(done: table.readCount, total: count, unit: .photos)
    }
    return snapshot
  }
}
