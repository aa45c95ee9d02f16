import Gallery
import Glibc

/// An image's file, opened once: what is looked at is what is decoded, whatever happens to its name meanwhile.
final class ImageFile {
  let path: FilePath
  let format: ImageFormat
  let size: Int
  /// When it was last changed, in nanoseconds since 1970.
  let modifiedAt: Int
  let descriptor: Int32
  /// Bytes that were read together, since what is in a file's heads is asked for some bytes at a time.
  private var window: (start: Int, bytes: ArraySlice<UInt8>)

  private static let windowSize = 1 << 14

  /// - Throws: ``ImageFailure`` where it is no image of a known format.
  init(path: FilePath) throws(ImageFailure) {
    // A pipe or a device could keep the opening waiting; what it is is looked at before a byte is read.
    let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .missing : .unreadable(reason: String(cString: strerror(errno)))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notAFile
    }
    guard status.st_size > 0 else {
      close(descriptor)
      throw .empty
    }
    let head = Self.read(descriptor, at: 0, count: min(Self.windowSize, Int(status.st_size)))
    guard let format = ImageFormat(head: head) else {
      close(descriptor)
      throw .unknownFormat
    }
    self.descriptor = descriptor
    self.path = path
    self.format = format
    window = (0, head)
    size = Int(status.st_size)
    modifiedAt = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
  }

  deinit { close(descriptor) }

  /// The first bytes of any regular file; nil where there is none to be read.
  static func contents(of path: FilePath, atMost count: Int) -> ArraySlice<UInt8>? {
    let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return read(descriptor, at: 0, count: min(count, Int(status.st_size)))
  }

  /// The name by which libvips opens it: it would take brackets in the file's own for options.
  var openName: String { "/proc/self/fd/\(descriptor)" }

  /// At most `count` bytes from `offset` on; fewer at the file's end.
  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
    guard offset >= 0, offset < size, count > 0 else { return [] }
    let count = min(count, size - offset)
    if count > Self.windowSize / 4 { return Self.read(descriptor, at: offset, count: count) }
    if offset < window.start || offset + count > window.start + window.bytes.count {
      window = (offset, Self.read(descriptor, at: offset, count: min(Self.windowSize, size - offset)))
    }
    // Counted from 0, as all that is read.
    return Array(window.bytes.dropFirst(offset - window.start).prefix(count))[...]
  }

  private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> ArraySlice<UInt8> {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      while read < count {
        let more = pread(descriptor, buffer.baseAddress.map { $0 + read }, count - read, off_t(offset + read))
        guard more > 0 else { return }
        read += more
      }
    }
    return bytes[...]
  }
}
