import Foundation
import Gallery
import Photos
import Services
import Store
import Synchronization
import WorkerPool

/// Photos of folders and all below them, and photos that were named: their names at once, then what their files say, then what changes.
public struct FolderService: APIServiceProtocol {
  /// Reads what photos' files say: one result for each, in their order.
  public typealias Reader = @Sendable ([FoundPhoto]) async -> [Result<PhotoMetadata, PhotoFault>]

  private let scope: FolderScope
  private let index: PhotoIndex
  private let read: Reader
  private let readers: Int
  private let isWatching: Bool

  /// So many files are read at a time, and so many snapshots are made while all are read, about.
  private static let (batchSize, snapshots) = (64, 12)
  /// So many rows are shown before the others of their folder are looked at.
  private static let firstRows = 100
  /// So many results are written to the index at a time.
  private static let entriesAtOnce = 4096

  /// - Parameters:
  ///   - scope: What is shown.
  ///   - readers: How many files are read at once; there is one call of `read` more, so that none waits for the next.
  ///   - isWatching: Whether the answers go on with what changes; else they end when all has been read, and is kept in
  ///     the index.
  public init(scope: FolderScope, index: PhotoIndex, readers: Int, isWatching: Bool = true, read: @escaping Reader) {
    (self.scope, self.index, self.read, self.readers) = (scope, index, read, max(1, readers))
    self.isWatching = isWatching
  }

