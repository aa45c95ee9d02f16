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

  /// Whether a copy may be removed, as it is not the last one.
  var isRemovable: Bool { isRemovable(at: source) }

  /// Whether a copy that is at a path now may be removed: its original is at the target. That of a sidecar may have been written since.
  /// Shots of a burst may have the same size and time, but their first bytes differ.
  private func isRemovable(at path: FilePath) -> Bool {
    guard let original, path.stamp == original else { return FileCopy.hasSameContent(path, target) }
    if target.stamp != original {
      return target.isThere && (PhotoName.isSidecar(source.name) || FileCopy.hasSameContent(path, target))
    }
    guard let beginning = try? ImportedContent.Beginning(of: path) else { return FileCopy.hasSameContent(path, target) }
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
      guard state == .toBeMade, isRemovable, try source.remove(version, if: isRemovable) else {
        throw SystemError(EEXIST)
      }
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
      guard try source.remove(version, if: { FileCopy.hasSameContent($0, target) }) else { throw SystemError(EEXIST) }
      return
    }
    let result = source.withCString { source in target.withCString { move_without_replacing(source, $0) } }
    if result == 0 { return }
    guard errno == EXDEV else { throw SystemError(errno) }
    // A file that can't be removed isn't copied.
    guard source.folder.withCString({ access($0, W_OK) }) == 0 else { throw SystemError(errno) }
    try FileCopy.copy(source, to: target, work)
    let copied = target.version
    do throws(SystemError) {
      // Another program may have put another file there since, which stays.
      let isRemoved = try source.remove(version) { path in
        path.version == version && copied != nil && target.version == copied
          || FileCopy.hasSameContent(path, target)
      }
      guard isRemoved || target.isThere else { throw SystemError(EEXIST) }
    } catch {
      // Somebody has removed it meanwhile, or its disk is not there: then the copy is the last one.
      guard source.isThere else { return }
      // The folder may have been replaced since.
      guard FileCopy.hasSameContent(source, target), !source.isSameFile(as: target) else { throw error }
      _ = try? target.remove(copied) { FileCopy.hasSameContent(source, $0) }
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
  /// Removes a file if a condition holds when it is at another path, where no other copy of the program takes it for a photo. Of two that
  /// remove each other's original in the same instant, at least one sees that the other's is gone.
  ///
  /// - Parameter version: The version for which the condition was met before. Some disks give a file another number.
  /// - Returns: Whether it was removed. Otherwise, it is where it was.
  fileprivate func remove(_ version: Version?, if isSpare: (_ path: FilePath) -> Bool) throws(SystemError) -> Bool {
    do throws(AtomicFile.Failure) {
      return try AtomicFile.delete(
        self, sync: { _ in 0 }, at: hidden, otherwise: numbered,
        if: { path in path == self && path.version == version || isSpare(path) })
    } catch {
      throw SystemError(error.code)
    }
  }

  /// The path of a file that is being removed, the same at each attempt.
  var hidden: FilePath { folder.appending(Array(".".utf8) + name.prefix(200) + Array(".tintype-gone".utf8)) }

  /// What tells a file from others and from its own later versions.
  fileprivate struct Version: Equatable {
    let identity: Identity
    let stamp: FileMove.Stamp
  }

  /// The version of the file; nil if there is none.
  fileprivate var version: Version? {
    status.map { Version(identity: Identity($0), stamp: FileMove.Stamp($0)) }
  }

  /// The path with a number behind the stem, such as `a-2.jpg`.
  fileprivate func numbered(_ number: Int) -> FilePath {
    let stem = PhotoName.stem(self).bytes
    return FilePath(stem + "-\(number)".utf8 + bytes.dropFirst(stem.count))
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
