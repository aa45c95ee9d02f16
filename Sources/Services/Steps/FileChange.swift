import Gallery

/// A change of the places of photos' files, which the user has requested.
public enum FileChange: Hashable, Codable, Sendable {
  /// The files go to the trash.
  case trash
  /// The files go to a folder. If it has other files of their names, they get a number, or are skipped.
  case move(to: FilePath, isSkipping: Bool = false)
  /// Copies of the files go to a folder. If it has other files of their names, they get a number, or are skipped.
  case copy(to: FilePath, isSkipping: Bool = false)
  /// The names of the files begin with this in place of what they share.
  case rename(to: String)
  /// Copies of the files get these paths, up to their suffixes: first the one where the photo is used, then those of backups. If
  /// other files have them, they get a number.
  case importing(as: [FilePath])

  /// Whether the files go to another folder.
  public var isMove: Bool {
    switch self {
    case .trash, .move: true
    case .copy, .rename, .importing: false
    }
  }

  /// Returns the change of named photos in words, such as `Trash: a.jpg`.
  public func title(for name: String) -> String {
    switch self {
    case .trash: localized("Trash: \(name)")
    case .move(let folder, _): localized("Move \(name) to \(folder.printableName)")
    case .rename(let stem): localized("Rename \(name) to \(stem.printable)")
    case .copy(let folder, _): localized("Copy \(name) to \(folder.printableName)")
    case .importing: localized("Import: \(name)")
    }
  }
}
