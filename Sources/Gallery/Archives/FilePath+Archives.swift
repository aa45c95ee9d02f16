#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Archives count as folders: the path of a photo in one is that of the archive, and then that in the archive.
extension FilePath {
  /// The ends of the names of archives, in lowercase.
  private static let archiveEndings = [
    ".zip", ".cbz", ".rar", ".cbr", ".7z", ".cb7", ".tar", ".cbt", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2",
    ".tar.xz", ".tar.zst", ".tar.lz4", ".tar.lzma", ".tar.lz", ".tar.z", ".pdf",
  ]
  .map { Array($0.utf8) }

  /// Whether the name is that of an archive.
  public var isNamedAsArchive: Bool {
    let end = name.suffix(10).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return Self.archiveEndings.contains { end.count > $0.count && end.suffix($0.count).elementsEqual($0) }
  }

  /// Whether the name is that of an archive whose images are the pages of a comic.
  public var isNamedAsComic: Bool { isNamedAsArchive && name.suffix(4).starts(with: ".cb".utf8, by: Self.isLetter) }

  private static func isLetter(_ byte: UInt8, _ letter: UInt8) -> Bool { byte | 0x20 == letter | 0x20 }

  /// Whether the path leads through what is named as an archive, be it a file or not.
  public var isInArchive: Bool {
    let folder = folder
    return folder.bytes.count > 1 && (folder.isNamedAsArchive || folder.isInArchive)
  }

  /// The file that the path leads through, and the number of bytes of the path in it; nil if the path leads through folders only.
  public var archive: (file: FilePath, entryCount: Int)? {
    var (file, status) = (folder, stat())
    // Nothing is below a file, so the first thing that is there decides.
    while file.bytes.count > 1 {
      if file.withCString({ stat($0, &status) }) == 0 {
        return status.st_mode & S_IFMT == S_IFREG ? (file, bytes.count - file.bytes.count - 1) : nil
      }
      file = file.folder
    }
    return nil
  }

  /// Returns the path of an entry of this archive. Parts of its name that would lead out of the archive are left out.
  public func entry(_ name: some Collection<UInt8>) -> FilePath? {
    let parts = name.split(separator: UInt8(ascii: "/")).filter { part in
      !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
    return parts.isEmpty ? nil : parts.reduce(self) { $0.appending($1) }
  }

  /// Whether this path comes before another one if numbers in both count by their value and letters without their case.
  public func precedesNaturally(_ other: FilePath) -> Bool {
    var (one, two) = (bytes[...], other.bytes[...])
    while let first = one.first, let second = two.first {
      if first.isDigit, second.isDigit {
        let (left, right) = (one.popNumber(), two.popNumber())
        if left.count != right.count { return left.count < right.count }
        if left != right { return left.lexicographicallyPrecedes(right) }
      } else {
        let (left, right) = (first.sortKey, second.sortKey)
        if left != right { return left < right }
        one.removeFirst()
        two.removeFirst()
      }
    }
    return one.isEmpty && two.isEmpty ? self < other : one.isEmpty
  }
}

extension UInt8 {
  /// The letter in lowercase. A slash comes first, so that the files of a folder follow each other.
  fileprivate var sortKey: UInt8 {
    if self == UInt8(ascii: "/") { return 0 }
    return (0x41...0x5A).contains(self) ? self | 0x20 : self
  }
}

extension ArraySlice<UInt8> {
  /// Removes the digits at the start, and returns them without leading zeros.
  fileprivate mutating func popNumber() -> ArraySlice<UInt8> {
    let digits = prefix { $0.isDigit }
    removeFirst(digits.count)
    return digits.drop { $0 == 0x30 }
  }
}
