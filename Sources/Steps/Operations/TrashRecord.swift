import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A record of the trash: the file `info/NAME.trashinfo`, which says where a file was (Trash specification 1.0).
struct TrashRecord: Hashable, Codable, Sendable {
  let path: FilePath
  let text: String

  /// Whether the record is on the disk.
  var isWritten: Bool { path.head(text.utf8.count + 1).elementsEqual(text.utf8) }

  /// Whether another file's record has the name.
  var isTaken: Bool { path.isThere && !isWritten }

  /// Creates the record. Its name reserves that of the file, so that it is whole from the first moment.
  func write() throws(SystemError) {
    if isWritten { return }
    do {
      let send: (([UInt8]) throws -> Void) throws -> Void = { try $0(Array(text.utf8)) }
      guard try AtomicFile.replace(path, sync: { _ in 0 }, if: .missing, send) else { throw SystemError(EEXIST) }
    } catch let failure as AtomicFile.Failure {
      throw SystemError(failure.code)
    } catch {
      throw error as? SystemError ?? SystemError(EIO)
    }
  }

  func remove() { _ = path.withCString { unlink($0) } }
}
