import CSystem
import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A move of one file to another path, or a copy. It never replaces a file.
struct FileMove: Hashable, Codable, Sendable {
  enum Kind: String, Codable {
    /// The file is renamed. To another file system it is copied, and taken away when the copy is complete.
    case move
    case copy
    /// The copy is removed, if it is one: the file at the target has the same content.
    case uncopy
  }

  var kind = Kind.move
  /// The path where the file is before the move.
  let source: FilePath
  /// The path where it is afterwards. The way back of a copy leads to the original.
  let target: FilePath
  /// The record of a trash about the file: created by the move into the trash, and removed by the way back.
  var record: TrashRecord?
  /// Whether the move leads out of the trash.
  var isRestoring = false

  /// The states of the file system that a move may find.
  enum State {
    case toBeMade, made
    /// The file is at neither path.
    case gone
    /// Another file is at the target.
    case occupied
  }

  /// The state of the file system.
  var state: State {
    let (isThere, isOccupied) = (source.isThere, target.isThere)
    switch kind {
    case .move: break
    case .copy:
      if isOccupied { return FileCopy.hasSameContent(source, target) ? .made : .occupied }
      return isThere ? .toBeMade : .gone
    case .uncopy:
      if !isThere { return .made }
      return isOccupied && FileCopy.hasSameContent(source, target) ? .toBeMade : .occupied
    }
    // Another file may have taken the name in the trash. The record says whose it is.
    let isOwn = record?.isWritten ?? true
    if isRestoring, isThere, !isOwn { return isOccupied ? .made : .gone }
    switch (isThere, isOccupied) {
    case (true, false): return .toBeMade
    case (true, true): return isCopied ? .toBeMade : .occupied
    case (false, true): return isRestoring || isOwn ? .made : .gone
    case (false, false): return .gone
    }
  }

  /// Whether a move to another file system was interrupted between the copy and the removal of the file.
  private var isCopied: Bool {
    source.folder.device != target.folder.device && FileCopy.hasSameContent(source, target)
  }

  /// The move back.
  var inverse: FileMove {
    switch kind {
    case .move:
      FileMove(source: target, target: source, record: record, isRestoring: record != nil && !isRestoring)
    case .copy: FileMove(kind: .uncopy, source: target, target: source)
    case .uncopy: FileMove(kind: .copy, source: target, target: source)
    }
  }

  /// Makes the move.
  /// - Throws: The number of the error, ``EEXIST`` if another file is at the target.
  func make() throws(SystemError) {
    switch kind {
    case .copy: try FileCopy.copy(source, to: target)
    case .uncopy: try source.remove()
    case .move:
      if !isRestoring { try record?.write() }
      do throws(SystemError) { try rename() } catch {
        if !isRestoring { record?.remove() }
        throw error
      }
      if isRestoring { record?.remove() }
    }
  }

  private func rename() throws(SystemError) {
    if isCopied { return try source.remove() }
    let result = source.withCString { source in target.withCString { move_without_replacing(source, $0) } }
    if result == 0 { return }
    guard errno == EXDEV else { throw SystemError(errno) }
    try FileCopy.copy(source, to: target)
    try source.remove()
  }
}

extension FilePath {
  fileprivate func remove() throws(SystemError) {
    if withCString({ unlink($0) }) != 0 { throw SystemError(errno) }
  }

  /// The number of the file system; nil if nothing is at the path.
  var device: dev_t? {
    var status = stat()
    return withCString { stat($0, &status) } == 0 ? status.st_dev : nil
  }

  /// Whether something is at the path, be it a link that leads nowhere.
  var isThere: Bool {
    var status = stat()
    return withCString { lstat($0, &status) } == 0
  }
}
