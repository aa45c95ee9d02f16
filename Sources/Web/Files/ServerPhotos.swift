import Folder
import Foundation
import Gallery
import HTTP
import Photos
import Services
import Store

/// A source of the photos in a folder of a server that keeps files, and below it.
///
/// The names come first, several folders at a time. Metadata is read from the first part of each file, and is in the index of this
/// machine then. The lists are cached, and are shown if the server can't be reached.
public struct ServerPhotos: APIServiceProtocol {
  private let server: any FileServer
  private let client: HTTPClient
  private let index: PhotoIndex
  private let parts: PhotoParts?
  private let cached: ServerHeads.Cache
  private let read: FolderService.Reader
  private let shown = ShownList()

  /// The decisions that are kept, in sidecars on the server.
  static let possible: [Decision] =
    [.rating, .label, .keywords, .caption, .takenAt, .latitude, .longitude, .altitude] + IPTCText.all.map(\.decision)
  /// The number of lists that are requested one by one until there are photos.
  private static let listsAlone = 8
  /// The requests for lists, and the files of which the first part is fetched, at once.
  private static let (listsAtOnce, headsAtOnce) = (4, 3)
  /// The most requests for a list and the most photos, so that a server does not decide how much time and memory a list takes.
  private static let (mostParts, mostPhotos) = (20_000, 2_000_000)
  /// The time after which metadata that has been read is shown.
  private static let pause = Duration.milliseconds(300)

