import CSystem
import Foundation
import Gallery
import Synchronization

/// A watcher that reports the changes in folders. It uses no processor time while nothing changes.
public final class FolderWatch: Sendable {
  /// The changes, in batches: each has what has changed since the last one was taken. Only one task may iterate over them.
  public let changes: AsyncStream<[FolderChange]>

  private let descriptor: Int32
  /// The source of events. Dispatch allows any thread to cancel it, but does not declare this to the compiler.
  private nonisolated(unsafe) let source: any DispatchSourceRead
  private let watched: Watched

  private final class Watched: Sendable {
    let events = Mutex(WatchEvents())
    let pending = Mutex(PendingChanges())
  }

  /// The time in which the arrival of a moved file follows its departure. The kernel reports one right after the other.
  private static let arrivalTime = DispatchTimeInterval.milliseconds(10)

  /// The events of a folder: files and folders in it come and go, or it does so itself.
  private static let comingsAndGoings: UInt32 =
    WATCH_CREATED | WATCH_MOVED_FROM | WATCH_MOVED_TO | WATCH_DELETED | WATCH_SELF_DELETED | WATCH_SELF_MOVED
    | WATCH_ONLY_FOLDERS | WATCH_ONLY_NAMED
    | WATCH_MORE
  /// The events of the files in a folder.
  private static let writes = WATCH_WRITTEN | WATCH_ATTRIBUTES | WATCH_ONLY_FOLDERS | WATCH_ONLY_NAMED | WATCH_MORE
  /// The events of a folder above a path: it is deleted or moved. If the next folder of the path is missing, also its
  /// arrival.
  private static let departures = WATCH_SELF_DELETED | WATCH_SELF_MOVED | WATCH_ONLY_FOLDERS
  private static let arrivals = departures | (WATCH_CREATED | WATCH_MOVED_TO)

  /// Creates a watcher. Returns nil if the system watches nothing, or no more (fs.inotify.max_user_instances).
  public init?() {
    descriptor = create_watcher()
    guard descriptor >= 0 else { return nil }
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watched = Watched()
    self.watched = watched
    changes = AsyncStream {
      await arrivals.first { _ in true }.map { watched.pending.withLock { $0.take() } }
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [descriptor, watched] in
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return }
      func report(_ changes: [FolderChange]) {
        if changes.isEmpty { return }
        watched.pending.withLock { $0.add(changes) }
        continuation.yield()
      }
      report(watched.events.withLock { $0.changes(chunk[..<count]) })
      guard watched.events.withLock(\.isWaiting) else { return }
      DispatchQueue.main.asyncAfter(deadline: .now() + Self.arrivalTime) {
        report(watched.events.withLock { $0.changes([], waits: false) })
      }
    }
    source.setCancelHandler { [descriptor] in
      close(descriptor)
      continuation.finish()
    }
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// Starts to watch which files and subfolders a folder has. What is written to them is not watched yet.
  ///
  /// - Returns: Whether the folder is watched. The system limits the number of watches (fs.inotify.max_user_watches).
  @discardableResult
  public func add(_ folder: FilePath) -> Bool {
    add(WatchedFolder(path: folder), events: Self.comingsAndGoings)
  }

  /// Starts to watch what is written to the files of a folder that has been added.
  ///
  /// The kernel takes 12 ms for a folder of 100,000 files, because it marks each of them.
  public func addFiles(of folder: FilePath) {
    add(WatchedFolder(path: folder), events: Self.writes)
  }

  /// Starts to watch the folders above a path, to notice when one of them disappears or when the path appears.
  ///
  /// Call this before ``add(_:)``, because a folder has only one watch.
  public func addFoldersAbove(_ path: FilePath) {
    var above = FilePath("/")
    let slash = UInt8(ascii: "/")
    for name in path.bytes.split(separator: slash) {
      let below = above.appending(name)
      let isMissing = below.isMissing
      add(
        WatchedFolder(path: above, awaited: isMissing ? Array(name) : []),
        events: isMissing ? Self.arrivals : Self.departures)
      if isMissing { return }
      above = below
    }
  }

  @discardableResult
  private func add(_ folder: WatchedFolder, events: UInt32) -> Bool {
    watched.events.withLock { watched in
      let number = folder.path.withCString { watch_path(descriptor, $0, events) }
      guard number >= 0 else { return false }
      // A folder that was moved keeps the number of its watch.
      watched.folders[number] = folder
      return true
    }
  }
}

/// A folder whose changes the kernel reports.
struct WatchedFolder: Hashable, Sendable {
  let path: FilePath
  /// The only name in the folder that matters, or nil if all names do. If it is empty, no name matters.
  var awaited: [UInt8]?
}

/// A parser for the kernel's events, whose format is in `CSystem.h`.
struct WatchEvents: Sendable {
  /// The watched folders by the numbers of their watches. Those that the kernel no longer watches are removed.
  var folders: [Int32: WatchedFolder]
  /// The last event, if it is the departure of a file whose arrival may follow.
  private var departure: ArraySlice<UInt8> = []

  init(folders: [Int32: WatchedFolder] = [:]) { self.folders = folders }

  /// Whether a departure waits for its arrival.
  var isWaiting: Bool { !departure.isEmpty }

  /// Returns the changes that the events report.
  ///
  /// - Parameter waits: Whether a departure at the end of the events waits for the next ones. One read may end between both
  ///   events of a move, which would be a removal and a new file then.
  mutating func changes(_ bytes: ArraySlice<UInt8>, waits: Bool = true) -> [FolderChange] {
    var changes: [FolderChange] = []
    /// The indices of removals that may be moves, by the cookie that the arrival will have.
    var leaving: [UInt32: Int] = [:]
    var rest = departure + bytes
    departure = []
    let headerSize = MemoryLayout<watch_event>.size
    while rest.count >= headerSize {
      let event = rest
      let header = rest.withUnsafeBytes { $0.loadUnaligned(as: watch_event.self) }
      let name = rest.dropFirst(headerSize).prefix(Int(header.length)).prefix { $0 != 0 }
      rest = rest.dropFirst(headerSize + Int(header.length))
      func has(_ event: UInt32) -> Bool { header.events & event != 0 }
      let folder = folders[header.path]
      if has(WATCH_ENDED) { folders[header.path] = nil }
      if [WATCH_LOST, WATCH_SELF_DELETED, WATCH_SELF_MOVED, WATCH_UNMOUNTED].contains(where: has) {
        changes.append(.unclear)
      }
      guard !name.isEmpty, let folder else { continue }
      if let awaited = folder.awaited {
        if name.elementsEqual(awaited) { changes.append(.unclear) }
        continue
      }
      let path = folder.path.appending(name)
      if has(WATCH_IS_FOLDER) {
        // New permissions of a folder say nothing about photos, but they may make the folder readable.
        changes.append(.unclear)
      } else if has(WATCH_MOVED_FROM), waits, rest.isEmpty {
        departure = event
      } else if has(WATCH_MOVED_FROM) {
        leaving[header.cookie] = changes.count
        changes.append(.removed(path))
      } else if has(WATCH_MOVED_TO), let index = leaving.removeValue(forKey: header.cookie),
        case .removed(let old) = changes[index]
      {
        changes[index] = .moved(old, to: path)
      } else if has(WATCH_DELETED) {
        changes.append(.removed(path))
      } else {
        changes.append(.written(path))
      }
    }
    return changes
  }
}
