import Foundation
import Gallery
import Services

/// The trash folders of a user (freedesktop.org Trash specification 1.0).
///
/// A file goes into a trash of its own file system, so that trashing is a move and nothing is copied: the user's home trash, or
/// the one at the top of the volume.
struct Trash: Sendable {
  /// The folder `$XDG_DATA_HOME/Trash`; nil if there is no home folder.
  let home: FilePath?
  var user = getuid()

  /// The folder of the trash for a file.
  struct Place: Equatable {
    let folder: FilePath
    /// The top folder of the volume, to which records are relative; nil in the home trash, whose records have whole paths.
    let top: FilePath?
  }

  /// The trash of the user who runs the program.
  static var own: Trash {
    let environment = ProcessInfo.processInfo.environment
    return Trash(home: XDGFolders(environment: environment).trash.map { FilePath($0) })
  }

  /// Returns the trash for a file, and creates nothing.
  /// - Throws: A ``StepFault`` if there is none on the file's volume.
  func place(for file: FilePath) throws(StepFault) -> Place {
    guard let folder = file.folder.resolved, let device = folder.device else {
      throw .noTrash(file, reason: String(cString: strerror(errno)))
    }
    if let home, home.nearestDevice == device { return Place(folder: home, top: nil) }
    let top = folder.volume
    // The administrator's folder is shared, so it has to protect the users from each other.
    let shared = top.appending(".Trash".utf8)
    if shared.isSafeForAll {
      return Place(folder: shared.appending("\(user)".utf8), top: top)
    }
    let own = top.appending(".Trash-\(user)".utf8)
    if own.isThere, !own.isOwnFolder(of: user) {
      throw .noTrash(file, reason: localized("\(own.printable) is a link or another user's"))
    }
    guard own.isThere || top.withCString({ access($0, W_OK) }) == 0 else {
      throw .noTrash(file, reason: localized("\(top.printable) can't be written"))
    }
    return Place(folder: own, top: top)
  }

  /// Creates the folders of a trash that are missing. They are the user's alone.
  func create(_ place: Place) throws(SystemError) {
    if place.top == nil {
      // $XDG_DATA_HOME itself may be missing.
      for folder in place.folder.folder.missingFolders { try folder.createFolder() }
    }
    for folder in [place.folder, place.folder.appending("files".utf8), place.folder.appending("info".utf8)] {
      try folder.createFolder()
    }
  }

  /// Returns the move of a file into the trash, under a name that is free.
  /// - Parameter taken: The paths that are reserved already.
  func move(of file: FilePath, to place: Place, at date: Date, besides taken: Set<FilePath>) -> FileMove {
    let (files, info) = (place.folder.appending("files".utf8), place.folder.appending("info".utf8))
    let original = place.top.map { top in
      // The record has the path below the top folder, without links.
      let path = (file.folder.resolved ?? file.folder).appending(file.name)
      return Array(path.bytes.dropFirst(top == "/" ? 1 : top.bytes.count + 1))
    }
    let text = """
      [Trash Info]
      Path=\(Self.encoded(original ?? file.bytes))
      DeletionDate=\(Self.text(of: date))

      """
    for number in 1... {
      let name = Array(Self.numbered(file.name, number))
      let target = files.appending(name)
      let record = info.appending(name + Array(".trashinfo".utf8))
      if taken.contains(target) || target.isThere || record.isThere { continue }
      return FileMove(source: file, target: target, record: TrashRecord(path: record, text: text))
    }
    return FileMove(source: file, target: files.appending(file.name))
  }

  /// Returns a name with a number before its suffix, such as `a.2.jpg`; the first one is the name itself. A name of nearly 255
  /// bytes is cut, so that there is room for the ending of its record.
  private static func numbered(_ name: ArraySlice<UInt8>, _ number: Int) -> [UInt8] {
    let ending = number == 1 ? [] : Array(".\(number)".utf8)
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    let suffix = ending + name[dot...].prefix(longestName / 2)
    return name[..<dot].prefix(longestName - suffix.count) + suffix
  }

  /// The most bytes of a name: 255 without those of `.trashinfo`.
  private static let longestName = 245

  /// Returns a path as records have it: percent-encoded (RFC 2396), but for slashes.
  private static func encoded(_ path: [UInt8]) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()/".utf8)
    return path.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// Returns a time as records have it: `2026-11-26T09:30:00` in the local zone.
  private static func text(of date: Date) -> String {
    var (time, parts) = (time_t(date.timeIntervalSince1970), tm())
    localtime_r(&time, &parts)
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
      parts.tm_min, parts.tm_sec)
  }
}

extension StepFault {
  fileprivate static func noTrash(_ file: FilePath, reason: String) -> StepFault {
    StepFault(
      title: localized("Can't move to the trash"),
      message: localized(
        "There is no trash for \(file.printable) (\(reason.printable)). Reject the photo instead, or move it to another disk."
      ),
      concernsFolder: true)
  }
}

extension FilePath {
  private var status: stat? {
    var status = stat()
    return withCString { lstat($0, &status) } == 0 ? status : nil
  }

  /// The number of the file system of the nearest folder that exists.
  fileprivate var nearestDevice: dev_t? { device ?? (self == "/" ? nil : folder.nearestDevice) }

  /// Whether the path is that of a folder in which everyone may create files and only remove their own: no link, with the sticky
  /// bit.
  fileprivate var isSafeForAll: Bool {
    guard let status else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_mode & mode_t(S_ISVTX) != 0
  }

  fileprivate func isOwnFolder(of user: uid_t) -> Bool {
    guard let status else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == user
  }

  /// Creates a folder, unless it exists.
  func createFolder(_ permissions: mode_t = 0o700) throws(SystemError) {
    if withCString({ mkdir($0, permissions) }) != 0, errno != EEXIST { throw SystemError(errno) }
  }
}