  /// Creates the source.
  /// - Parameters:
  ///   - access: The way to the server.
  ///   - index: The metadata from earlier sessions, which is updated.
  ///   - parts: The rules by which several files are one photo, or nil if each is a photo by itself.
  ///   - cached: Returns the path of the first part of an image in a cache, which is fetched by a request if it is not there; nil for a
  ///     part that the cache does not accept.
  ///   - read: The function that reads the metadata of the first parts.
  public init(
    _ access: FileServerAccess, index: PhotoIndex, parts: PhotoParts? = nil,
    cached: @escaping @Sendable (_ request: HTTPRequest) async throws(HTTPError) -> String? = { _ in nil },
    read: @escaping FolderService.Reader
  ) {
    server = access.server
    client = access.client
    self.index = index
    self.parts = parts
    self.cached = cached
    self.read = read
  }

  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    .answers { answer throws(APIError) in try await fetch { answer(shown.shown($0)) } }
  }

  /// The state of one fetch.
  private final class State {
    var rows: FolderRows
    private(set) var scan: FolderRows.Scan
    /// The number of photos that the scan has found.
    private(set) var found = 0
    var failures: [(folder: FilePath, error: APIError)] = []
    var keptSince: Date?
    var shown = 0
    /// The last files of a page, to which the first ones of the next page may belong.
    var held: [ServerFile] = []
    /// Whether something was left out of a list that is too long.
    var isCut = false

    init(_ rows: FolderRows) {
      self.rows = rows
      scan = self.rows.startScan(findsTwice: false)
    }

    func add(_ photos: [FolderRows.Found]) {
      rows.add(photos, to: &scan)
      found += photos.count
    }

    /// Ends the scan, and returns the paths that are no longer on the server.
    func finishScan(index: PhotoIndex.Entries) -> [FilePath] {
      let gone = rows.finish(scan, index: index)
      // Servers answer in any order, and S3 in that of the keys.
      rows.sort()
      return gone
    }

    /// Starts to read the list again. The photos stay until that is done.
    func startAgain() {
      scan = rows.startScan(findsTwice: false)
      found = 0
      held = []
      isCut = false
    }

    func snapshot(isComplete: Bool) async -> PhotoSnapshot {
      var rows = rows
      var snapshot = await rows.snapshot()
      self.rows = rows
      snapshot.capabilities = [.deciding(ServerPhotos.possible), .folders, .fileDates, .copying, .exporting]
      for (_, error) in failures { snapshot.problems.append(CatalogProblem(.folder, .source(error))) }
      snapshot.isComplete = isComplete
      if isComplete || snapshot.progress?.done == 0 { snapshot.progress = nil }
      snapshot.keptSince = keptSince
      shown = rows.rows.count
      return snapshot
    }
  }

  private func fetch(_ answer: @escaping @Sendable (PhotoSnapshot) -> Void) async throws(APIError) {
    let (address, base) = (server.address, server.address.base)
    let rows = FolderRows(root: Self.local(address.folder, base), parts: parts) { path, stamp in
      .web(address.image(FilePath(Array(path.bytes.dropFirst(base.utf8.count))), version: stamp?.modifiedAt ?? 0))
    }
    let state = State(rows)
    let known = (try? await index.entries(in: [Self.local(address.folder, base)])) ?? PhotoIndex.Entries()
    await addKeptList(to: state)
    if let last = await showEarly(state, known) {
      shown.keep(last)
      answer(last)
    }
    try await list(state, known, answer)
    let gone = state.finishScan(index: known)
    if state.failures.isEmpty, state.keptSince == nil, !state.isCut, !state.rows.rows.isEmpty {
      try? await index.remove(gone)
    }
    let isWhole = state.rows.unread.isEmpty || state.keptSince != nil
    answer(await state.snapshot(isComplete: isWhole))
    if !isWhole { await readHeads(state, answer) }
  }

  /// Returns the path under which the index has a file.
  private static func local(_ path: FilePath, _ base: String) -> FilePath {
    FilePath(Array(base.utf8) + (path == "/" ? [] : path.bytes))
  }

  /// Adds the list as it was last time, which is shown until the server has answered.
  private func addKeptList(to state: State) async {
    var waiting = [FileListPart(folder: server.address.folder)]
    var known = Set(waiting)
    while !Task.isCancelled, known.count < Self.mostParts, let part = waiting.popLast() {
      guard let list = server.keptList(part) else { continue }
      for part in list.further where known.insert(part).inserted { waiting.append(part) }
      add(list, to: state)
    }
  }

  /// Returns a snapshot of the photos that have been found before the list is read, if there are any. They stay until it is.
  private func showEarly(_ state: State, _ known: PhotoIndex.Entries) async -> PhotoSnapshot? {
    guard state.found > 0 else { return nil }
    _ = state.finishScan(index: known)
    let snapshot = await state.snapshot(isComplete: false)
    state.startAgain()
    return snapshot
  }

  /// A result of a request for a list.
  private enum Listing: Sendable {
    /// The start of an answer that is long, or nil if none was read before the whole answer.
    case start(FileList?)
    case list(FileListPart, Result<FileList, APIError>)
  }

  /// Lists the folder and all below it.
  private func list(
    _ state: State, _ index: PhotoIndex.Entries, _ answer: @escaping @Sendable (PhotoSnapshot) -> Void
  ) async throws(APIError) {
    var waiting = [FileListPart(folder: server.address.folder)]
    var (underWay, isAway) = (0, false)
    let first = waiting[0]
    // A server that names the same part again would never end.
    var known: Set = [first]
    let failure: APIError? = await withTaskGroup(of: Listing.self) { group in
      while underWay > 0 || !waiting.isEmpty {
        // On a slow line, four lists at once would delay the first photos by those that are seen later.
        let isAlone = state.found == 0 && known.count - waiting.count <= Self.listsAlone
        while underWay < (isAlone ? 1 : Self.listsAtOnce), !waiting.isEmpty {
          let part = waiting.removeLast()
          underWay += 1
          let onRetry: @Sendable (APIError) -> Void = { error in
            guard part == first else { return }
            var snapshot = PhotoSnapshot()
            snapshot.isComplete = false
            snapshot.retriedError = error
            answer(snapshot)
          }
          let starts = AsyncStream.makeStream(of: FileList.self)
          if state.rows.rows.isEmpty {
            group.addTask {
              for await list in starts.stream { return .start(list) }
              return .start(nil)
            }
          }
          group.addTask { [server, isAway] in
            defer { starts.continuation.finish() }
            // Swift 6.3 would leave `part` uninitialized in a release build if `do` and `catch` returned it with the result.
            let list = await result { () async throws(APIError) in
              try await server.list(
                part, isAway: isAway, onStart: { starts.continuation.yield($0) }, onRetry: onRetry)
            }
            return .list(part, list)
          }
        }
        guard underWay > 0, let listing = await group.next() else { break }
        if Task.isCancelled { return .cancelled }
        guard case .list(let part, let result) = listing else {
          // The first rows needn't wait for the other files of a large folder.
          if case .start(let list?) = listing, state.rows.rows.isEmpty {
            add(list, to: state)
            if let early = await showEarly(state, index) { answer(early) }
          }
          continue
        }
        underWay -= 1
        switch result {
        case .success(let list):
          if let time = list.keptSince {
            isAway = true
            state.keptSince = [state.keptSince, time].compactMap(\.self).min()
          }
          var new: [FileListPart] = []
          for part in list.further where !known.contains(part) {
            state.isCut = known.count >= Self.mostParts || state.found >= Self.mostPhotos
            if state.isCut { break }
            known.insert(part)
            new.append(part)
          }
          // The first folder is listed next, as its photos are the first ones of the list.
          waiting += new.sorted { $1.folder < $0.folder }
          add(list, to: state)
          if state.rows.rows.count > 2 * state.shown { answer(await state.snapshot(isComplete: false)) }
        case .failure(let error) where part == first: return error
        case .failure(let error):
          if part.start != nil { return error }
          state.failures.append((part.folder, error))
        }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Adds the photos of a list with their sidecars.
  private func add(_ list: FileList, to state: State) {
    let base = server.address.base
    var files = state.held + list.files
    state.held = []
    if list.further.first?.start != nil, let last = files.last?.path {
      // The names of a photo's files have the same start. They follow each other in the order of S3.
      let stem = last.folder.appending(last.name.prefix { $0 != UInt8(ascii: ".") }).bytes + [UInt8(ascii: ".")]
      let count = files.reversed().prefix { $0.path.bytes.starts(with: stem) }.count
      if count < files.count {
        state.held = Array(files.suffix(count))
        files.removeLast(count)
      }
    }
    let sidecars = Dictionary(
      files.filter { PhotoName.isSidecar($0.path.name) }.map { ($0.path, $0.stamp) },
      uniquingKeysWith: { first, _ in first })
    let found = files.compactMap { file -> FolderRows.Found? in
      let name = file.path.name
      guard PhotoName.isPhoto(name), name.first != UInt8(ascii: ".") else { return nil }
      let sidecar = PhotoName.sidecars(of: Array(name)).lazy.map(file.path.folder.appending).first {
        sidecars[$0] != nil
      }
      var stamp = file.stamp
      if let sidecar, let other = sidecars[sidecar] { stamp.sidecarModifiedAt = other.modifiedAt }
      return FolderRows.Found(
        FoundPhoto(path: Self.local(file.path, base), sidecar: sidecar.map { Self.local($0, base) }), stamp)
    }
    state.add(found)
  }
}

// MARK: - Metadata

extension ServerPhotos {
  private typealias Read = (place: Int, Result<MetadataRecord, PhotoFault>)

  /// Reads the metadata of the files that have none, in their order.
  private func readHeads(_ state: State, _ answer: (PhotoSnapshot) -> Void) async {
    var unread = state.rows.unread[...]
    var stamps: [Int: PhotoIndex.Stamp] = [:]
    for (place, _) in unread { stamps[place] = state.rows.rows[place].stamp }
    let heads = ServerHeads(server: server, client: client, cached: cached, read: read)
    var (results, entries): ([Read], [PhotoIndex.Entry]) = ([], [])
    // With a server that has gone, each of thousands of files would be waited for.
    var isAway = false
    var (shownAt, pause) = (ContinuousClock.now, Self.pause)
    await withTaskGroup(of: (Int, Result<MetadataRecord, PhotoFault>?).self) { group in
      func start() {
        guard !isAway, let (place, photo) = unread.popFirst() else { return }
        let stamp = stamps[place] ?? PhotoIndex.Stamp(size: 0, modifiedAt: 0)
        group.addTask { (place, await heads.metadata(of: photo, stamp)) }
      }
      for _ in 0..<Self.headsAtOnce { start() }
      for await (place, result) in group {
        if Task.isCancelled { return }
        if let result { results.append((place, result)) } else { isAway = true }
        start()
        let now = ContinuousClock.now
        guard now - shownAt >= pause else { continue }
        entries += state.rows.add(results)
        results = []
        answer(await state.snapshot(isComplete: false))
        // The longer it takes to make the list again, the less often that is done.
        shownAt = .now
        pause = max(Self.pause, (shownAt - now) * 10)
        try? await index.add(entries)
        entries = []
      }
    }
    entries += state.rows.add(results)
    answer(await state.snapshot(isComplete: true))
    try? await index.add(entries)
  }
}
