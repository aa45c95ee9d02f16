import Glibc

// What the file system says of a path, whose bytes need not be UTF-8.
extension FilePath {
  /// The folder that the program works in.
  public static var workingFolder: FilePath {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return FilePath(Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
  }

  /// The path without links; nil if it leads nowhere.
  public var resolved: FilePath? {
    guard let path = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(path) }
    return FilePath(Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
  }

  /// Whether it leads to a folder.
  public var isFolder: Bool {
    var status = stat()
    return withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether it leads nowhere. A path that can't be followed (its folder is closed to the user, say) may lead somewhere.
  public var isMissing: Bool {
    var status = stat()
    return withCString { stat($0, &status) } != 0 && (errno == ENOENT || errno == ENOTDIR)
  }
}
