import CArchivePlugin
import Gallery
import ImageWire
import Metadata
import Photos

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// libarchive, which reads archives. It is loaded when it is first used.
///
/// Of most compressed archives, an entry can be unpacked only after all entries before it. So the archive that was read last stays
/// open, and later entries are read on from there.
final class ArchiveLibrary {
  /// The library's functions, or nil if it cannot be loaded.
  private lazy var plugin = Self.load()
  private var last: OpenArchive?
  private var unpacked = UnpackedEntries()

  /// The time for a part of a list.
  private static let timeOfPart = Duration.milliseconds(200)
  /// The most photos in a part of a list.
  private static let mostInPart = 1000

  /// The version of libarchive, or nil if the library cannot be loaded.
  var version: String? { plugin.flatMap { $0.version().map { String(cString: $0) } } }

  /// Unpacks the entry of an archive that a path leads to.
  ///
  /// - Parameters:
  ///   - archive: The open archive. Closes it.
  ///   - memory: An empty file in memory.
  func file(
    _ path: FilePath, entry: ArraySlice<UInt8>, of archive: Int32, memory: Int32
  ) throws(ImageFault) -> ImageFile {
    defer { close(archive) }
    let modifiedAt = ArchiveIdentity(archive).modifiedAt
    if let known = unpacked.descriptor(of: path, modifiedAt) {
      return try ImageFile(path: path, descriptor: known, modifiedAt: modifiedAt)
    }
    let archive = try open(archive)
    try archive.go(to: Array(entry))
    let size = try archive.unpack(to: memory)
    unpacked.add(memory, size, of: path, modifiedAt)
    return try ImageFile(path: path, descriptor: dup(memory), modifiedAt: modifiedAt)
  }

  /// Lists photos of an archive for a short time.
  ///
  /// - Parameters:
  ///   - archive: The open archive. Closes it.
  ///   - memory: An empty file in memory.
  func listing(
    of path: FilePath, _ request: ListingRequest, archive: Int32, memory: Int32
  ) throws(ImageFault) -> ArchiveListing {
    defer { close(archive) }
    let archive = try open(archive)
    var listing = ArchiveListing()
    let end = ContinuousClock.now + Self.timeOfPart
    do throws(ImageFault) {
      try archive.go(to: request.start)
      while let found = try archive.next() {
        if let entry = try entry(found, in: path, archive, request, memory) { listing.entries.append(entry) }
        if FilePath("/").entry(found.name)?.isNamedAsArchive == true { listing.archives += 1 }
        guard listing.entries.count < Self.mostInPart, ContinuousClock.now < end else {
          listing.next = archive.position
          break
        }
      }
    } catch .archive(let fault) {
      // What comes before the fault can be shown.
      listing.fault = fault
    }
    return listing
  }

  /// Returns what is listed of an entry, or nil if it is no photo.
  private func entry(
    _ found: OpenArchive.Entry, in path: FilePath, _ archive: OpenArchive, _ request: ListingRequest, _ memory: Int32
  ) throws(ImageFault) -> ArchiveListing.Entry? {
    guard let place = path.entry(found.name), found.isPhoto, archive.isFirst(found) else {
      if archive.isSequential, found.isFile { try archive.pass() }
      return nil
    }
    var entry = ArchiveListing.Entry(
      name: Array(place.bytes.dropFirst(path.bytes.count + 1)), size: found.size, modifiedAt: found.modifiedAt)
    if found.isEncrypted {
      entry.result = .failure(.archive(.encrypted))
    } else if archive.isSequential || request.readsMetadata {
      entry.result = try metadata(of: place, isPage: path.isNamedAsComic, archive, memory)
    }
    return entry
  }

  /// - Parameter isPage: Whether an image is a page of a comic.
  private func metadata(
    of place: FilePath, isPage: Bool, _ archive: OpenArchive, _ memory: Int32
  ) throws(ImageFault) -> Result<MetadataRecord, PhotoFault> {
    do throws(ImageFault) {
      _ = try archive.unpack(to: memory)
      let file = try ImageFile(path: place, descriptor: dup(memory))
      return MetadataReader().metadata(of: file).map { found in
        var metadata = found
        if isPage, metadata.kind == .image { metadata.kind = .page }
        return MetadataRecord(metadata)
      }
    } catch {
      if error == .archive(.tooMuch) { throw error }
      return .failure(PhotoFault(error))
    }
  }

  /// Opens an archive, or returns the open one if it is the same file.
  private func open(_ archive: Int32) throws(ImageFault) -> OpenArchive {
    guard let plugin else { throw .archive(.noLibrary) }
    let identity = ArchiveIdentity(archive)
    if let last, last.identity == identity { return last }
    last = nil
    let opened = try OpenArchive(archive, identity, plugin)
    last = opened
    return opened
  }

  private static func load() -> ArchivePlugin? {
    Plugin.archive.load(ARCHIVE_PLUGIN_ENTRY, as: ArchivePlugin.self)
  }
}

extension OpenArchive.Entry {
  /// Whether the entry is listed, as far as its name and its type say.
  fileprivate var isPhoto: Bool {
    let parts = name.split(separator: UInt8(ascii: "/"))
    let isHidden = parts.contains { part in
      part.first == UInt8(ascii: ".") && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
    return isFile && !isHidden && parts.last.map(PhotoName.isPhoto) == true
      && name.count <= ArchiveListing.Entry.longestName
  }
}

/// The photos that were unpacked last, since one is asked for several times: for a preview, the image and its parts.
private struct UnpackedEntries {
  private struct Unpacked {
    let path: FilePath
    let modifiedAt: Int
    let descriptor: Int32
    let size: Int
  }

  /// The photos, the one that was used last at the end.
  private var all: [Unpacked] = []

  /// The most bytes of all photos but the last.
  private static let mostBytes = 64 << 20

  /// Returns a duplicate of the descriptor of an unpacked photo; nil if it is no longer kept.
  mutating func descriptor(of path: FilePath, _ modifiedAt: Int) -> Int32? {
    guard let index = all.firstIndex(where: { $0.path == path && $0.modifiedAt == modifiedAt }) else { return nil }
    all.append(all.remove(at: index))
    return all.last.map { dup($0.descriptor) }
  }

  mutating func add(_ descriptor: Int32, _ size: Int, of path: FilePath, _ modifiedAt: Int) {
    all.append(Unpacked(path: path, modifiedAt: modifiedAt, descriptor: dup(descriptor), size: size))
    while all.count > 1, all.reduce(0, { $0 + $1.size }) > Self.mostBytes { close(all.removeFirst().descriptor) }
  }
}
