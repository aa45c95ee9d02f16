import Foundation
import Gallery
import Photos
import Services
import Store
import Synchronization
import WorkerPool

/// A source of the photos in folders and their subfolders, and of photos that the user named.
///
/// The first answers contain names only. Metadata follows as the files are read, and then come the changes.
public struct FolderService: APIServiceProtocol {
  /// A function that reads the metadata of photos, and returns one result for each in the same order.
  public typealias Reader = @Sendable ([FoundPhoto]) async -> [Result<MetadataRecord, PhotoFault>]

  private let scope: FolderScope
  private let index: PhotoIndex
  private let read: Reader
  private let readers: Int
  private let isWatching: Bool
  private let parts: PhotoParts?
  private let opening = Opening()

  /// About the number of snapshots until all files are read, and the least number of photos between two of them.
  private static let (snapshots, leastNews) = (12, 64)
  /// The number of rows that are shown before the other files of their folder are looked at.
  private static let firstRows = 100
  /// The number of photos about whose files a task asks the system.
  private static let photosAtOnce = 2048
  /// The number of files in a folder that are looked at in vain until the rest is taken for other files, too.
  private static let mostMisses = 1000
  /// The number of results that are written to the index at a time.
  private static let entriesAtOnce = 4096

  /// Creates a source.
  /// - Parameters:
  ///   - scope: The folders and photos to show.
  ///   - index: The metadata from earlier sessions, which is updated.
  ///   - readers: The number of files that are read at once. `read` is called once more at the same time, so that no
  ///     reader waits for its next files.
  ///   - isWatching: Whether the answers continue with changes. Otherwise, they end when all files have been read and
  ///     the results are in the index.
  ///   - parts: The rules by which several files are one photo, or nil if each is a photo by itself. With rules, the videos of
  ///     photos are found, too.
  ///   - read: The function that reads the metadata.
  public init(
    scope: FolderScope, index: PhotoIndex, readers: Int, isWatching: Bool = true, parts: PhotoParts? = nil,
    read: @escaping Reader
  ) {
    self.scope = scope
    self.index = index
    self.read = read
    self.readers = max(1, readers)
    self.isWatching = isWatching
    self.parts = parts
  }

