import Foundation
import Gallery
import Services
import Store

/// The folders of the file system as places to go to, and the places visited before.
public struct FolderPlaces: PlaceServiceProtocol {
  private let store: StateStore

  /// Creates the service.
  /// - Parameter store: The store of the places visited before.
  public init(store: StateStore) { self.store = store }

  /// Returns the folders in a folder. Links to folders are among them.
  @concurrent
  public func folders(in folder: FilePath) async -> [FilePath] {
    paths(in: folder) { path, type in
      let types = [UInt8(DT_DIR), UInt8(DT_LNK), UInt8(DT_UNKNOWN)]
      return types.contains(type) && (type == UInt8(DT_DIR) || path.isFolder)
    }
  }

  /// Returns the archives in a folder. Links to archives are among them.
  @concurrent
  public func archives(in folder: FilePath) async -> [FilePath] {
    paths(in: folder) { path, type in path.isNamedAsArchive && (type == UInt8(DT_REG) || path.isFile) }
  }

  /// Returns the paths in a folder that are wanted, without hidden ones.
  /// - Parameter isWanted: Whether a path of a type of `readdir` is.
  private func paths(in folder: FilePath, where isWanted: (FilePath, UInt8) -> Bool) -> [FilePath] {
    guard let stream = folder.withCString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var paths: [FilePath] = []
    while let entry = readdir(stream) {
      let name = FolderWalk.name(entry)
      guard name.first != UInt8(ascii: ".") else { continue }
      let path = folder.appending(name)
      if isWanted(path, entry.pointee.d_type) { paths.append(path) }
    }
    return paths.sorted()
  }

  /// Returns the number of photos in a folder and below it, and the first one. If the task is canceled, stops counting.
  @concurrent
  public func summary(of folder: FilePath, upTo limit: Int) async -> FolderSummary {
    var summary = FolderSummary()
    for batch in FolderWalk([folder]) {
      if Task.isCancelled || summary.photoCount >= limit { break }
      summary.photoCount += batch.photos.count
      summary.cover = summary.cover ?? batch.photos.first.map { .file($0.path) }
    }
    return summary
  }

  /// Returns the places that were visited before, the last one first.
  public func recentPlaces() async throws(APIError) -> [Place] { try await store.recentPlaces() }

  /// Takes note that the user visits a place, and returns how the user has left it.
  public func visit(_ place: Place) async throws(APIError) -> PlaceState { try await store.visit(place) }

  /// Keeps the order in which the photos of a place are sorted.
  public func setOrder(_ order: String, of place: Place) async throws(APIError) {
    try await store.setOrder(order, of: place)
  }

  /// Keeps the photo that is highlighted in a place.
  public func setPhoto(_ photo: ImageLocation?, of place: Place) async throws(APIError) {
    try await store.setPhoto(photo, of: place)
  }

  /// Returns the folders to which photos were moved or copied, the last one first.
  public func recentDestinations() async throws(APIError) -> [FilePath] { try await store.recentDestinations() }

  /// Takes note that photos are moved or copied to a folder.
  public func use(destination: FilePath) async throws(APIError) { try await store.use(destination: destination) }
}
