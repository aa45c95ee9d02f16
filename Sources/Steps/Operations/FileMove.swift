import CSystem
import Gallery
import Photos
import Services
import Store

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
  /// The state of the original when it was copied. A copy that is still like it is nobody's work.
  var original: Stamp?

  /// The size of a file in bytes, and the time of its last change in nanoseconds since 1970.
  struct Stamp: Hashable, Codable {
    let size: Int64
    let time: Int64
  }

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
      // A folder that was replaced by a link may lead to the original.
      if source.isSameFile(as: target) { return .occupied }
      if let original, source.stamp == original { return .toBeMade }
      return isOccupied && FileCopy.hasSameContent(source, target) ? .toBeMade : .occupied
    }
    // Another file may have taken the name in the trash. The record says whose it is.
    let isOwn = record?.isWritten ?? true
    if isRestoring, isThere, !isOwn { return isOccupied ? .made : .gone }
    switch (isThere, isOccupied) {
    case (true, false): return record?.isTaken == true ? .occupied : .toBeMade
    case (true, true): return isCopied ? .toBeMade : .occupied
    case (false, true): return isRestoring || isOwn ? .made : .gone
    case (false, false): return .gone
    }
  }

  /// Whether a copy may be removed, as it is not the last one: its original is at the target. That of a sidecar may have been written
  /// since. Shots of a burst may have the same size and time, but their first bytes differ.
  var isRemovable: Bool {
    guard let original, source.stamp == original else { return FileCopy.hasSameContent(source, target) }
    if target.stamp != original {
      return target.isThere && (PhotoName.isSidecar(source.name) || FileCopy.hasSameContent(source, target))
    }
    guard let beginning = try? ImportedContent.Beginning(of: source) else {
      return FileCopy.hasSameContent(source, target)
    }
    return beginning == (try? ImportedContent.Beginning(of: target))
  }

  /// Whether a move to another file system was interrupted between the copy and the removal of the file.
  private var isCopied: Bool {
    source.folder.device != target.folder.device && FileCopy.hasSameContent(source, target)
  }

  /// The size of the file in bytes if the move has to copy it; otherwise 0.
  var copiedSize: Int64 {
    var status = stat()
    guard kind != .uncopy, source.withCString({ lstat($0, &status) }) == 0 else { return 0 }
    if kind == .copy { return Int64(status.st_size) }
    let device = target.folder.device ?? target.folder.nearest.device
    return status.st_dev == device ? 0 : Int64(status.st_size)
  }

  /// The move back.
  var inverse: FileMove {
    switch kind {
    case .move:
      FileMove(source: target, target: source, record: record, isRestoring: record != nil && !isRestoring)
    case .copy: FileMove(kind: .uncopy, source: target, target: source, original: original ?? source.stamp)
    case .uncopy: FileMove(kind: .copy, source: target, target: source)
    }
  }

  /// Makes the move.
  /// - Throws: The number of the error, ``EEXIST`` if another file is at the target.
  ///
  /// - Parameters:
  ///   - isNew: Whether the move was planned just now. Otherwise, a crash may have interrupted it.
  ///   - work: The work that gets the number of copied bytes.
  func make(isNew: Bool = false, _ work: StepWork = StepWork()) throws(SystemError) {
    switch kind {
    case .copy: try FileCopy.copy(source, to: target, work)
    case .uncopy:
      let version = source.version
      let isUnchanged = state == .toBeMade && isRemovable
      guard isUnchanged, try source.remove(if: { $0.version == version }) else { throw SystemError(EEXIST) }
    case .move:
      if !isRestoring { try record?.write() }
      do throws(SystemError) { try rename(isNew: isNew, work) } catch {
        // Another copy of the program may have moved the file there, with the same record.
        if !isRestoring, source.isThere || !target.isThere { record?.remove() }
        throw error
      }
      if isRestoring { record?.remove() }
    }
  }

  private func rename(isNew: Bool, _ work: StepWork) throws(SystemError) {
    let version = source.version
    if !isNew, isCopied {
      _ = try source.remove { $0.version == version }
      return
    }
    let result = source.withCString { source in target.withCString { move_without_replacing(source, $0) } }
    if result == 0 { return }
    guard errno == EXDEV else { throw SystemError(errno) }
    // A file that can't be removed isn't copied.
    guard source.folder.withCString({ access($0, W_OK) }) == 0 else { throw SystemError(errno) }
    try FileCopy.copy(source, to: target, work)
    do throws(SystemError) {
      // Another program may have put another file there since. Some disks give a file another number.
      _ = try source.remove { $0.version == version || FileCopy.hasSameContent($0, target) }
    } catch {
      // Somebody has removed it meanwhile, or its disk is not there: then the copy is the last one.
      guard source.isThere else { return }
      // The folder may have been replaced since.
      let copied = target.version
      guard FileCopy.hasSameContent(source, target), !source.isSameFile(as: target) else { throw error }
      _ = try? target.remove { $0.version == copied }
      throw error
    }
  }
}

extension FileMove.Stamp {
  fileprivate init(_ status: stat) {
    self.init(size: Int64(status.st_size), time: Int64(status.modificationTime))
  }
}

extension FilePath {
  /// Removes a file. Returns whether it was there, and was what it should be.
  fileprivate func remove(if isCurrent: (FilePath) -> Bool) throws(SystemError) -> Bool {
    do throws(AtomicFile.Failure) { return try AtomicFile.delete(self, sync: { _ in 0 }, if: isCurrent) } catch {
      throw SystemError(error.code)
    }
  }

  /// What tells a file from others and from its own later versions.
  fileprivate struct Version: Equatable {
    let identity: Identity
    let stamp: FileMove.Stamp
  }

  /// The version of the file; nil if there is none.
  fileprivate var version: Version? {
    status.map { Version(identity: Identity($0), stamp: FileMove.Stamp($0)) }
  }

  private var status: stat? {
    var status = stat()
    return withCString { lstat($0, &status) } == 0 ? status : nil
  }

  /// Whether two paths lead to one file. Hard links to it are other files.
  fileprivate func isSameFile(as other: FilePath) -> Bool {
    guard let path = folder.resolved, path == other.folder.resolved else { return false }
    return name == other.name
  }

  /// The number of the file system; nil if nothing is at the path.
  var device: dev_t? {
    var status = stat()
    return withCString { stat($0, &status) } == 0 ? status.st_dev : nil
  }

  /// The size and time of a file; nil if there is none.
  var stamp: FileMove.Stamp? { status.map { FileMove.Stamp($0) } }

  /// What tells a file from others, whatever its name is.
  struct Identity: Hashable {
    let device: dev_t
    let number: ino_t

    fileprivate init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }
  }

  /// The identity of the file; nil if there is none, or if it has several names (hard links).
  var identity: Identity? {
    guard let status, status.st_nlink == 1 else { return nil }
    return Identity(status)
  }

  /// The path, or the nearest folder above it that exists.
  var nearest: FilePath { isThere || self == "/" ? self : folder.nearest }
}
