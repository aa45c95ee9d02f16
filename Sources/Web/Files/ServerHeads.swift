import Folder
import Foundation
import Gallery
import HTTP
import Photos
import Store

/// Reads the metadata of files on a server from their first parts. These are in the cache for images from the web, where the previews
/// in them are found, or in files for as long as that takes.
struct ServerHeads: Sendable {
  /// Returns the path of the first part of an image in a cache, which is fetched by a request; nil if the cache does not accept it.
  typealias Cache = @Sendable (_ request: HTTPRequest) async throws(HTTPError) -> String?

  let server: any FileServer
  let client: HTTPClient
  let cached: Cache
  let read: FolderService.Reader

  /// The number of bytes that are fetched of files that may have their metadata behind the image, such as PNG and WebP.
  private static let longest = 16 << 20

  /// Whether the metadata of a file is in front of its image.
  private static func isInFront(_ name: ArraySlice<UInt8>) -> Bool {
    let suffix = String(decoding: name, as: UTF8.self).lowercased().split(separator: ".").last ?? ""
    return ["jpg", "jpeg", "jpe"].contains(suffix) || name.withUnsafeBufferPointer(PhotoKind.init(name:)) == .raw
  }

  /// Returns the metadata of a photo; nil if the server can't be reached.
  /// - Parameters:
  ///   - photo: The photo with its paths in the index.
  ///   - stamp: The size and the version of the file.
  func metadata(of photo: FoundPhoto, _ stamp: PhotoIndex.Stamp) async -> Result<MetadataRecord, PhotoFault>? {
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
      if let from = photo.sidecar, let sidecar { try await fetch(path(of: from), to: sidecar, prefix: nil) }
      var result: Result<MetadataRecord, PhotoFault>?
      let isInFront = Self.isInFront(photo.path.name)
      for length in isInFront ? FileServerAddress.heads : [FileServerAddress.heads[0], Self.longest] {
        try await fetchHead(of: path(of: photo.path), stamp, to: file, length)
        result = await read([FoundPhoto(path: file, sidecar: sidecar)]).first.map { complete($0, size: stamp.size) }
        let isSized = (try? result?.get()).map { $0.metadata.width > 0 } == true
        if (1...length).contains(stamp.size) || isInFront && isSized { break }
      }
      return result
    } catch {
      switch error {
      // No range of an empty file can be satisfied.
      case .refused(_, 416, _): return .failure(.empty)
      // Another file may be sent.
      case .refused(_, let status, _) where status != 429 && status != 503: break
      case _ where error.isOutage || error == .cancelled: return nil
      default: break
      }
      return .failure(.unreadable(reason: APIError(error).message))
    }
  }

  /// Returns the metadata with the size of the whole file. Its image isn't cut off, although only its first part was read.
  private func complete(
    _ result: Result<MetadataRecord, PhotoFault>, size: Int
  ) -> Result<MetadataRecord, PhotoFault> {
    guard case .success(let record) = result else { return result }
    var metadata = record.metadata
    metadata.fileSize = size
    metadata.isCutOff = false
    return .success(MetadataRecord(metadata))
  }

  /// Returns the path on the server.
  private func path(of local: FilePath) -> FilePath {
    FilePath(Array(local.bytes.dropFirst(server.address.base.utf8.count)))
  }

  private func fetchHead(
    of path: FilePath, _ stamp: PhotoIndex.Stamp, to file: FilePath, _ count: Int
  ) async throws(HTTPError) {
    // It may be a link to a part that the cache has.
    _ = file.withCString { unlink($0) }
    var request = server.server.request(server.address.image(path, version: stamp.modifiedAt))
    request.prefix = count
    // Only the part with the preview is requested again, for the image.
    let hasPreview = server.server.previewSize(of: request.address) == count
    guard hasPreview, let kept = try await cached(request) else {
      return try await fetch(path, to: file, prefix: count)
    }
    // The name says what the file is.
    guard file.withCString({ symlink(kept, $0) }) == 0 else { throw .unwritable(.cannotReadBack(path: file.printable)) }
  }

  private func fetch(_ path: FilePath, to file: FilePath, prefix: Int?) async throws(HTTPError) {
    let descriptor = file.withCString { open($0, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw .unwritable(.cannotReadBack(path: file.printable)) }
    defer { close(descriptor) }
    var request = server.request(path)
    request.destination = .file(descriptor: descriptor)
    request.prefix = prefix
    if prefix == nil { request.sizeLimit = SidecarOnServer.largest }
    _ = try await client.send(request)
  }
}
