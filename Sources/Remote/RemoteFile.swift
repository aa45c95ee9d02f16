import Gallery
import Steps

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension RemoteFile {
  /// The sidecars of a file.
  static func sidecars(of file: FilePath) -> [FilePath] { PhotoSidecars.paths(of: [file]) }

  /// Describes the files of a photo and their sidecars. Those that are gone are left out.
  @concurrent
  static func describe(_ files: [FilePath]) async -> [RemoteFile] {
    (files + PhotoSidecars.paths(of: files)).compactMap { path in
      var status = stat()
      guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return RemoteFile(path: path, size: Int64(status.st_size), modifiedAt: Int64(status.modificationTime))
    }
  }

  /// Returns a part of a file; fewer bytes than wanted at its end, or if it can't be read.
  @concurrent
  static func read(_ path: FilePath, from offset: Int64, atMost count: Int) async -> [UInt8] {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0, offset >= 0 else { return [] }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = 0
      while done < count {
        let more = pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset) + off_t(done))
        guard more > 0 else { break }
        done += more
      }
    }
  }
}
