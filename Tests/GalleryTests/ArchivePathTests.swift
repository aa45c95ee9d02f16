import Foundation
import Gallery
import TestLimit
import Testing

@Suite(.limited) struct ArchivePathTests {
  @Test(arguments: [
    ("/a/b.zip", true), ("/a/B.CBZ", true), ("/a/b.tar.xz", true), ("/a/b.tar.lzma", true), ("/a/b.Tar.Gz", true),
    ("/a/b.gz", false), ("/a/b.json.gz", false), ("/a/.zip", false), ("/a/zip", false), ("/a.zip/b.jpg", false),
  ]) func theNameSaysWhatAnArchiveIs(path: String, isArchive: Bool) {
    #expect(FilePath(path).isNamedAsArchive == isArchive)
  }

  @Test(arguments: [
    ("p/1.jpg", "/a.zip/p/1.jpg"), ("/etc/passwd", "/a.zip/etc/passwd"), ("../../x/./1.jpg", "/a.zip/x/1.jpg"),
    ("p//1.jpg", "/a.zip/p/1.jpg"), ("..a/1.jpg", "/a.zip/..a/1.jpg"), ("..", nil), ("/", nil),
  ]) func noNameLeadsOutOfItsArchive(name: String, path: String?) {
    #expect(FilePath("/a.zip").entry(Array(name.utf8)) == path.map { FilePath($0) })
  }

  @Test func thePathLeadsThroughTheFirstFile() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder.appending(path: "b.zip"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("PK".utf8).write(to: folder.appending(path: "a.zip"))
    let path = FilePath(folder.path)
    let archive = path.appending("a.zip".utf8)
    #expect(try #require(archive.entry(Array("p/1.jpg".utf8))?.archive) == (archive, 7))
    #expect(archive.entry(Array(repeating: 0x61, count: 5000))?.archive?.entryCount == 5000)
    #expect(archive.archive == nil)
    // A folder may have such a name, too.
    #expect(path.appending("b.zip/1.jpg".utf8).archive == nil && path.appending("b.zip/1.jpg".utf8).isInArchive)
    #expect(FilePath("/no/where.zip/1.jpg").archive == nil)
  }

  @Test func numbersInNamesCountByTheirValue() {
    let names = ["B/1.jpg", "a/10.jpg", "a/2.jpg", "a/02b.jpg", "a.jpg", "a1.jpg", "a/2.JPG", "10.jpg", "9.jpg"]
    let sorted = names.map { FilePath("/z.zip/\($0)") }.sorted { $0.precedesNaturally($1) }
    #expect(
      sorted.map { String($0.printable.dropFirst(7)) } == [
        "9.jpg", "10.jpg", "a/2.JPG", "a/2.jpg", "a/02b.jpg", "a/10.jpg", "a.jpg", "a1.jpg", "B/1.jpg",
      ])
  }
}
