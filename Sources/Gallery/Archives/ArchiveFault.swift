/// A reason why an archive, or an entry of one, cannot be read. The words for it are in ``clause``.
public enum ArchiveFault: Error, Hashable, Sendable {
  /// libarchive is not installed.
  case noLibrary
  /// The file is of none of the formats that are read.
  case unknownFormat
  /// The archive or the entry needs a password.
  case encrypted
  /// The archive is damaged or ends too soon. `reason` is the library's own, and is empty if there is none.
  case damaged(reason: String)
  /// There is no such entry.
  case noEntry
  /// The entry has more bytes than are unpacked.
  case tooLarge
  /// The archive has more entries than are listed, or more bytes than are unpacked for that.
  case tooMuch
}

extension ArchiveFault {
  /// The most bytes of an entry that are unpacked.
  public static let mostBytesOfEntry = 256 << 20
  /// The most entries that are read of an archive.
  public static let mostEntries = 100_000
  /// The most bytes of an archive that are unpacked to list it.
  public static let mostBytes = 16 << 30

  /// The fault as a printable clause.
  public var clause: String {
    switch self {
    case .noLibrary:
      localized("libarchive is not installed, or libtintype-archive.so is missing; see tintype doctor")
    case .unknownFormat: localized("it is no ZIP, TAR, 7z, RAR or PDF")
    case .encrypted: localized("it is encrypted; unpack it with its password first")
    case .damaged(let reason) where reason.isEmpty: localized("it is damaged or incomplete")
    case .damaged(let reason): localized("it is damaged or incomplete (\(reason.printable))")
    case .noEntry: localized("it has no such photo")
    case .tooLarge: localized("the photo has more than 256 MB; unpack the archive to see it")
    case .tooMuch: localized("only its first 100,000 entries and 16 GB are read")
    }
  }
}