  /// Returns the photos as they are found, and then their changes, until the caller stops iterating.
  ///
  /// The photos are in the order of the walk. Those whose names say nothing follow the others of their folder, when their
  /// first bytes have been read. Photos that are added later come to their places in this
  /// order; those of folders that had none come last. A photo keeps its id when its file is moved.
  ///
  /// If the scope is that of a photo, the first answer of the first fetch has this photo alone.
  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: WorkerPool.shared) {
        let watch = isWatching ? FolderWatch() : nil
        var session = Session(scope: scope, parts: parts, answers: continuation)
        // A reload keeps the rows that are there.
        if let photo = scope.photo, opening.begins() { await show(photo, &session) }
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

  /// The state of one fetch.
  private struct Session {
    let scope: FolderScope
    let parts: PhotoParts?
    let answers: PhotoStream.Continuation
    var rows: FolderRows
    /// The reasons why named files are missing or folders cannot be read.
    var failures: [(path: FilePath, error: APIError)] = []
    /// The ignore rules by folder. Folders without rules are absent.
    var rules: [FilePath: IgnoreRules] = [:]
    var areNamesComplete = false
    /// Whether some files are still to be looked at.
    var isLooking = false
    /// The files whose names say nothing and that turned out to be no photos.
    var others: [FilePath: PhotoIndex.Stamp] = [:]
    /// Whether the folder cannot be read, and an answer has reported this.
    var isLost = false
    /// The photo that is shown first, or nil if the user named none.
    var opened: Photo.ID?

    init(scope: FolderScope, parts: PhotoParts?, answers: PhotoStream.Continuation) {
      self.scope = scope
      self.parts = parts
      self.answers = answers
      rows = FolderRows(root: scope.root, parts: parts)
    }

    /// Returns whether a file is not shown because of its place or the ignore rules.
    func leavesOut(_ path: FilePath) -> Bool {
      // A sidecar may belong to a photo that is shown. A file that the user named is shown under any name.
      if PhotoName.isSidecar(path.name) || scope.isNamed(path) { return false }
      return !scope.contains(path) || rules[path.folder]?.leavesOut(path.bytes, isFolder: false) ?? false
    }

    /// Returns whether a file that has changed is a photo. A file whose name says nothing is
    /// read.
    func isShown(_ path: FilePath) -> Bool {
      if scope.isNamed(path) { return true }
      guard path.name.first != UInt8(ascii: ".") else { return false }
      return PhotoName.isPhoto(path.name)
        || PhotoName.saysNothing(path.name) && ImageFormat(of: path) != nil
    }

    /// Reports that the folder cannot be read. It has no photos until it can be read again.
    mutating func lose(_ error: APIError) {
      if isLost { return }
      isLost = true
      guard areNamesComplete else {
        answers.yield(.failure(error))
        return
      }
      rows = FolderRows(root: scope.root, parts: parts)
      areNamesComplete = false
      var snapshot = PhotoSnapshot()
      snapshot.capabilities = .folder
      snapshot.problems.append(CatalogProblem(.folder, .source(error)))
      answers.yield(.success(snapshot))
    }

    /// Updates the failures after a named photo has appeared or disappeared.
    mutating func note(_ path: FilePath, isThere: Bool) {
      guard scope.isNamed(path), scope.photo == nil, !scope.keepsMissing else { return }
      failures.removeAll { $0.path == path }
      if !isThere { failures.append((path, .notFound(path: path.printable))) }
    }

    /// Sends a snapshot of the current rows.
    mutating func answer() async {
      var snapshot = await rows.snapshot()
      snapshot.capabilities = .folder
      for (_, error) in failures { snapshot.problems.append(CatalogProblem(.folder, .source(error))) }
      let isRead = snapshot.progress.map { $0.done == $0.total } ?? true
      snapshot.isComplete = areNamesComplete && isRead && !isLooking
      if !areNamesComplete || isRead { snapshot.progress = nil }
      snapshot.opened = opened
      answers.yield(.success(snapshot))
    }
  }

  /// Answers with a photo alone, since the folder around it may take long to read.
  private func show(_ photo: FilePath, _ session: inout Session) async {
    let files = FolderWalk([photo]).flatMap(\.photos).map { FolderRows.Found($0) }
    guard !files.isEmpty else { return }
    var scan = session.rows.startScan(findsTwice: false)
    session.rows.add(files, to: &scan)
    session.opened = session.rows.rows.first?.id
    await session.answer()
  }

  private func load(_ session: inout Session, _ watch: FolderWatch?) async {
    var remembered: Task<PhotoIndex.Entries, any Error>?
    // The index is read during the walk, but only after the first rows, because the user waits for those.
    let scan = await scan(&session, watch) { [index, scope] in
      remembered = Task(executorPreference: WorkerPool.shared) {
        try await index.entries(in: scope.paths, isRecursive: scope.photo == nil)
      }
    }
    guard let scan else {
      remembered?.cancel()
      return
    }
    // Without the index, all files are read again.
    let known = (try? await remembered?.value) ?? PhotoIndex.Entries()
    await finish(scan, &session, known)
  }

  /// Walks through the folders and adds their photos.
  ///
  /// - Parameter onFirstRows: Called when there are some rows, or when it is certain that there are none.
  /// - Returns: The finished scan, or nil if the folder cannot be read or the fetch was canceled.
  private func scan(
    _ session: inout Session, _ watch: FolderWatch?, onFirstRows: () -> Void = {}
  ) async -> FolderRows.Scan? {
    var scan = session.rows.startScan(findsTwice: scope.paths.count > 1)
    session.failures = []
    session.rules = [:]
    // Watching starts before the folders are read and before their files are looked at, so that no change is missed.
    for path in scope.paths { watch?.addFoldersAbove(path) }
    var (answered, hasRows) = (0, false)
    let walk = FolderWalk(
      scope.paths, around: scope.photo, keepsMissing: scope.keepsMissing, willRead: { watch?.add($0) })
    for batch in walk {
      if Task.isCancelled { return nil }
      if let failure = batch.failure {
        if scope.paths == [batch.folder], batch.photos.isEmpty {
          session.lose(failure)
          return nil
        }
        session.failures.append((batch.folder, failure))
      }
      if !batch.rules.isEmpty { session.rules[batch.folder] = batch.rules }
      // A screenful is shown first, because a folder may have many photos, and to watch what is written to them takes
      // long, too.
      let first = batch.photos.prefix(session.rows.rows.isEmpty ? Self.firstRows : 0)
      for (part, photos) in [first, batch.photos.dropFirst(first.count)].enumerated() {
        if part > 0 {
          watch?.addFiles(of: batch.folder)
          session.rows.lookAgain(atFirst: first.count)
        }
        for found in await Self.found(photos) { session.rows.add(found, to: &scan) }
        // An answer is sent each time the list has doubled.
        guard !session.areNamesComplete, session.rows.rows.count > 2 * answered else { continue }
        answered = session.rows.rows.count
        await session.answer()
        if !hasRows { onFirstRows() }
        hasRows = true
      }
      session.rows.add(unclear: batch.unclear, to: &scan)
    }
    if !hasRows { onFirstRows() }
    session.areNamesComplete = true
    session.isLost = false
    session.isLooking = !scan.unclear.isEmpty
    return scan
  }

  /// Returns photos with what the system says about their files, which is asked on all cores.
  private static func found(_ photos: FoundPhotos.SubSequence) async -> [[FolderRows.Found]] {
    if photos.count <= photosAtOnce { return [photos.map { FolderRows.Found($0) }] }
    let starts = stride(from: photos.startIndex, to: photos.endIndex, by: photosAtOnce)
    return await withTaskGroup { group in
      for (number, start) in starts.enumerated() {
        group.addTask { (number, photos[start...].prefix(photosAtOnce).map { FolderRows.Found($0) }) }
      }
      return await group.reduce(into: Array(repeating: [], count: starts.underestimatedCount)) { $0[$1.0] = $1.1 }
    }
  }

  private func finish(
    _ scan: FolderRows.Scan, _ session: inout Session, _ known: PhotoIndex.Entries
  ) async {
    let gone = session.rows.finish(scan, index: known)
    await session.answer()
    // Entries stay in the index if a folder cannot be read or all photos are gone, because the photos may return: a
    // disk may have been unmounted.
    if session.failures.isEmpty, !session.rows.rows.isEmpty { try? await index.remove(gone) }
    await readUnread(&session)
    await look(at: scan.unclear, &session, known)
  }

  /// Adds the files that are photos by their contents, of those whose names say nothing.
  private func look(
    at files: [(place: Int, files: FoundPhotos)], _ session: inout Session, _ known: PhotoIndex.Entries
  ) async {
    var found: [(place: Int, file: FolderRows.Found)] = []
    for (place, files) in files {
      var misses = 0
      for file in files where misses < Self.mostMisses {
        if Task.isCancelled { return }
        let file = FolderRows.Found(file)
        if let stamp = file.stamp, session.others[file.photo.path] == stamp { continue }
        if ImageFormat(of: file.photo.path) != nil {
          found.append((place, file))
          misses = 0
        } else {
          session.others[file.photo.path] = file.stamp
          misses += 1
        }
      }
    }
    guard session.isLooking else { return }
    session.isLooking = false
    session.rows.insert(found, index: known)
    let gone = known.indices.map(known.path).filter {
      PhotoName.saysNothing($0.name) && !session.rows.contains($0)
    }
    if session.failures.isEmpty, !session.rows.rows.isEmpty { try? await index.remove(gone) }
    await session.answer()
    await readUnread(&session)
  }

  /// Reads the files that have not been read, sends snapshots, and adds the results to the index.
  private func readUnread(_ session: inout Session) async {
    var unread = session.rows.unread
    guard !unread.isEmpty else { return }
    // The user looks at the photo that was named, and then at the next ones.
    if let first = unread.firstIndex(where: { $0.photo.path == scope.photo }) {
      unread = Array(unread[first...] + unread[..<first])
    }
    var entries: [PhotoIndex.Entry] = []
    var (news, enough) = (0, max(Self.leastNews, session.rows.rows.count / Self.snapshots))
    let (results, reading) = startReading(unread)
    await withTaskCancellationHandler {
      for await batch in results {
        entries += session.rows.add(batch)
        news += batch.count
        if news >= enough {
          news = 0
          await session.answer()
        }
        if entries.count >= Self.entriesAtOnce {
          try? await index.add(entries)
          entries = []
        }
      }
    } onCancel: {
      reading.cancel()
    }
    await session.answer()
    try? await index.add(entries)
  }

  /// Starts to read files, and does not wait until the results are processed.
  private func startReading(
    _ photos: [(place: Int, photo: FoundPhoto)]
  ) -> (results: AsyncStream<[(place: Int, Result<MetadataRecord, PhotoFault>)]>, reading: Task<Void, Never>) {
    let (results, continuation) = AsyncStream.makeStream(of: [(place: Int, Result<MetadataRecord, PhotoFault>)].self)
    let queue = ReadingQueue(photos)
    let reading = Task(executorPreference: WorkerPool.shared) { [read, readers] in
      await withTaskGroup { group in
        // One task more than readers, so that no reader waits for its next files.
        for _ in 0...readers {
          group.addTask {
            while !Task.isCancelled {
              let batch = queue.next()
              if batch.isEmpty { return }
              let start = ContinuousClock.now
              continuation.yield(zip(batch, await read(batch.map(\.photo))).map { ($0.place, $1) })
              queue.noteTime(start.duration(to: .now))
            }
          }
        }
      }
      continuation.finish()
    }
    return (results, reading)
  }

  /// Applies changes to the rows, or walks through the folders again if the changes are unclear.
  private func apply(_ changes: [FolderChange], to session: inout Session, _ watch: FolderWatch?) async {
    let isUnclear = changes.contains { change in
      switch change {
      case .unclear: true
      case .written(let path), .removed(let path): path.name.elementsEqual(FolderWalk.ignoreName)
      case .moved(let old, let new): [old, new].contains { $0.name.elementsEqual(FolderWalk.ignoreName) }
      }
    }
    // While the folder is missing, only its return matters.
    if isUnclear, !session.areNamesComplete { return await load(&session, watch) }
    if !session.areNamesComplete { return }
    if isUnclear {
      if let scan = await scan(&session, watch) { await finish(scan, &session, PhotoIndex.Entries()) }
      return
    }
    var gone: [FilePath] = []
    for change in changes {
      switch change {
      case .written(let path):
        session.note(path, isThere: true)
        if !session.leavesOut(path) { session.rows.update(path, isShown: session.isShown(path)) }
      case .removed(let path):
        if scope.keepsMissing, scope.isNamed(path) {
          session.rows.update(path, isShown: true)
          continue
        }
        session.note(path, isThere: false)
        if session.rows.remove(path) { gone.append(path) }
      case .moved(let old, let new) where scope.keepsMissing:
        for path in [old, new] where scope.isNamed(path) { session.rows.update(path, isShown: true) }
      case .moved(let old, let new):
        session.note(old, isThere: false)
        session.note(new, isThere: true)
        if session.leavesOut(new) {
          _ = session.rows.remove(old)
        } else {
          session.rows.move(old, to: new, isShown: session.isShown(new))
        }
        gone.append(old)
      case .unclear: break
      }
    }
    session.rows.tidy()
    await session.answer()
    try? await index.remove(gone)
    await readUnread(&session)
  }
}

