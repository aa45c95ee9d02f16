import Foundation
import Gallery
import Photos

/// The photos of a folder in the order of their names. Their paths are created when they are requested.
public struct FoundPhotos: RandomAccessCollection, Sendable {
  private let folder: FilePath
  private let names: FileNames
  /// The names of the sidecars in the folder.
  private let sidecars: Set<[UInt8]>

  init(_ names: FileNames = FileNames(), in folder: FilePath, sidecars: Set<[UInt8]> = []) {
    self.names = names
    self.folder = folder
    self.sidecars = sidecars
  }

  /// Creates a list of one photo.
  init(_ photo: FoundPhoto) {
    var names = FileNames()
    photo.path.name.withUnsafeBufferPointer { names.append($0) }
    self.init(names, in: photo.path.folder, sidecars: Set([photo.sidecar.map { Array($0.name) }].compactMap(\.self)))
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { names.count }

  public subscript(index: Int) -> FoundPhoto {
    let name = names[index]
    let sidecar = sidecars.isEmpty ? nil : PhotoName.sidecars(of: Array(name)).first(where: sidecars.contains)
    return FoundPhoto(path: folder.appending(name), sidecar: sidecar.map(folder.appending))
  }
}

extension FoundPhoto {
  /// Creates a photo with the sidecar that is next to its file now.
  init(at path: FilePath) {
    let sidecars = PhotoName.sidecars(of: Array(path.name)).map(path.folder.appending)
    self.init(path: path, sidecar: sidecars.first { $0.withCString { access($0, F_OK) } == 0 })
  }
}
