import Gallery
import TestLimit
import Testing

@testable import Sheets

@Suite(.limited) struct CollectionListTests {
  @Test func theListHasTitlesAndPaths() {
    var list = CollectionList(name: "Best of 2025")
    list.add("/a/b.jpg", title: "A\nb", from: nil)
    list.add("/a/c.jpg", title: nil, from: nil)
    list.add("/a/new\nline.jpg", title: nil, from: nil)
    #expect(
      String(decoding: list.bytes, as: UTF8.self)
        == "#EXTM3U\n#PLAYLIST:Best of 2025\n#EXTINF:-1,\("A\nb".printable)\n/a/b.jpg\n/a/c.jpg\n")
  }

  @Test func pathsAreRelativeToAFolder() {
    func path(_ file: FilePath, _ folder: FilePath) -> String {
      String(decoding: CollectionList.path(of: file, from: folder), as: UTF8.self)
    }
    #expect(path("/a/b/c.jpg", "/a") == "b/c.jpg" && path("/a/c.jpg", "/a/b/d") == "../../c.jpg")
    #expect(path("/a/#c.jpg", "/a") == "./#c.jpg" && path("/x/c.jpg", "/") == "x/c.jpg")
  }
}
