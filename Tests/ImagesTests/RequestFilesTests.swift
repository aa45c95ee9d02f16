import Foundation
import TestLimit
import Testing

@testable import tintype_pictures

@Suite(.limited) struct RequestFilesTests {
  /// One process opens the files of all requests, so none may stay open.
  @Test func allFilesOfARequestAreClosed() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let files = (0..<3).map { _ in open(path, O_RDONLY | O_CLOEXEC) }
    var opened = stat()
    #expect(fstat(files[0], &opened) == 0)
    RequestFiles(photo: files[0], thumbnails: [nil, files[1]], output: files[2]).closeAll()
    for file in files {
      var status = stat()
      // Another test may have opened a file of its own under the number.
      #expect(fstat(file, &status) != 0 || status.st_ino != opened.st_ino)
    }
  }
}
