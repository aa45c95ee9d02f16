import Foundation
import Gallery
import TestLimit
import Testing

@testable import Folder

@Suite(.limited) final class FolderWalkTests {
  private let root = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)

  init() {
    _ = root.withCString { mkdir($0, 0o700) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root.printable)
  }

  private func write(_ name: String, _ text: String = "") throws {
    let path = root.printable + "/" + name
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: root.printable + "/" + name, withDestinationPath: target)
  }

  /// The paths of the photos relative to the root, in the order of the walk.
  private var found: [String] {
    FolderWalk([root]).flatMap(\.photos).map { String($0.path.printable.dropFirst(root.bytes.count + 1)) }
  }

  @Test func photosInAllFoldersAreFoundByTheirNames() throws {
    for name in ["b.JPG", "a.jpeg", "z/y/x.heic", "z/a.cr2", "m/1.png"] { try write(name) }
    for name in ["notes.txt", "jpg", ".hidden.jpg", ".thumbs/1.jpg", "z/.jpg"] { try write(name) }
    _ = (root.printable + "/pipe.jpg").withCString { mkfifo($0, 0o600) }
    #expect(found == ["a.jpeg", "b.JPG", "m/1.png", "z/a.cr2", "z/y/x.heic"])
  }

  @Test func aNameNeedNotBeUTF8() throws {
    let name: [UInt8] = [0x61, 0xFF, 0x1B] + Array(".jpg".utf8)
    let path = root.appending(name)
    close(path.withCString { open($0, O_CREAT | O_WRONLY, 0o600) })
    #expect(FolderWalk([root]).flatMap(\.photos).map(\.path) == [path])
    #expect(path.printableName == "a\u{FFFD}\u{FFFD}.jpg")
  }

  @Test(arguments: [
    ("*.png", ["a.jpg", "b/c.jpg", "b/d/e.jpg"]),
    ("b", ["a.jpg", "f.png"]), ("b/", ["a.jpg", "f.png"]), ("a.jpg/", ["a.jpg", "f.png", "b/c.jpg", "b/d/e.jpg"]),
    ("/d", ["a.jpg", "f.png", "b/c.jpg", "b/d/e.jpg"]), ("d", ["a.jpg", "f.png", "b/c.jpg"]),
    ("b/*.jpg", ["a.jpg", "f.png", "b/d/e.jpg"]), ("b/**.jpg", ["a.jpg", "f.png"]),
    ("**/e.jpg", ["a.jpg", "f.png", "b/c.jpg"]), ("**/a.jpg", ["f.png", "b/c.jpg", "b/d/e.jpg"]),
    ("?.jpg\n!c.jpg", ["f.png", "b/c.jpg"]), ("#a.jpg\n\n\\a.jpg \r\n", ["f.png", "b/c.jpg", "b/d/e.jpg"]),
    ("*a*.*j*p*g", ["f.png", "b/c.jpg", "b/d/e.jpg"]), ("b?c.jpg", ["a.jpg", "f.png", "b/c.jpg", "b/d/e.jpg"]),
  ])
  func ignoreFilesLeaveOutMatchingFiles(rules: String, kept: [String]) throws {
    for name in ["a.jpg", "f.png", "b/c.jpg", "b/d/e.jpg"] { try write(name) }
    try write(".tintypeignore", rules)
    #expect(found == kept)
  }

  @Test func aDeeperIgnoreFileOverridesTheOneAbove() throws {
    for name in ["a.jpg", "b/a.jpg", "b/c.jpg", "d/c.jpg"] { try write(name) }
    try write(".tintypeignore", "a.jpg")
    try write("b/.tintypeignore", "!a.jpg\n/c.jpg")
    #expect(found == ["b/a.jpg", "d/c.jpg"])
  }

  @Test(.timeLimit(.minutes(10))) func aPatternWithManyStarsIsMatchedQuickly() throws {
    let name = String(repeating: "a", count: 200) + ".jpg"
    try write(name)
    try write(".tintypeignore", String(repeating: "*a", count: 90) + "*b\n" + String(repeating: "**a", count: 90) + "b")
    #expect(found == [name])
  }

  @Test func circularLinksComeToAnEnd() throws {
    for name in ["a/1.jpg", "b/2.jpg"] { try write(name) }
    try link("a/up", to: "..")
    try link("a/self", to: ".")
    try link("aa", to: "b")
    try link("b/nowhere.jpg", to: "gone.jpg")
    try link("b/one.jpg", to: "../a/1.jpg")
    // A linked folder in the tree is listed only under its own name, but a linked file under both names.
    #expect(found == ["a/1.jpg", "b/2.jpg", "b/nowhere.jpg", "b/one.jpg"])
  }

  @Test func linkedFoldersOutsideTheRootAreIncluded() throws {
    try write("elsewhere/deep/1.jpg")
    try write("here/2.jpg")
    try link("here/link", to: "../elsewhere")
    let photos = FolderWalk([root.appending("here".utf8)]).flatMap(\.photos)
    #expect(photos.map(\.path) == ["here/2.jpg", "here/link/deep/1.jpg"].map { root.appending($0.utf8) })
  }

  @Test func aSidecarIsFoundNextToItsPhoto() throws {
    for name in ["a.jpg", "a.xmp", "a.jpg.xmp", "b.CR2", "b.XMP", "c.png", "sub/c.png.xmp"] { try write(name) }
    let sidecars = FolderWalk([root]).flatMap(\.photos).map { $0.sidecar?.printableName }
    #expect(sidecars == ["a.jpg.xmp", "b.XMP", nil])
  }

  @Test func anUnreadableFolderIsReported() throws {
    try write("a.jpg")
    let gone = root.appending("gone".utf8)
    #expect(Array(FolderWalk([gone])).map(\.failure) == [.notFound(path: gone.printable)])
  }

  @Test func namedPhotosAndFoldersAreFoundInTheirOrder() throws {
    for path in ["b/2.jpg", "a/1.jpg", "a/3.jpg", "a/3.xmp", "a/.4.jpg", "c/5.jpg", "c/notes.txt"] { try write(path) }
    func path(_ name: String) -> FilePath { root.appending(name.utf8) }
    var folders: [String] = []
    let named = ["c", "a/3.jpg", "c/notes.txt", "gone.jpg", "a/.4.jpg", "b"].map(path)
    let walk = Array(FolderWalk(named) { folders.append($0.printableName) })
    let photos = walk.flatMap(\.photos)
    #expect(photos.map(\.path) == ["c/5.jpg", "a/3.jpg", "a/.4.jpg", "b/2.jpg"].map(path))
    #expect(photos.map(\.sidecar) == [nil, path("a/3.xmp"), nil, nil])
    #expect(folders == ["c", "a", "a", "b"])
    let failures = walk.compactMap(\.failure)
    #expect(failures.count == 2)
    #expect(failures.first == .unreadableContent(source: path("c/notes.txt").printable, .notAnImage))
    #expect(failures.last == .notFound(path: path("gone.jpg").printable))
  }

  @Test func aNamedFileIsAPhotoByItsContents() throws {
    try write("a/note", "GIF89a")
    #expect(FolderWalk([root.appending("a/note".utf8)]).flatMap(\.photos).count == 1)
  }

  @Test func filesWhoseNamesSayNothingAreReturnedApart() throws {
    for name in ["b.jpg", "a", "c.unknown", "d.txt", ".hidden", "sub/e", "f.tmp"] { try write(name) }
    try write(".tintypeignore", "f*")
    let walk = Array(FolderWalk([root]))
    #expect(walk.map { $0.photos.map(\.path.printableName) } == [["b.jpg"], []])
    #expect(walk.map { $0.unclear.map(\.path.printableName) } == [["a", "c.unknown"], ["e"]])
  }

  @Test(arguments: ["b.jpg", ".b.jpg", "b.data", "b", "ignored.jpg"])
  func thePhotosAroundANamedOneAreThoseOfItsFolder(named: String) throws {
    for name in ["a.jpg", "z.jpg", "sub/c.jpg", ".hidden.jpg", "ignored.png", named] { try write(name) }
    try write(".tintypeignore", "ignored*")
    try write("elsewhere/d.jpg")
    try link("sub2", to: "elsewhere")
    let photo = root.appending(named.utf8)
    let found = FolderWalk([root], around: photo).flatMap(\.photos).map(\.path.printableName)
    #expect(found == ["a.jpg", named, "z.jpg"].sorted())
  }

  @Test func shownNamesStartAtTheInnermostCommonFolder() {
    #expect(FolderScope(named: ["/x/a/1.jpg"]).root == "/x/a")
    #expect(FolderScope(named: ["/x/a/1.jpg", "/x/ab/2.jpg"]).root == "/x")
    #expect(FolderScope(named: ["/x/a", "/x/b"]).root == "/x")
    #expect(FolderScope(named: ["/x/a", "/y/1.jpg"]).root == "/")
    #expect(FolderScope(folder: "/x/a").root == "/x/a")
    #expect(FolderScope(folder: "/").contains("/x/a"))
    let scope = FolderScope(named: ["/x/a", "/x/1.jpg"])
    #expect(["/x/a/b/2.jpg", "/x/1.jpg"].allSatisfy { scope.contains($0) })
    #expect(!["/x/2.jpg", "/x/ab/2.jpg", "/x/1.jpg.jpg"].contains { scope.contains($0) })
    let around = FolderScope(photo: "/x/a/1.jpg")
    #expect(around.root == "/x/a" && around.contains("/x/a/2.jpg") && !around.contains("/x/a/b/2.jpg"))
  }

  @Test func eachFolderIsAnnouncedBeforeItIsRead() throws {
    try write("a/1.jpg")
    let later = root.appending("a/2.jpg".utf8)
    var announced: [FilePath] = []
    let walk = FolderWalk([root]) { folder in
      announced.append(folder)
      // A file that is created now is seen by the walk.
      if folder.name.elementsEqual("a".utf8) { close(later.withCString { open($0, O_CREAT | O_WRONLY, 0o600) }) }
    }
    #expect(walk.flatMap(\.photos).map(\.path) == [root.appending("a/1.jpg".utf8), later])
    #expect(announced == [root, root.appending("a".utf8)])
  }
}