  /// The photos as they come, and as they change from then on, until nobody takes them any more: in the order of the
  /// walk, those that come later at the end. A photo keeps its id when its file is moved.
  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: WorkerPool.shared) {
        let watch = isWatching ? FolderWatch() : nil
        var session = Session(scope: scope, answers: continuation)
        await load(&session, watch)
        for await changes in watch?.changes ?? AsyncStream(unfolding: { nil }) {
          if Task.isCancelled { break }
          await apply(changes, to: &session, watch)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// What one who asked for the photos has been told.
  private struct Session {
    let scope: FolderScope
    let answers: PhotoStream.Continuation
    var rows = FolderRows()
    /// Why files that were named, and folders, are not there.
    var failures: [(path: FilePath, error: APIError)] = []
    /// Of the folders that have some.
    var rules: [FilePath: IgnoreRules] = [:]
    var areNamesComplete = false
    /// Whether it has been told that the folder can't be read, and it still can't.
    var isLost = false

    func leavesOut(_ path: FilePath) -> Bool {
      // What is beside a photo says something of that, and what was named is shown whatever it is called.
      if PhotoName.isSidecar(Array(path.name)) || scope.isNamed(path) { return false }
      return !scope.contains(path) || rules[path.folder]?.leavesOut(path.bytes, isFolder: false) ?? false
    }

    /// The folder can't be read, or no longer: until it can, it has no photos.
    mutating func lose(_ error: APIError) {
      if isLost { return }
      isLost = true
      guard areNamesComplete else {
        answers.yield(.failure(error))
        return
      }
      (rows, areNamesComplete) = (FolderRows(), false)
      var snapshot = PhotoSnapshot()
      snapshot.isOfFolder = true
      snapshot.problems.append(CatalogProblem(.folder, reason: error.message))
      answers.yield(.success(snapshot))
    }

    /// A photo that was named has come, or gone.
    mutating func note(_ path: FilePath, isThere: Bool) {
      guard scope.isNamed(path) else { return }
      failures.removeAll { $0.path == path }
      if !isThere { failures.append((path, .notFound(path: path.printable))) }
    }

    func answer() {
      // What is below the root folder itself is shown with its slash.
      let prefix = scope.root == "/" ? 0 : scope.root.appending([]).bytes.count
      var snapshot = PhotoSnapshot(photos: PhotoTable(rows.rows.lazy.map { $0.photo(prefix: prefix) }))
      snapshot.isOfFolder = true
      for (_, error) in failures { snapshot.problems.append(CatalogProblem(.folder, reason: error.message)) }
      for row in rows.rows {
        guard let trouble = row.trouble else { continue }
        snapshot.problems.append(CatalogProblem(.file(row.name(prefix: prefix)), reason: trouble))
      }
      let readCount = rows.rows.count { $0.result != nil }
      snapshot.isComplete = areNamesComplete && readCount == rows.rows.count
      if areNamesComplete, !snapshot.isComplete {
        snapshot.progress = PhotoSnapshot.Progress(done: readCount, total: rows.rows.count, unit: .photos)
      }
      answers.yield(.success(snapshot))
    }
  }

  private func load(_ session: inout Session, _ watch: FolderWatch?) async {
    var remembered: Task<[FilePath: PhotoIndex.Entry], any Error>?
    // Beside the walk, but not beside the first rows, which are waited for.
    let scan = scan(&session, watch) { [index, scope] in
      remembered = Task(executorPreference: WorkerPool.shared) { try await index.entries(in: scope.paths) }
    }
    guard let scan else {
      remembered?.cancel()
      return
    }
    // Without it everything is read anew.
    let known = (try? await remembered?.value) ?? [:]
    await finish(scan, &session, known)
  }

  /// - Parameter onFirstRows: Called when some rows are there, or it is known that there are none.
  /// - Returns: What was found; nil where the folder could not be read, or nobody waits any more.
  private func scan(
    _ session: inout Session, _ watch: FolderWatch?, onFirstRows: () -> Void = {}
  ) -> FolderRows.Scan? {
    var scan = session.rows.startScan()
    (session.failures, session.rules) = ([], [:])
    // Before the folders themselves are read: what comes from now on is told.
    for path in scope.paths { watch?.addFoldersAbove(path) }
    var (answered, hasRows) = (0, false)
    for batch in FolderWalk(scope.paths, willRead: { watch?.add($0) }) {
      if Task.isCancelled { return nil }
      if let failure = batch.failure {
        if scope.paths == [batch.folder], batch.photos.isEmpty {
          session.lose(failure)
          return nil
        }
        session.failures.append((batch.folder, failure))
      }
      if !batch.rules.isEmpty { session.rules[batch.folder] = batch.rules }
      // A screenful at once, since a folder may have many.
      let start = session.rows.rows.isEmpty ? Self.firstRows : 0
      for photos in [batch.photos.prefix(start), batch.photos.dropFirst(start)] where !photos.isEmpty {
        session.rows.add(photos, to: &scan)
        // A list twice as long is news.
        guard !session.areNamesComplete, session.rows.rows.count > 2 * answered else { continue }
        answered = session.rows.rows.count
        session.answer()
        if !hasRows { onFirstRows() }
        hasRows = true
      }
    }
    if !hasRows { onFirstRows() }
    (session.areNamesComplete, session.isLost) = (true, false)
    return scan
  }

  private func finish(
    _ scan: FolderRows.Scan, _ session: inout Session, _ known: [FilePath: PhotoIndex.Entry]
  ) async {
    let gone = session.rows.finish(scan, index: known)
    session.answer()
    // What is in a folder that cannot be read at the moment may be there again, and so may all of a folder that is empty,
    // as one from which a disk was unmounted.
    if session.failures.isEmpty, !session.rows.rows.isEmpty { try? await index.remove(gone) }
    await readUnread(&session)
  }

  /// Reads what has not been read, and tells and keeps it.
  private func readUnread(_ session: inout Session) async {
    let unread = session.rows.unread
    guard !unread.isEmpty else { return }
    var entries: [PhotoIndex.Entry] = []
    var (news, enough) = (0, max(Self.batchSize, session.rows.rows.count / Self.snapshots))
    let (results, reading) = startReading(unread)
    await withTaskCancellationHandler {
      for await batch in results {
        entries += session.rows.add(batch)
        news += batch.count
        if news >= enough {
          news = 0
          session.answer()
        }
        if entries.count >= Self.entriesAtOnce {
          try? await index.add(entries)
          entries = []
        }
      }
    } onCancel: {
      reading.cancel()
    }
    session.answer()
    try? await index.add(entries)
  }

  /// Reads photos' files without waiting for who takes what they say.
  private func startReading(
    _ photos: [FoundPhoto]
  ) -> (results: AsyncStream<[(FoundPhoto, Result<PhotoMetadata, PhotoFault>)]>, reading: Task<Void, Never>) {
    let (results, continuation) = AsyncStream.makeStream(of: [(FoundPhoto, Result<PhotoMetadata, PhotoFault>)].self)
    let queue = ReadingQueue(photos)
    let reading = Task(executorPreference: WorkerPool.shared) { [read, readers] in
      await withTaskGroup { group in
        // With one more than are read at a time no reader waits for its next files.
        for _ in 0...readers {
          group.addTask {
            while !Task.isCancelled {
              let batch = queue.next(Self.batchSize)
              if batch.isEmpty { return }
              continuation.yield(Array(zip(batch, await read(batch))))
            }
          }
        }
      }
      continuation.finish()
    }
    return (results, reading)
  }

  private func apply(_ changes: [FolderChange], to session: inout Session, _ watch: FolderWatch?) async {
    let isUnclear = changes.contains { change in
      switch change {
      case .unclear: true
      case .written(let path), .removed(let path): path.name.elementsEqual(FolderWalk.ignoreName)
      case .moved(let old, let new): [old, new].contains { $0.name.elementsEqual(FolderWalk.ignoreName) }
      }
    }
    // Of a folder that is away, only that it's there again is news.
    if isUnclear, !session.areNamesComplete { return await load(&session, watch) }
    if !session.areNamesComplete { return }
    if isUnclear {
      if let scan = scan(&session, watch) { await finish(scan, &session, [:]) }
      return
    }
    var gone: [FilePath] = []
    for change in changes {
      switch change {
      case .written(let path):
        session.note(path, isThere: true)
        if !session.leavesOut(path) { session.rows.update(path) }
      case .removed(let path):
        session.note(path, isThere: false)
        if session.rows.remove(path) { gone.append(path) }
      case .moved(let old, let new):
        session.note(old, isThere: false)
        session.note(new, isThere: true)
        if session.leavesOut(new) { _ = session.rows.remove(old) } else { session.rows.move(old, to: new) }
        gone.append(old)
      case .unclear: break
      }
    }
    session.rows.removeGone()
    session.answer()
    try? await index.remove(gone)
    await readUnread(&session)
  }
}

/// Photos whose files several tasks read.
private final class ReadingQueue: Sendable {
  private let photos: Mutex<ArraySlice<FoundPhoto>>

  init(_ photos: [FoundPhoto]) { self.photos = Mutex(photos[...]) }

  /// The next of them, so many or all that are left.
  func next(_ count: Int) -> [FoundPhoto] {
    photos.withLock { photos in
      defer { photos = photos.dropFirst(count) }
      return Array(photos.prefix(count))
    }
  }
}
