import CSystem
import Gallery

/// The names that files can have on a disk.
struct NameRules {
  /// Whether the disk is one of a memory card or of Windows (FAT, exFAT or NTFS), which forbids characters and does not tell
  /// capitals from small letters.
  private let isWindows: Bool

  /// The most bytes of a name on usual file systems.
  private static let longest = 255

  init(isWindows: Bool) { self.isWindows = isWindows }

  /// The rules of the disk with a folder.
  init(_ folder: FilePath) {
    isWindows = folder.withCString { has_windows_names($0) } != 0
  }

  /// Checks the name of a path.
  func check(_ path: FilePath) throws(RenameFault) {
    let name = path.name
    if name.count > Self.longest { throw .tooLong }
    guard isWindows else { return }
    if let byte = name.first(where: { $0 < 0x20 || #""*:<>?\|"#.utf8.contains($0) }) {
      throw .forbidden(String(UnicodeScalar(byte)))
    }
    if let last = name.last, [UInt8(ascii: " "), UInt8(ascii: ".")].contains(last) {
      throw .forbidden(String(UnicodeScalar(last)))
    }
  }

  /// A path that is the same for all names that the disk takes for one.
  func folded(_ path: FilePath) -> FilePath {
    isWindows ? FilePath(Array(String(decoding: path.bytes, as: UTF8.self).lowercased().utf8)) : path
  }
}
