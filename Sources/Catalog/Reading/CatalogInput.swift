import Foundation
import Gallery
import Photos

/// The input that a catalog is read from. If the bytes are compressed with gzip (RFC 1952), they are decompressed.
final class CatalogInput {
  private let descriptor: Int32
  private let isOurs: Bool
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private var isFirst = true
  /// The number of bytes that have been read, before decompression.
  private var bytesRead = 0
  /// The size of the file in bytes, or nil if the input is not a regular file.
  private let byteCount: Int?
  private var inflater: Inflater?

  /// Opens a source.
  ///
  /// - Throws: `APIError` if the file does not exist, cannot be read, or is not a regular file.
  init(_ source: CatalogSource) throws(APIError) {
    switch source {
    case .file(let path):
      descriptor = try Self.open(path, name: source.name)
      isOurs = true
    case .stream(let stream, _):
      descriptor = stream
      isOurs = false
    }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    byteCount = isFile ? Int(status.st_size) : nil
  }

  deinit {
    buffer.deallocate()
    if isOurs { close(descriptor) }
  }

  /// The progress, or nil if the size of the input is unknown.
  var progress: PhotoSnapshot.Progress? {
    byteCount.map { PhotoSnapshot.Progress(done: bytesRead, total: $0, unit: .bytes) }
  }

  /// Whether a read would block because no bytes are available.
  var wouldWait: Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) == 0
  }

  /// Waits for bytes and passes them to `body`, decompressed and in pieces.
  ///
  /// - Parameter size: The maximum number of bytes to read, before decompression.
  /// - Returns: Whether there may be more bytes. It is false at the end of the input.
  func read(upTo size: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws(ReadingFault) -> Bool {
    var count = try fill(from: 0, upTo: size)
    if isFirst, count > 0 {
      isFirst = false
      // A pipe may deliver the two bytes of gzip's signature one by one.
      if count == 1, buffer[0] == Inflater.mark[0] { count += try fill(from: 1, upTo: size) }
      if buffer.prefix(count).starts(with: Inflater.mark) { inflater = try Inflater() }
    }
    guard let inflater else {
      body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return count > 0
    }
    if count == 0 { try inflater.finish() }
    try inflater.inflate(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), body)
    return count > 0
  }

  private func fill(from start: Int, upTo size: Int) throws(ReadingFault) -> Int {
    let space = buffer[start..<min(size, buffer.count)]
    while true {
      let count = Foundation.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: space).baseAddress, space.count)
      if count >= 0 {
        bytesRead += count
        return count
      }
      if errno != EINTR { throw .system(reason: String(cString: strerror(errno))) }
    }
  }

  /// Opens a regular file without blocking. Otherwise, a pipe or a device at the path could block forever.
  private static func open(_ path: FilePath, name: String?) throws(APIError) -> Int32 {
    let descriptor = path.withCString { Foundation.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .notFound(path: path.printable)
      case EACCES, EPERM: throw .permissionDenied(subject: path.printable)
      case let code:
        let reason = String(cString: strerror(code))
        throw .unreadableContent(source: name, .readingFailed(path: path.printable, reason: reason))
      }
    }
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    if kind == S_IFREG { return descriptor }
    close(descriptor)
    throw .unreadableContent(source: name, kind == S_IFDIR ? .folder : .notAFile)
  }
}
