import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An image's file, which is opened once: what is recognized is also what is decoded, even if another file takes its name
/// in the meantime.
public final class ImageFile {
  /// The path by which the file was opened.
  public let path: FilePath
  /// The format by the file's first bytes.
  public let format: ImageFormat
  /// The size in bytes.
  public let size: Int
  /// The time of the last change, in nanoseconds since 1970.
  public let modifiedAt: Int
  /// The index of the page that is shown of a document, counted from 0.
  public var page = 0
  /// The open file, which is closed together with this object.
  public let descriptor: Int32
  /// The bytes that were read last. Headers are read in steps of a few bytes, and one system call serves many of them.
  private var window: (start: Int, bytes: ArraySlice<UInt8>)

  private static let windowSize = 1 << 14

  /// Opens a file and recognizes its format.
  ///
  /// - Throws: An error if the file cannot be read, or is no image of a known format.
  public convenience init(path: FilePath) throws(ImageFault) {
    try self.init(path: path, descriptor: try Self.open(path))
  }

  /// Opens a file of any kind for reading, and returns the descriptor.
  public static func open(_ path: FilePath) throws(ImageFault) -> Int32 {
    // Opening a pipe or a device could block, so the file's type is checked before anything is read.
    let descriptor = path.withCString { openat(AT_FDCWD, $0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .missing : .unreadable(reason: String(cString: strerror(errno)))
    }
    return descriptor
  }

  /// Takes over a file that ``open(_:)`` has opened, and recognizes its format.
  ///
  /// - Parameter modifiedAt: The time of the last change in nanoseconds since 1970; nil for that of the file.
  /// - Throws: An error if the file is no image of a known format.
  public init(path: FilePath, descriptor: Int32, modifiedAt: Int? = nil) throws(ImageFault) {
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
    self.modifiedAt = modifiedAt ?? status.modificationTime
  }

  deinit { close(descriptor) }

  /// Returns the first bytes of a regular file, or nil if it cannot be read.
  static func contents(of path: FilePath, atMost count: Int) -> ArraySlice<UInt8>? {
    guard let descriptor = try? open(path) else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return read(descriptor, at: 0, count: min(count, Int(status.st_size)))
  }

  /// Returns `count` bytes from `offset` on, or fewer if the file ends before.
  public func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
    guard offset >= 0, offset < size, count > 0 else { return [] }
    let count = min(count, size - offset)
    // The indices of the result start at 0, whether the bytes come from the window or not.
    if hasWindow(at: offset, count: count) { return Array(bytesInWindow(at: offset, count: count))[...] }
    if count > Self.windowSize / 4 { return Self.read(descriptor, at: offset, count: count) }
    moveWindow(to: offset)
    return Array(bytesInWindow(at: offset, count: count))[...]
  }

  /// Returns the number that is stored in `count` bytes at `offset`, or nil if the file ends before.
  public func wholeNumber(at offset: Int, count: Int, _ order: ByteOrder) -> Int? {
    guard offset >= 0, offset <= size - count else { return nil }
    if !hasWindow(at: offset, count: count) { moveWindow(to: offset) }
    let bytes = bytesInWindow(at: offset, count: count)
    return bytes.count == count ? bytes.number(order) : nil
  }

  private func hasWindow(at offset: Int, count: Int) -> Bool {
    offset >= window.start && offset + count <= window.start + window.bytes.count
  }

  private func moveWindow(to offset: Int) {
    window = (offset, Self.read(descriptor, at: offset, count: min(Self.windowSize, size - offset)))
  }

  /// Returns bytes of the window without copying them, or fewer if the file has become shorter.
  private func bytesInWindow(at offset: Int, count: Int) -> ArraySlice<UInt8> {
    window.bytes.dropFirst(offset - window.start).prefix(count)
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
