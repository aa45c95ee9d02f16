import Bundled
import Foundation
import Gallery
import Photos
import Services
import Store
import TestLimit
import Testing

@testable import Folder

extension FolderService {
  /// Makes a source whose files have no metadata, and of which those are missing that are not there.
  static func withoutMetadata(_ scope: FolderScope) -> FolderService {
    FolderService(
      scope: scope, index: PhotoIndex(folder: nil) { _ in }, readers: 1,
      read: {
        $0.map { photo in
          FileManager.default.fileExists(atPath: photo.path.printable)
            ? .success(MetadataRecord(PhotoMetadata())) : .failure(.missing)
        }
      })
  }
}

/// The photos of a collection, which changes while it is open.
@Suite(.limited) final class CollectionPhotosTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private let collections = KeptCollections(store: StateStore(folder: nil) { _ in })

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func file(_ name: String, isThere: Bool = true) throws -> FilePath {
    let url = folder.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    if isThere { try Data("x".utf8).write(to: url) }
    return FilePath(url.path)
  }

  private func change(_ body: (inout CollectionEdit) -> Void) async throws {
    var edit = CollectionEdit("Best")
    body(&edit)
    try await collections.make(edit)
  }

  private func source() -> CollectionPhotos {
    CollectionPhotos("best", service: collections, isWatching: true) { FolderService.withoutMetadata($0) }
  }

  @Test func photosOfSeveralFoldersAreInTheOrderOfTheCollection() async throws {
    let files = try ["x/c.jpg", "a.jpg", "x/b.jpg"].map { try file($0) }
    try await change { $0.insert(files, at: .last) }
    let snapshot = try await source().fetchComplete()
    #expect(snapshot.photos.map(\.name) == ["c.jpg", "a.jpg", "b.jpg"])
    // A list in sections and with stacks would have another order.
    #expect(!snapshot.capabilities.contains(.folders) && !snapshot.capabilities.contains(.stacking))
    #expect(snapshot.capabilities.contains(.moving) && snapshot.capabilities.decisions.contains(.rating))
  }

  @Test func missingPhotosKeepTheirPlaces() async throws {
    let files = try [file("a.jpg"), file("disk/b.jpg", isThere: false), file("c.jpg")]
    try FileManager.default.removeItem(at: folder.appending(path: "disk"))
    try await change { $0.insert(files, at: .last) }
    let snapshot = try await source().fetchComplete()
    #expect(snapshot.photos.map(\.name) == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(snapshot.problems.count == 1 && snapshot.photos[1].file == files[1] && snapshot.photos[1].metadata == nil)
  }

  @Test func changesAreFollowed() async throws {
    let files = try ["a.jpg", "b.jpg", "c.jpg"].map { try file($0) }
    try await change { $0.insert(files, at: .last) }
    var lists: [[String]] = []
    for await answer in source().fetchPhotos() {
      let snapshot = try answer.get()
      guard snapshot.isComplete else { continue }
      let names = snapshot.photos.map(\.name)
      if lists.last == names { continue }
      lists.append(names)
      switch lists.count {
      case 1: try await change { $0.insert([files[2]], at: .first) }
      case 2: try await change { $0.remove([files[0]]) }
      case 3:
        // A file that a step has renamed.
        let new = try file("d.jpg")
        try FileManager.default.removeItem(atPath: files[1].printable)
        try await collections.follow([MovedFile(from: files[1], to: new)])
      default: break
      }
      if names == ["c.jpg", "d.jpg"] { break }
    }
    #expect(lists.filter { $0.count > 2 } == [["a.jpg", "b.jpg", "c.jpg"], ["c.jpg", "a.jpg", "b.jpg"]])
    #expect(lists.contains(["c.jpg", "b.jpg"]))
  }

  /// A photo that another program deletes while its collection is open is shown as missing.
  @Test func aPhotoThatIsDeletedStaysInTheList() async throws {
    let files = try ["a.jpg", "b.jpg"].map { try file($0) }
    try await change { $0.insert(files, at: .last) }
    var isDeleted = false
    for await answer in source().fetchPhotos() {
      let snapshot = try answer.get()
      guard snapshot.isComplete else { continue }
      #expect(snapshot.photos.map(\.name) == ["a.jpg", "b.jpg"])
      if snapshot.problems.count == 1 { break }
      if !isDeleted { try FileManager.default.removeItem(atPath: files[0].printable) }
      isDeleted = true
    }
    #expect(isDeleted)
  }
}
