import CSystem
import Workers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension ThumbnailCache {
  /// The most bytes that this program's large thumbnails take together.
  static let mostBytes = 512 << 20

  /// Removes large thumbnails of this program's until they take at most `bytes`, those first that were not used for the
  /// longest time. Thumbnails of other programs stay, and those of ``box``, which are small.
  func prune(to bytes: Int = mostBytes) {
    var own: [OwnThumbnail] = []
    for (name, box) in Self.sizes where Self.largeBoxes.contains(box) {
      for file in Limits.names(in: "\(folder)/\(name)") where file.hasSuffix(".png") {
        if let thumbnail = OwnThumbnail("\(folder)/\(name)/\(file)") { own.append(thumbnail) }
      }
    }
    var rest = own.reduce(0) { $0 + $1.size } - bytes
    guard rest > 0 else { return }
    for thumbnail in own.sorted(by: { $0.lastUse < $1.lastUse }) {
      guard rest > 0 else { break }
      if unlink(thumbnail.path) == 0 { rest -= thumbnail.size }
    }
  }
}

/// A thumbnail that this program has stored.
private struct OwnThumbnail {
  let path: String
  /// The size of the file in bytes.
  let size: Int
  /// The time of the last use in seconds since 1970. Systems note it once a day.
  let lastUse: Int

  /// The chunk with the program's name, and its place behind the signature and the header (PNG, third edition).
  private static let (mark, place) = (Array("tEXtSoftware\0\(ThumbnailCache.software)".utf8), off_t(8 + 25 + 4))

  /// Returns nil if there is no file, or another program's.
  init?(_ path: String) {
    let descriptor = open_without_use(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (status, start) = (stat(), [UInt8](repeating: 0, count: Self.mark.count))
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      pread(descriptor, &start, start.count, Self.place) == start.count, start == Self.mark
    else { return nil }
    self.path = path
    size = Int(status.st_size)
    lastUse = max(status.st_atim.tv_sec, status.st_mtim.tv_sec)
  }
}
