import Foundation
import Gallery
import Services
import Store

/// Finds out which files have the same bytes, and reads no more of them than that takes.
enum FileContents {
  /// The bytes at the beginning by which files of one size are told apart before they are read to the end. All raw files of
  /// some cameras have one size.
  private static let headSize = 1 << 16
  /// The bytes that are read at a time.
  private static let pieceSize = 1 << 20

  /// Returns the content of each file, or nil for one that can't be read. Ends early if the task is canceled.
  @concurrent
  static func read(_ files: [FilePath]) async -> [FileContent?] {
    var contents = files.map(status)
    for (_, sameSize) in groups(of: contents.indices, by: { contents[$0]?.size }) {
      for (_, sameHead) in groups(of: sameSize, by: { digest(of: files[$0], atMost: headSize) }) {
        for place in sameHead where !Task.isCancelled { contents[place]?.digest = digest(of: files[place]) }
      }
    }
    return contents
  }

  /// Returns the groups of at least two places that have the same key. A place without a key is in none.
  private static func groups<Key: Hashable>(
    of places: some Sequence<Int>, by key: (Int) -> Key?
  ) -> [Key: [Int]] {
    var groups: [Key: [Int]] = [:]
    for place in places where !Task.isCancelled { if let key = key(place) { groups[key, default: []].append(place) } }
    return groups.filter { $0.value.count > 1 }
  }

  private static func status(of path: FilePath) -> FileContent? {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileContent(
      size: Int(status.st_size),
      identity: FileContent.Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
  }

  /// Returns the digest of a file or of its beginning, or nil if it can't be read.
  private static func digest(of path: FilePath, atMost most: Int = .max) -> String? {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var (digest, rest) = (SHA256(), most)
    do {
      // At the end of the file, there is no piece.
      while rest > 0, let piece = try file.read(upToCount: min(pieceSize, rest)), !piece.isEmpty {
        if Task.isCancelled { return nil }
        digest.update(Array(piece))
        rest -= piece.count
      }
    } catch {
      return nil
    }
    return digest.finish()
  }
}
