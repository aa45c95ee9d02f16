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

  /// Creates the record. Its name reserves that of the file.
  func write() throws(SystemError) {
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

  func remove() { _ = path.withCString { unlink($0) } }
}
