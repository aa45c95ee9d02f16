import Gallery
import Testing

@Suite struct PhotoTests {
  @Test(arguments: [
    ("photos/fig.jpg", ImageLocation.file("/catalog/photos/fig.jpg")),
    ("/srv/fig.jpg", .file("/srv/fig.jpg")),
    ("https://example.org/fig.jpg", .web("https://example.org/fig.jpg")),
    ("HTTP://example.org/fig.jpg", .web("HTTP://example.org/fig.jpg")),
  ])
  func imageURLsAreResolvedAgainstTheFolder(url: String, location: ImageLocation) {
    #expect(ImageLocation(url, relativeTo: "/catalog") == location)
  }

  @Test(arguments: [
    (APIError.noNetwork, "No Network. Check"), (.serverOverload, "Server is overloaded. Try"),
    (.unreachable(server: "a.org", reason: "connection refused"), "Can't reach a.org: connection refused."),
    (.permissionDenied(), "You don't have permission"), (.permissionDenied(subject: "/a"), "You don't have permission"),
    (.unreadableContent(source: "a.json", fault: "line 1, column 2: no"), "a.json cannot be read: line 1, column 2"),
  ])
  func errorsSayWhatHappenedAndNameNoKey(error: APIError, beginning: String) {
    #expect(error.message.hasPrefix(beginning))
    #expect(error.message.hasSuffix("."))
    #expect(!error.message.lowercased().contains("press "))
  }

  @Test func anErrorNamesTheFileThatWasNotStored() {
    let error = APIError.notKept(path: "/a\u{1B}b", reason: "the disk is full; free some space")
    #expect(error.message == "Nothing was kept in /a\u{FFFD}b: the disk is full; free some space, then try again.")
  }
}
