import Gallery

/// Where a folder is on the disks. If that changes, the path leads to another folder: a link has taken its place, or its disk is
/// not there.
struct FolderPlace: Hashable, Codable, Sendable {
  let folder: FilePath
  /// The path without links.
  private let resolved: FilePath
  /// The top folder of the disk.
  private let volume: FilePath

  /// Finds out where a folder is, or where it would be created.
  init(_ folder: FilePath) {
    let nearest = folder.nearest
    let place = nearest.resolved ?? nearest
    self.folder = folder
    resolved = FilePath(place.bytes + folder.bytes.dropFirst(nearest.bytes.count))
    volume = place.volume
  }

  init(folder: FilePath, resolved: FilePath, volume: FilePath) {
    self.folder = folder
    self.resolved = resolved
    self.volume = volume
  }

  /// The paths, as a journal has them.
  var paths: [FilePath] { [folder, resolved, volume] }

  /// A sentence for a folder that is not there.
  var moved: String {
    localized("\(folder.printable) is not the folder that it was. Connect its disk, or put the folder back.")
  }

  /// Whether the path still leads there.
  var isCurrent: Bool { FolderPlace(folder) == self }
}

extension FilePath {
  /// The top folder of the disk of a folder whose path has no links.
  var volume: FilePath {
    let device = device
    var top = self
    while top != "/", top.folder.device == device { top = top.folder }
    return top
  }
}
