import Foundation
import Gallery
import Synchronization
import TestLimit
import Testing

@testable import Store

@Suite(.limited) final class CacheFolderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A file whose name came before its bytes would be empty after a power failure.
  @Test func theBytesReachTheDiskBeforeTheName() throws {
    let synced = Mutex<[(size: Int, hasName: Bool)]>([])
    let cache = CacheFolder(folder, budget: 1000) { [folder] descriptor in
      var status = stat()
      fstat(descriptor, &status)
      let entry = (Int(status.st_size), FileManager.default.fileExists(atPath: "\(folder)/a"))
      synced.withLock { $0.append(entry) }
      return fsync(descriptor)
    }
    try cache.write(Data("content".utf8), as: "a")
    #expect(synced.withLock { $0.map(\.size) } == [7])
    #expect(synced.withLock { $0.map(\.hasName) } == [false])
    #expect(try String(contentsOfFile: cache.path("a"), encoding: .utf8) == "content")
  }

  @Test func aFileThatDoesNotReachTheDiskIsRemoved() throws {
    let cache = CacheFolder(folder, budget: 1000) { _ in
      errno = EIO
      return -1
    }
    #expect(throws: WriteFault.self) { try cache.write(Data("content".utf8), as: "a") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }
}
