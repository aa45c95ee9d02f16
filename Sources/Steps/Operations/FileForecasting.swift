import Gallery
import Services

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileForecast {
  /// Looks at the files and at the folder they go to.
  init(_ change: FileChange, of files: [FilePath]) {
    self.init()
    for file in files {
      var status = stat()
      if file.withCString({ lstat($0, &status) }) == 0 { size += Int64(status.st_size) }
    }
    let folder: FilePath
    switch change {
    case .trash, .rename, .importing: return
    case .copy(let target, _), .move(let target, _): folder = target
    }
    takenCount = files.count { folder.appending($0.name).isThere }
    // On the same file system, a move needs no room.
    let isMove = if case .move = change { true } else { false }
    let nearest = folder.nearest
    if isMove, files.allSatisfy({ $0.folder.device == nearest.device }) { return }
    free = nearest.freeSize
  }

  /// Looks at the names of new files and at their folder.
  init(_ exports: [PhotoExport]) {
    self.init()
    takenCount = exports.count { $0.target.isThere }
    free = exports.first?.target.folder.nearest.freeSize
  }
}

extension FilePath {
  /// The number of bytes that are free on the file system; nil if that is unknown.
  fileprivate var freeSize: Int64? {
    var system = statvfs()
    guard withCString({ statvfs($0, &system) }) == 0 else { return nil }
    return Int64(system.f_bavail) * Int64(system.f_frsize)
  }
}
