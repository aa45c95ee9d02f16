import CArchivePlugin
import Gallery
import ImageWire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open archive, and the entry at which its reader is.
final class OpenArchive {
  /// An entry.
  struct Entry {
    /// The path as the archive says it.
    let name: [UInt8]
    /// The number of bytes, or 0 if the archive does not say.
    let size: Int
    let modifiedAt: Int
    let isFile: Bool
    let isEncrypted: Bool
    /// The number of entries before it.
    let place: Int
  }

  let identity: ArchiveIdentity
  /// The number of entries that have been passed.
  private(set) var position = 0
  private let plugin: ArchivePlugin
  private let descriptor: Int32
  private var reader: OpaquePointer?
  private var entry: Entry?
  /// The bytes that were unpacked since the start.
  private var byteCount = 0
  /// The places of the entries that have been found so far, by their names in the path of a photo. Of several entries of one name,
  /// the first counts.
  private var places: [[UInt8]: Int] = [:]
  private var foundCount = 0
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(_ archive: Int32, _ identity: ArchiveIdentity, _ plugin: ArchivePlugin) throws(ImageFault) {
    self.identity = identity
    self.plugin = plugin
    descriptor = dup(archive)
  }

  deinit {
    if let reader { plugin.close(reader) }
    close(descriptor)
  }

  /// Whether all entries before one have to be unpacked to get to it.
  var isSequential: Bool { reader.map { plugin.is_sequential($0) != 0 } ?? false }

  /// Returns the next entry, or nil behind the last one.
  func next() throws(ImageFault) -> Entry? {
    guard position < ArchiveFault.mostEntries else { throw .archive(.tooMuch) }
    if reader == nil { try start() }
    guard let reader else { return nil }
    var found = ArchiveEntry()
    let code = plugin.next(reader, &found)
    guard code >= 0 else { throw failure() }
    entry = nil
    guard code > 0 else { return nil }
    let entry = Entry(
      name: found.name.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? [],
      size: max(0, Int(found.size)), modifiedAt: Self.time(found.modified_at), isFile: found.is_file != 0,
      isEncrypted: found.is_encrypted != 0, place: position)
    self.entry = entry
    position += 1
    if position > foundCount {
      foundCount = position
      if entry.isFile, let name = Self.key(entry.name), places[name] == nil { places[name] = entry.place }
    }
    return entry
  }

  /// Whether no earlier entry has the same name.
  func isFirst(_ entry: Entry) -> Bool { Self.key(entry.name).map { places[$0] == entry.place } ?? false }

  /// Goes behind so many entries.
  func go(to count: Int) throws(ImageFault) {
    if count < position { try start() }
    while position < count, try next() != nil {}
  }

  /// Goes to the entry of a name.
  func go(to name: [UInt8]) throws(ImageFault) {
    if let place = places[name] {
      try go(to: place)
      _ = try next()
    } else {
      try go(to: foundCount)
      while let found = try next(), Self.key(found.name) != name {}
    }
    guard let entry, Self.key(entry.name) == name else { throw .archive(.noEntry) }
  }

  /// Unpacks the entry to a file, and returns its size.
  func unpack(to file: Int32) throws(ImageFault) -> Int {
    if entry?.isEncrypted == true { throw .archive(.encrypted) }
    guard let entry, entry.size <= ArchiveFault.mostBytesOfEntry else { throw .archive(.tooLarge) }
    _ = ftruncate(file, 0)
    var size = 0
    while let count = try read() {
      guard size + count <= ArchiveFault.mostBytesOfEntry else { throw .archive(.tooLarge) }
      guard pwrite(file, buffer, count, off_t(size)) == count else {
        throw .unreadable(reason: String(cString: strerror(errno)))
      }
      size += count
    }
    return size
  }

  /// Unpacks the entry, and drops it.
  func pass() throws(ImageFault) { while try read() != nil {} }

  /// Reads the next bytes of the entry. Returns their number, or nil at its end.
  private func read() throws(ImageFault) -> Int? {
    guard let reader else { return nil }
    let count = Int(plugin.read(reader, &buffer, buffer.count))
    guard count >= 0 else { throw failure() }
    byteCount += count
    guard byteCount <= ArchiveFault.mostBytes else { throw .archive(.tooMuch) }
    return count > 0 ? count : nil
  }

  /// Starts at the first entry.
  private func start() throws(ImageFault) {
    if let reader { plugin.close(reader) }
    entry = nil
    position = 0
    byteCount = 0
    reader = plugin.open(descriptor)
    if reader == nil { throw .archive(.damaged(reason: "")) }
  }

  private func failure() -> ImageFault {
    guard let reader else { return .archive(.noEntry) }
    switch plugin.failure(reader) {
    case ARCHIVE_ENCRYPTED: return .archive(.encrypted)
    case ARCHIVE_UNKNOWN: return .archive(.unknownFormat)
    default: return .archive(.damaged(reason: plugin.error(reader).map { String(cString: $0) } ?? ""))
    }
  }

  /// Returns the name of an entry in the path of its photo.
  private static func key(_ name: [UInt8]) -> [UInt8]? { FilePath("/").entry(name).map { Array($0.bytes.dropFirst()) } }

  /// Returns a time of an archive if it is one of the years from 1970 to 2261.
  private static func time(_ seconds: Int64) -> Int {
    ArchiveListing.Entry.times.contains(Int(seconds)) ? Int(seconds) : 0
  }
}

/// The properties by which an archive is the same as before.
struct ArchiveIdentity: Equatable {
  private let device: UInt64
  private let file: UInt64
  private let size: Int
  /// The time of the last change in nanoseconds since 1970.
  let modifiedAt: Int

  init(_ descriptor: Int32) {
    var status = stat()
    fstat(descriptor, &status)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    file = UInt64(status.st_ino)
    size = Int(status.st_size)
    modifiedAt = status.modificationTime
  }
}
