#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Questions to the file system. Paths are passed as bytes, which need not be UTF-8.
extension FilePath {
  /// The working folder of the program.
  public static var workingFolder: FilePath {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return FilePath(Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
  }

  /// The user's home folder; nil if there is none.
  public static var home: FilePath? {
    guard let path = getenv("HOME"), path[0] == CChar(UInt8(ascii: "/")) else { return nil }
    return FilePath(String(cString: path).utf8, in: "/")
  }

  /// Creates the path of a text that the user has typed: an absolute one, or one below a folder, or below the home with `~/`.
  public init(typed text: String, in folder: FilePath, home: FilePath? = .home) {
    if let (machine, _) = folder.remote, text.hasPrefix("\(machine):/") {
      self.init(FilePath(text.utf8.dropFirst(machine.utf8.count + 1), in: "/"), on: machine)
    } else if let home, text == "~" || text.hasPrefix("~/") {
      self.init(text.utf8.dropFirst(2), in: home)
    } else {
      self.init(text.utf8, in: folder)
    }
  }

  /// The path without symbolic links, or nil if nothing is there.
  public var resolved: FilePath? {
    guard let path = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(path) }
    return FilePath(Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
  }

  /// Whether the path leads to a folder.
  public var isFolder: Bool {
    var status = stat()
    return withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether the path leads to a regular file.
  public var isFile: Bool {
    var status = stat()
    return withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the first bytes of a regular file, or nothing if it can't be read.
  public func head(_ count: Int) -> [UInt8] {
    // Opening a pipe or a device could block.
    let descriptor = withCString { open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    return [UInt8](unsafeUninitializedCapacity: min(count, max(0, Int(status.st_size)))) { buffer, read in
      read = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  /// Whether nothing is at the path. A path that cannot be followed, for example for lack of permission, is not
  /// missing.
  public var isMissing: Bool {
    var status = stat()
    return withCString { stat($0, &status) } != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// Whether something is at the path, be it a link that leads nowhere.
  public var isThere: Bool {
    var status = stat()
    return withCString { lstat($0, &status) } == 0
  }

  /// The folders that have to be created before there is a folder at the path, the outermost first.
  public var missingFolders: [FilePath] { isThere || self == "/" ? [] : folder.missingFolders + [self] }
}
