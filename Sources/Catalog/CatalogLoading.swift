import Foundation
import Gallery
import Photos
import Services

/// The reading of one catalog, on a thread of its own: it waits for a pipe, and is busy with a large file.
struct CatalogLoading: Sendable {
  enum Source: Sendable {
    /// Of this absolute path.
    case file(FilePath)
    /// What is relative in it starts from this absolute path.
    case stream(descriptor: Int32, folder: FilePath)
  }

  enum Kind: Sendable {
    case catalog
    case paths(end: UInt8)
  }

  /// How much is read at a time; at first less, for the first photos to be there soon.
  private static let firstRead = 1 << 16
  private static let nextReads = 1 << 20

  let source: Source
  /// What the source has; nil where its first byte tells.
  let kind: Kind?

  /// Starts to read, and answers with what has come, until all has or nobody takes the answers any more.
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

  /// - Parameter answer: Returns whether to go on.
  private func read(_ answer: (PhotoSnapshot) -> Bool) throws(APIError) {
    let input = try CatalogInput(source)
    var reader: any PhotoReader = reader(of: kind ?? .catalog)
    var isKnown = kind != nil
    var answered = 0
    var size = Self.firstRead
    do throws(ReadingFailure) {
      let feed = { (bytes: UnsafeRawBufferPointer) in
        if !isKnown, let kind = Kind(bytes) {
          isKnown = true
          if case .paths = kind { reader = self.reader(of: kind) }
        }
        reader.feed(bytes)
      }
      while try input.read(upTo: size, feed) {
        size = Self.nextReads
        // A list twice as long is news; and what has come before a pause.
        if reader.unflushed > reader.photos.count || reader.unflushed > 0 && input.wouldWait { reader.flush() }
        // Of what has been read to its end, the last answer follows at once.
        guard reader.photos.count > answered, input.progress.map({ $0.done < $0.total }) ?? true else { continue }
        answered = reader.photos.count
        var snapshot = reader.snapshot()
        (snapshot.isComplete, snapshot.progress) = (false, input.progress)
        if !answer(snapshot) { return }
      }
      reader.finish(failure: nil)
    } catch {
      reader.finish(failure: error.reason)
    }
    let snapshot = reader.snapshot()
    if snapshot.photos.isEmpty, let problem = snapshot.problems.first.first {
      throw .unreadableContent(source: source.name, fault: problem.description)
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
  /// What starts with these bytes; nil if they are white space.
  fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
    let text = bytes.drop { $0 <= 0x20 }
    guard let first = text.first else { return nil }
    // No path starts as a web page does.
    let isCatalog = "{[<".utf8.contains(first) || text.starts(with: [0xEF, 0xBB, 0xBF])
    self = isCatalog ? .catalog : .paths(end: UInt8(ascii: "\n"))
  }
}

extension CatalogLoading.Source {
  /// What errors call it.
  var name: String {
    switch self {
    case .file(let path): path.printableName
    case .stream: "The standard input"
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
  fileprivate func snapshot() -> PhotoSnapshot {
    var snapshot = PhotoSnapshot(photos: photos, totalItems: totalItems)
    snapshot.problems = problems
    snapshot.pageNumber = pageNumber ?? 1
    snapshot.totalPages = totalPages ?? 1
    return snapshot
  }
}
