import Gallery
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The place of a folder on the disks. If it changes, the path leads to another folder: a link has taken its place, or its disk is
/// not there.
struct FolderPlace: Hashable, Codable, Sendable {
  let folder: FilePath
  /// The path without links.
  private let resolved: FilePath
  /// The top folder of the disk.
  private let volume: FilePath

  /// The places that were found last, with what tells their folders from others. To find a place takes a dozen calls of the
  /// system, and each photo of a step asks for the same ones.
  private static let known = Mutex<[FilePath: (folder: Identity, place: FolderPlace)]>([:])
  private static let mostKnown = 100

  /// Finds out where a folder is, or where it would be created.
  init(_ folder: FilePath) {
    let identity = Identity(of: folder)
    if let known = Self.known.withLock({ $0[folder] }), known.folder == identity {
      self = known.place
      return
    }
    self.init(lookingAt: folder)
    guard let identity else { return }
    Self.known.withLock { known in
      if known.count >= Self.mostKnown { known = [:] }
      known[folder] = (identity, self)
    }
  }

  private init(lookingAt folder: FilePath) {
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

  /// The identity of a folder, which it keeps when it is moved and which no other folder has.
  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t

    /// Returns nil if nothing is at the path.
    init?(of folder: FilePath) {
      var status = stat()
      guard folder.withCString({ stat($0, &status) }) == 0 else { return nil }
      device = status.st_dev
      number = status.st_ino
    }
  }
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
