import Gallery

/// What of the file system is shown: a folder, or folders and photos that were named one by one.
public struct FolderScope: Sendable {
  /// Absolute.
  public let paths: [FilePath]
  private let named: Set<FilePath>
  /// Where the names that are shown start: below this folder are all.
  public let root: FilePath

  /// - Parameter folder: An absolute path.
  public init(folder: FilePath) {
    (paths, named, root) = ([folder], [folder], folder)
  }

  /// - Parameter paths: Absolute, of folders and photos; the order is kept.
  public init(named paths: [FilePath]) {
    (self.paths, named) = (paths, Set(paths))
    root = paths.dropFirst().reduce(paths.first?.folder ?? "/") { $0.commonFolder(with: $1.folder) }
  }

  /// Whether a file is in it, if it is there.
  func contains(_ path: FilePath) -> Bool {
    var path = path
    while !isNamed(path) {
      let folder = path.folder
      if folder == path { return false }
      path = folder
    }
    return true
  }

  /// Whether a file was named itself.
  func isNamed(_ path: FilePath) -> Bool { named.contains(path) }
}

extension FilePath {
  /// The innermost folder that has both, which are folders, or is one of them and has the other.
  fileprivate func commonFolder(with other: FilePath) -> FilePath {
    let names = zip(bytes.split(separator: UInt8(ascii: "/")), other.bytes.split(separator: UInt8(ascii: "/")))
    return names.prefix { $0 == $1 }.reduce("/") { $0.appending($1.0) }
  }
}
