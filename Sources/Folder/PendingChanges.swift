import Gallery

/// The changes of a folder that wait for its reader.
///
/// Thousands of files can change while the reader is still at work on the changes before. Repetitions are left out:
///
/// ```swift
/// var pending = PendingChanges()
/// pending.add([.written("a.jpg"), .written("b.jpg")])
/// pending.add([.written("a.jpg")])
/// pending.take()  // [.written("a.jpg"), .written("b.jpg")]
/// ```
struct PendingChanges: Sendable {
  private var changes: [FolderChange] = []
  /// The files that are known to be written since the last removal or move, after which a name may mean another file.
  private var written: Set<FilePath> = []

  /// The most changes. With more, it is quicker to read the folder again; the kernel, too, keeps as many events at most
  /// (inotify(7), `max_queued_events`).
  private static let mostChanges = 16_384

  /// Adds changes that follow the others.
  mutating func add(_ new: [FolderChange]) {
    for change in new {
      switch change {
      case .unclear:
        changes = [.unclear]
        written = []
      case _ where changes == [.unclear]: break
      case .written(let path):
        if written.insert(path).inserted { changes.append(change) }
      case .removed, .moved:
        written = []
        changes.append(change)
      }
    }
    if changes.count > Self.mostChanges { add([.unclear]) }
  }

  /// Removes and returns all changes.
  mutating func take() -> [FolderChange] {
    defer { self = PendingChanges() }
    return changes
  }
}
