import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Images

/// The search for files with the same bytes.
@Suite(.limited) final class FileContentsTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> FilePath { FilePath(folder.appending(path: name).path) }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    try Data(bytes).write(to: folder.appending(path: name))
    return path(name)
  }

  /// All raw files of some cameras have one size, so their beginnings are compared before they are read to the end.
  @Test func onlyFilesThatBeginAlikeAreReadToTheEnd() async throws {
    let head = [UInt8](repeating: 7, count: 1 << 16)
    let files = [
      try write("a", head + [1]), try write("b", head + [1]), try write("c", head + [2]),
      try write("d", [0] + head), try write("e", head),
    ]
    let digests = await FileContents.read(files).map { $0?.digest }
    #expect(digests[0] != nil && digests[0] == digests[1])
    #expect(digests[2] != nil && digests[2] != digests[0])
    #expect(digests[3...].allSatisfy { $0 == nil })
  }

  @Test func allNamesOfAFileHaveOneIdentity() async throws {
    let file = try write("a", [1, 2, 3])
    try FileManager.default.linkItem(at: folder.appending(path: "a"), to: folder.appending(path: "hard"))
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "soft"), withDestinationURL: folder.appending(path: "a"))
    let copy = try write("copy", [1, 2, 3])
    let contents = await FileContents.read([file, path("hard"), path("soft"), copy, path("none"), path(".")])
    #expect(contents[0]?.identity == contents[1]?.identity && contents[0]?.identity == contents[2]?.identity)
    #expect(contents[3]?.size == 3 && contents[3]?.identity != contents[0]?.identity)
    #expect(contents[3]?.digest == contents[0]?.digest && contents[0]?.digest != nil)
    #expect(contents[4] == nil && contents[5] == nil)
  }
}
