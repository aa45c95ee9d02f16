import Foundation
import Gallery
import Photos

/// The bytes of a catalog, unpacked if they are gzip's (RFC 1952).
final class CatalogInput {
  private let descriptor: Int32
  private let isOurs: Bool
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private var isFirst = true
  /// Packed as they are.
  private var bytesRead = 0
  /// Of a file.
  private let byteCount: Int?
  private var inflater: Inflater?

  /// - Throws: `APIError`, if what the source names is not there, not to be read, or not a file.
  init(_ source: CatalogLoading.Source) throws(APIError) {
    switch source {
    case .file(let path): (descriptor, isOurs) = (try Self.open(path, name: source.name), true)
    case .stream(let stream, _): (descriptor, isOurs) = (stream, false)
    }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    byteCount = isFile ? Int(status.st_size) : nil
  }

  deinit {
    buffer.deallocate()
    if isOurs { close(descriptor) }
  }

  /// How much has been read, where it is known how much there is.
  var progress: PhotoSnapshot.Progress? {
    byteCount.map { PhotoSnapshot.Progress(done: bytesRead, total: $0, unit: .bytes) }
  }

  /// Whether nothing has come that could be read at once.
  var wouldWait: Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) == 0
  }

  /// Waits for some bytes, at most so many, and hands them to `body`, unpacked and in pieces; false at the end.
  func read(upTo size: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws(ReadingFailure) -> Bool {
    var count = try fill(from: 0, upTo: size)
    if isFirst, count > 0 {
      isFirst = false
      // A pipe may give gzip's mark byte by byte.
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

  private func fill(from start: Int, upTo size: Int) throws(ReadingFailure) -> Int {
    let space = buffer[start..<min(size, buffer.count)]
    while true {
      let count = Foundation.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: space).baseAddress, space.count)
      if count >= 0 {
        bytesRead += count
        return count
      }
      if errno != EINTR { throw ReadingFailure(reason: "reading on failed (\(String(cString: strerror(errno))))") }
    }
  }

  /// Opens without waiting, which a pipe or a device under a catalog's name could make for ever.
  private static func open(_ path: FilePath, name: String) throws(APIError) -> Int32 {
    let descriptor = path.withCString { Foundation.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .notFound(path: path.printable)
      case EACCES, EPERM: throw .permissionDenied(subject: path.printable)
      case let code:
        let reason = String(cString: strerror(code))
        throw .unreadableContent(source: name, fault: "reading \(path.printable) failed (\(reason))")
      }
    }
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    if kind == S_IFREG { return descriptor }
    close(descriptor)
    throw .unreadableContent(source: name, fault: kind == S_IFDIR ? "it is a folder" : "it is not a regular file")
  }
}
