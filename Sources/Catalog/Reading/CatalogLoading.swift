import Foundation
import Gallery
import Photos
import Services

/// The loading of one catalog or list of paths.
///
/// It runs on a separate thread, because a pipe can block it and a large file keeps it busy.
struct CatalogLoading: Sendable {
  /// The kind of text.
  enum Kind: Sendable {
    case catalog
    /// A list of paths, each of which ends with the byte `end`.
    case paths(end: UInt8)
  }

  /// The number of bytes of the first read. It is smaller than `nextReads`, so that the first photos appear soon.
  private static let firstRead = 1 << 16
  private static let nextReads = 1 << 20

  let source: CatalogSource
  /// The kind of text, or nil if it is detected from the first bytes.
  let kind: Kind?

  /// Starts to read, and sends snapshots while more photos are read.
  ///
  /// Reading stops at the end of the source or when the caller stops iterating.
  func start(_ answers: PhotoStream.Continuation) {
    let thread = Thread {
      do throws(APIError) {
        try read { snapshot in
          if case .terminated = answers.yield(.success(snapshot)) { return false }
          return true
        }
      } catch {
        answers.yield(.failure(error))
      }
      answers.finish()
    }
    thread.name = "catalog"
    thread.start()
  }

  /// Reads the source to its end.
  ///
  /// - Parameter answer: A closure that receives a snapshot and returns whether to continue.
  private func read(_ answer: (PhotoSnapshot) -> Bool) throws(APIError) {
    let input = try CatalogInput(source)
    var reader: any PhotoReader = reader(of: kind ?? .catalog)
    var isKnown = kind != nil
    var answered = 0
    var size = Self.firstRead
    do throws(ReadingFault) {
      let feed = { (bytes: UnsafeRawBufferPointer) in
        if !isKnown, let kind = Kind(bytes) {
          isKnown = true
          if case .paths = kind { reader = self.reader(of: kind) }
        }
        reader.feed(bytes)
      }
      while try input.read(upTo: size, feed) {
        size = Self.nextReads
        // Show more photos when their number has doubled, and before waiting for a source that pauses.
        if reader.unflushed > reader.photos.count || reader.unflushed > 0 && input.wouldWait { reader.flush() }
        // At the end of a file, only the final snapshot is sent. It follows at once.
        guard reader.photos.count > answered, input.progress.map({ $0.done < $0.total }) ?? true else { continue }
        answered = reader.photos.count
        var snapshot = reader.snapshot()
        snapshot.isComplete = false
        snapshot.progress = input.progress
        if !answer(snapshot) { return }
      }
      reader.finish(failure: nil)
    } catch {
      reader.finish(failure: error)
    }
    let snapshot = reader.snapshot()
    if snapshot.photos.isEmpty, let problem = snapshot.problems.first.first {
      throw .unreadableContent(source: source.name, .problem(problem))
    }
    _ = answer(snapshot)
  }
}

extension CatalogLoading {
  private func reader(of kind: Kind) -> any PhotoReader {
    switch kind {
    case .catalog: CatalogReader(base: source.folder)
    case .paths(let end): PathListReader(end: end, folder: source.folder)
    }
  }
}

extension CatalogLoading.Kind {
  /// Detects the kind of a text from its first bytes. Returns nil if they are all white space.
  fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
    let text = bytes.drop { $0 <= 0x20 }
    guard let first = text.first else { return nil }
    // A web page counts as a catalog, whose reader reports it. No path starts with “<”.
    let isCatalog = "{[<".utf8.contains(first) || text.starts(with: [0xEF, 0xBB, 0xBF])
    self = isCatalog ? .catalog : .paths(end: UInt8(ascii: "\n"))
  }
}

extension CatalogSource {
  /// The file's name, or nil for the standard input.
  var name: String? {
    switch self {
    case .file(let path): path.printableName
    case .stream: nil
    }
  }

  /// The absolute path that a relative `image_url` starts from.
  var folder: FilePath {
    switch self {
    case .file(let path): path.folder
    case .stream(_, let folder): folder
    }
  }
}

extension PhotoReader {
  /// Returns a snapshot of the photos that have been flushed.
  fileprivate func snapshot() -> PhotoSnapshot {
    var snapshot = PhotoSnapshot(photos: photos, totalItems: totalItems)
    snapshot.problems = problems
    snapshot.pageNumber = pageNumber ?? 1
    snapshot.totalPages = totalPages ?? 1
    if hasFileDates { snapshot.capabilities.insert(.fileDates) }
    return snapshot
  }
}
