import Folder
import Foundation
import Gallery
import HTTP
import Photos

/// Reads the metadata of files on a server from their first parts, which are fetched into files for as long as that takes.
struct ServerHeads: Sendable {
  let server: any FileServer
  let client: HTTPClient
  let read: FolderService.Reader

  /// The numbers of bytes that are fetched: first those that most cameras need for the metadata, then as many as previews may take
  /// before it.
  private static let lengths = [64 << 10, 512 << 10]

  /// Returns the metadata of a photo; nil if the server can't be reached.
  /// - Parameters:
  ///   - photo: The photo with its paths in the index.
  ///   - size: The size of the file in bytes.
  func metadata(of photo: FoundPhoto, size: Int) async -> Result<MetadataRecord, PhotoFault>? {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      return .failure(.unreadable(reason: error.localizedDescription))
    }
    let file = FilePath(folder.path).appending(photo.path.name)
    let sidecar = photo.sidecar.map { FilePath(folder.path).appending($0.name) }
    do throws(HTTPError) {
      if let from = photo.sidecar, let sidecar { try await fetch(from, to: sidecar, prefix: nil) }
      var result: Result<MetadataRecord, PhotoFault>?
      for length in Self.lengths {
        try await fetch(photo.path, to: file, prefix: length)
        result = await read([FoundPhoto(path: file, sidecar: sidecar)]).first.map { complete($0, size: size) }
        if (1...length).contains(size) || (try? result?.get()).map({ $0.metadata.width > 0 }) == true { break }
      }
      return result
    } catch {
      if error.isOutage || error == .cancelled { return nil }
      return .failure(.unreadable(reason: APIError(error).message))
    }
  }

  /// Returns metadata with the size of the whole file, and without what is said of its missing rest.
  private func complete(
    _ result: Result<MetadataRecord, PhotoFault>, size: Int
  ) -> Result<MetadataRecord, PhotoFault> {
    guard case .success(let record) = result else { return result }
    var metadata = record.metadata
    metadata.fileSize = size
    metadata.isCutOff = false
    return .success(MetadataRecord(metadata))
  }

  private func fetch(_ path: FilePath, to file: FilePath, prefix: Int?) async throws(HTTPError) {
    let descriptor = file.withCString { open($0, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw .unwritable(.cannotReadBack(path: file.printable)) }
    defer { close(descriptor) }
    var request = server.request(FilePath(Array(path.bytes.dropFirst(server.address.base.utf8.count))))
    request.destination = .file(descriptor: descriptor)
    request.prefix = prefix
    if prefix == nil { request.sizeLimit = SidecarOnServer.largest }
    _ = try await client.send(request)
  }
}
