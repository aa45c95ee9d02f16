import CSystem
import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The move of one file to another path of the same file system. It never replaces a file.
struct FileMove: Hashable, Codable, Sendable {
  /// The path where the file is before the move.
  let source: FilePath
  /// The path where it is afterwards.
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
    // Another file may have taken the name in the trash. The record says whose it is.
    let isOwn = record?.isWritten ?? true
    if isRestoring, isThere, !isOwn { return isOccupied ? .made : .gone }
    switch (isThere, isOccupied) {
    case (true, false): return .toBeMade
    case (true, true): return .occupied
    case (false, true): return isRestoring || isOwn ? .made : .gone
    case (false, false): return .gone
    }
  }

  /// The move back.
  var inverse: FileMove {
    FileMove(source: target, target: source, record: record, isRestoring: record != nil && !isRestoring)
  }

  /// Makes the move.
  /// - Throws: The number of the error, ``EEXIST`` if another file is at the target.
  func make() throws(SystemError) {
    if !isRestoring { try record?.write() }
    let result = source.withCString { source in target.withCString { move_without_replacing(source, $0) } }
    guard result == 0 else {
      let error = SystemError(errno)
      if !isRestoring { record?.remove() }
      throw error
    }
    if isRestoring { record?.remove() }
  }
}

/// The number of an error of the system (errno).
struct SystemError: Error, Equatable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  var reason: String { String(cString: strerror(number)) }
}

/// A record of the trash: the file `info/NAME.trashinfo`, which says where a file was (Trash specification 1.0).
struct TrashRecord: Hashable, Codable, Sendable {
  let path: FilePath
  let text: String

  /// Whether the record is on the disk.
  var isWritten: Bool { path.head(text.utf8.count + 1).elementsEqual(text.utf8) }

  /// Creates the record. Its name reserves that of the file.
  fileprivate func write() throws(SystemError) {
    if isWritten { return }
    let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    var text = text
    guard text.withUTF8({ Self.put($0, descriptor) }) == text.utf8.count else {
      let error = SystemError(errno)
      remove()
      throw error
    }
  }

  private static func put(_ bytes: UnsafeBufferPointer<UInt8>, _ descriptor: Int32) -> Int {
    // The method of the same name hides the function.
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  fileprivate func remove() { _ = path.withCString { unlink($0) } }
}

extension FilePath {
  /// Whether something is at the path, be it a link that leads nowhere.
  var isThere: Bool {
    var status = stat()
    return withCString { lstat($0, &status) } == 0
  }
}
