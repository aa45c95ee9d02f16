import Gallery

/// The part of the file system that is shown: a folder, or folders and photos that the user named.
public struct FolderScope: Sendable {
  /// The absolute paths of the folders and photos.
  public let paths: [FilePath]
  private let named: Set<FilePath>
  /// The folder that contains all paths. Names are shown from here on.
  public let root: FilePath
  /// Whether named photos are shown even if they are missing.
  let keepsMissing: Bool
  /// The photo whose folder is shown without its subfolders, or nil if the scope is another one.
  let photo: FilePath?

  /// Creates a scope of one folder.
  /// - Parameter folder: An absolute path.
  public init(folder: FilePath) {
    paths = [folder]
    named = [folder]
    root = folder
    keepsMissing = false
    photo = nil
  }

  /// Creates a scope of a photo and the other photos in its folder.
  /// - Parameter photo: An absolute path. The photo is shown first, and even if it is hidden or left out by ignore rules.
  public init(photo: FilePath) {
    paths = [photo.folder]
    named = [photo.folder, photo]
    root = photo.folder
    keepsMissing = false
    self.photo = photo
  }

  /// Creates a scope of several folders and photos, and keeps their order.
  /// - Parameter paths: The absolute paths.
  public init(named paths: [FilePath]) { self.init(paths, keepsMissing: false) }

  /// Creates a scope of the photos in a collection, with those that are missing, and keeps their order.
  /// - Parameter paths: The absolute paths.
  public init(collected paths: [FilePath]) { self.init(paths, keepsMissing: true) }

  private init(_ paths: [FilePath], keepsMissing: Bool) {
    self.paths = paths
    self.keepsMissing = keepsMissing
    named = Set(paths)
    photo = nil
    root = paths.dropFirst().reduce(paths.first?.folder ?? "/") { $0.commonFolder(with: $1.folder) }
  }

  /// Returns whether a path is in the scope. The file need not exist.
  func contains(_ path: FilePath) -> Bool {
    if photo != nil { return path.folder == root }
    var path = path
    while !isNamed(path) {
      let folder = path.folder
      if folder == path { return false }
      path = folder
    }
    return true
  }

  /// Returns whether the path itself was named, rather than a folder that contains it.
  func isNamed(_ path: FilePath) -> Bool { named.contains(path) }
}

extension FilePath {
  /// Returns the innermost folder that contains this folder and the other one, or is one of the two.
  fileprivate func commonFolder(with other: FilePath) -> FilePath {
    let names = zip(bytes.split(separator: UInt8(ascii: "/")), other.bytes.split(separator: UInt8(ascii: "/")))
    return names.prefix { $0 == $1 }.reduce("/") { $0.appending($1.0) }
  }
}