/// The first fetch of a source, which only one can be.
private final class Opening: Sendable {
  private let hasBegun = Atomic(false)

  /// Returns whether this is the first call.
  func begins() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }
}

/// A queue of photos whose files several tasks read.
private final class ReadingQueue: Sendable {
  private struct State {
    var photos: ArraySlice<(place: Int, photo: FoundPhoto)>
    var batchSize = 32
  }

  private let state: Mutex<State>

  /// The numbers of photos that a task reads at a time. A message takes time, but metadata should appear soon.
  private static let batchSizes = 16...512
  /// The time within which a batch should be read.
  private static let batchTime = Duration.milliseconds(50)

  init(_ photos: [(place: Int, photo: FoundPhoto)]) { state = Mutex(State(photos: photos[...])) }

  /// Removes and returns the next photos.
  func next() -> ArraySlice<(place: Int, photo: FoundPhoto)> {
    state.withLock { state in
      let next = state.photos.prefix(state.batchSize)
      state.photos = state.photos[next.endIndex...]
      return next
    }
  }

  /// Makes the next batches larger if a batch was read quickly, and smaller otherwise.
  func noteTime(_ time: Duration) {
    state.withLock { state in
      let size = time < Self.batchTime ? 2 * state.batchSize : state.batchSize / 2
      state.batchSize = min(max(size, Self.batchSizes.lowerBound), Self.batchSizes.upperBound)
    }
  }
}
