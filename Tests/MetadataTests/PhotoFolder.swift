import Foundation
import Gallery
import Metadata

/// A folder for a test's files.
final class PhotoFolder {
  let path = FilePath(FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)

  init() throws {
    try FileManager.default.createDirectory(atPath: path.printable, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.printable) }

  func write(_ bytes: some Collection<UInt8>, as name: String) throws -> FilePath {
    let file = path.appending(name.utf8)
    try Data(bytes).write(to: URL(filePath: file.printable))
    return file
  }

  /// Writes a photo, and returns the metadata that the reader finds in it, without the size of the file and its kind.
  func metadata(of bytes: some Collection<UInt8>, sidecar: FilePath? = nil) throws -> PhotoMetadata {
    var metadata = try MetadataReader().metadata(of: FoundPhoto(path: write(bytes, as: "photo"), sidecar: sidecar))
      .get()
    metadata.fileSize = nil
    metadata.kind = nil
    return metadata
  }
}
