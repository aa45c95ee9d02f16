import Foundation
import Gallery
import Synchronization

/// What happened in a folder that is watched.
public enum FolderChange: Hashable, Sendable {
  /// A file has come, or has been written to its end, or may be read by others than before.
  case written(FilePath)
  case removed(FilePath)
  case moved(FilePath, to: FilePath)
  /// Folders have come or gone, or so much happened that not all of it is known: all must be gone through again.
  case unclear
}

/// Tells what changes in folders (inotify(7)). Nothing wakes while nothing changes.
public final class FolderWatch: Sendable {
  /// What has changed, since who takes it asked last. To be taken by one.
  public let changes: AsyncStream<[FolderChange]>

  private let descriptor: Int32
  /// Dispatch lets any thread cancel it, but does not say so to the compiler.
  private nonisolated(unsafe) let source: any DispatchSourceRead
  /// The folders, by their watches' numbers.
  private let folders: Watched

  private final class Watched: Sendable {
    let paths = Mutex<[Int32: WatchedFolder]>([:])
  }

  private static let events = UInt32(
    IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR | IN_EXCL_UNLINK)
  /// What is asked of the folders above: whether one of them goes, or what is missing in it comes.
  private static let departures = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let arrivals = departures | UInt32(IN_CREATE | IN_MOVED_TO)

  /// Nil where the system has no more of them to give (fs.inotify.max_user_instances).
  public init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: [FolderChange].self)
    (changes, folders) = (stream, Watched())
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [descriptor, folders] in
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return }
      let changes = folders.paths.withLock { InotifyEvents.changes(chunk[..<count], in: &$0) }
      if !changes.isEmpty { continuation.yield(changes) }
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

  /// Watches a folder, not those in it, from now on.
  ///
  /// - Returns: Whether it can be watched; the system has a limit (fs.inotify.max_user_watches).
  @discardableResult
  public func add(_ folder: FilePath) -> Bool {
    add(WatchedFolder(path: folder), events: Self.events)
  }

  /// Watches the folders above a path, so that it's noticed when one of them goes, and when the path comes (again).
  ///
  /// To be called before ``add(_:)``, since a folder has one watch.
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
    folders.paths.withLock { paths in
      let number = folder.path.withCString { inotify_add_watch(descriptor, $0, events) }
      guard number >= 0 else { return false }
      // One that was moved keeps its number.
      paths[number] = folder
      return true
    }
  }
}

/// A folder of which the kernel tells what changes.
struct WatchedFolder: Hashable, Sendable {
  let path: FilePath
  /// The only name in it that matters; nil if all of them do.
  var awaited: [UInt8]?
}

/// The kernel's messages, as inotify(7) has them.
enum InotifyEvents {
  /// - Parameter folders: By their watches' numbers; those that are watched no more are taken out.
  static func changes(_ bytes: ArraySlice<UInt8>, in folders: inout [Int32: WatchedFolder]) -> [FolderChange] {
    var changes: [FolderChange] = []
    /// What was moved away, by the cookie that its arrival will have.
    var leaving: [UInt32: Int] = [:]
    var rest = bytes
    let headerSize = MemoryLayout<inotify_event>.size
    while rest.count >= headerSize {
      let header = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
      let name = rest.dropFirst(headerSize).prefix(Int(header.len)).prefix { $0 != 0 }
      rest = rest.dropFirst(headerSize + Int(header.len))
      func has(_ flag: Int32) -> Bool { header.mask & UInt32(bitPattern: flag) != 0 }
      let folder = folders[header.wd]
      if has(Int32(IN_IGNORED)) { folders[header.wd] = nil }
      if [IN_Q_OVERFLOW, IN_DELETE_SELF, IN_MOVE_SELF, IN_UNMOUNT].contains(where: { has(Int32($0)) }) {
        changes.append(.unclear)
      }
      guard !name.isEmpty, let folder else { continue }
      if let awaited = folder.awaited {
        if name.elementsEqual(awaited) { changes.append(.unclear) }
        continue
      }
      let path = folder.path.appending(name)
      if has(Int32(bitPattern: UInt32(IN_ISDIR))) {
        // Rights and times of folders say nothing of photos, but may open a folder.
        changes.append(.unclear)
      } else if has(Int32(IN_MOVED_FROM)) {
        leaving[header.cookie] = changes.count
        changes.append(.removed(path))
      } else if has(Int32(IN_MOVED_TO)), let index = leaving.removeValue(forKey: header.cookie),
        case .removed(let old) = changes[index]
      {
        changes[index] = .moved(old, to: path)
      } else if has(Int32(IN_DELETE)) {
        changes.append(.removed(path))
      } else {
        changes.append(.written(path))
      }
    }
    return withoutRepetitions(changes)
  }

  /// A copy of many files, or of a tree, says the same over and over.
  private static func withoutRepetitions(_ changes: [FolderChange]) -> [FolderChange] {
    if changes.contains(.unclear) { return [.unclear] }
    var result: [FolderChange] = []
    for change in changes where change != result.last { result.append(change) }
    return result
  }
}
