import Foundation
import Gallery

@testable import Images

/// A folder for a test's files, and the workers that read their metadata.
@MainActor
final class MetadataFolder {
  let path = FilePath(FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)
  let workers = MetadataWorkers(workerPath: ImageLoaderTests.readerPath, workerCount: 2)

  init() throws {
    try FileManager.default.createDirectory(atPath: path.printable, withIntermediateDirectories: true)
  }

  isolated deinit {
    try? FileManager.default.removeItem(atPath: path.printable)
  }

  func write(_ bytes: some Collection<UInt8>, as name: String) throws -> FilePath {
    let file = path.appending(name.utf8)
    try Data(bytes).write(to: URL(filePath: file.printable))
    return file
  }
}
