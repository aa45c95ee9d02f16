import CSystem
import Gallery
import Services
import Store

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Copies of one file in several places, for which the file is read once.
///
/// Each copy is written under a temporary name, flushed to the disk, read back and compared with what was read, and gets its name
/// only then. A place that fails does not disturb the others.
struct ContentCopy {
  /// The content of the file.
  let content: ImportedContent
  /// The errors of the places that failed; `EEXIST` if there is a file of the name, `EIO` if the copy differs.
  let failures: [FilePath: SystemError]

  /// Copies a file.
  /// - Parameter work: The work that gets the number of written bytes.
  /// - Throws: The number of the error if the file can't be read.
  init(of source: FilePath, to targets: [FilePath], _ work: StepWork) throws(SystemError) {
    let from = try ImportedContent.openFile(source)
    defer { close(from) }
    let status = try FileCopy.status(of: from)
    let copies = targets.map { PendingCopy($0) }
    content = try ImportedContent.read(from) { bytes throws(SystemError) in
      for copy in copies { copy.attempt { () throws(SystemError) in try copy.append(bytes, work) } }
    }
    for copy in copies {
      copy.attempt { [content] () throws(SystemError) in try copy.complete(content, like: from, status) }
    }
    failures = Dictionary(uniqueKeysWithValues: copies.compactMap { copy in copy.error.map { (copy.target, $0) } })
  }
}

/// A copy under a temporary name. It is removed unless it is completed.
private final class PendingCopy {
  let target: FilePath
  private var folder: HeldFolder?
  private var temporary: FilePath
  private var descriptor: Int32 = -1
  private var isPlaced = false
  private(set) var error: SystemError?

  init(_ target: FilePath) {
    self.target = target
    temporary = FileCopy.temporary(for: target)
    attempt { () throws(SystemError) in
      for folder in target.folder.missingFolders { try folder.createFolder(0o777) }
      let folder = try HeldFolder(target.folder)
      self.folder = folder
      temporary = FileCopy.temporary(for: folder.path.appending(target.name))
      // What an attempt that was interrupted has left.
      _ = temporary.withCString { unlink($0) }
      descriptor = try FileCopy.create(temporary)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    if !isPlaced { _ = temporary.withCString { unlink($0) } }
    close(descriptor)
  }

  /// Does something unless the copy has failed. An error makes it fail.
  func attempt(_ body: () throws(SystemError) -> Void) {
    guard error == nil else { return }
    do throws(SystemError) { try body() } catch { self.error = error }
  }

  func append(_ bytes: UnsafeRawBufferPointer, _ work: StepWork) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if count < 0, errno != EINTR { throw SystemError(errno) }
      done += max(0, count)
    }
    work.update { $0.copiedSize += Int64(bytes.count) }
  }

  func complete(_ content: ImportedContent, like from: Int32, _ status: stat) throws(SystemError) {
    // Memory cards have no permissions, so each file on them may be executed, and none changed on one that is read-only.
    try FileCopy.complete(descriptor, like: from, status, permissions: status.st_mode & 0o666 | 0o600)
    guard try ImportedContent(of: temporary) == content else { throw SystemError(EIO) }
    let target = temporary.folder.appending(target.name)
    let result = temporary.withCString { from in target.withCString { move_without_replacing(from, $0) } }
    guard result == 0 else { throw SystemError(errno) }
    isPlaced = true
    guard FileCopy.isOpen(descriptor, at: target) else { throw SystemError(EEXIST) }
    folder?.flush()
  }
}
