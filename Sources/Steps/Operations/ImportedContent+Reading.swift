import CSystem
import Gallery
import Store

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension ImportedContent {
  /// Reads a file. Its time of access stays, if the system allows that.
  init(of path: FilePath) throws(SystemError) {
    let file = try Self.openFile(path)
    defer { close(file) }
    self = try Self.read(file) { _ in }
  }

  /// Opens a regular file for reading.
  static func openFile(_ path: FilePath) throws(SystemError) -> Int32 {
    let quiet = path.withCString { open_without_use($0) }
    let file = quiet >= 0 ? quiet : path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    _ = try FileCopy.status(of: file)
    return file
  }

  /// Reads an open file to its end, and calls `body` with its bytes.
  static func read(
    _ file: Int32, _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(SystemError) -> ImportedContent {
    var (all, head, size) = (SHA256(), SHA256(), 0)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { block.deallocate() }
    while case let count = pread(file, block.baseAddress, block.count, off_t(size)), count != 0 {
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw SystemError(errno) }
      let bytes = UnsafeRawBufferPointer(rebasing: block[..<count])
      all.update(bytes)
      if size < headSize { head.update(UnsafeRawBufferPointer(rebasing: bytes.prefix(headSize - size))) }
      try body(bytes)
      size += count
    }
    return ImportedContent(Beginning(size: Int64(size), head: head.finish()), digest: all.finish())
  }
}

extension ImportedContent.Beginning {
  /// Reads the beginning of a file.
  init(of path: FilePath) throws(SystemError) {
    let file = try ImportedContent.openFile(path)
    defer { close(file) }
    let status = try FileCopy.status(of: file)
    let bytes = [UInt8](unsafeUninitializedCapacity: ImportedContent.headSize) { buffer, count in
      while count < buffer.count {
        let more = pread(file, buffer.baseAddress! + count, buffer.count - count, off_t(count))
        if more < 0, errno == EINTR { continue }
        if more <= 0 { break }
        count += more
      }
    }
    if bytes.count < min(ImportedContent.headSize, Int(status.st_size)) { throw SystemError(EIO) }
    var head = SHA256()
    head.update(bytes)
    self.init(size: Int64(status.st_size), head: head.finish())
  }
}
