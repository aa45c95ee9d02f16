import Gallery
import TestLimit
import Testing

@Suite(.limited) struct PhotoTests {
  @Test(arguments: [
    ("photos/fig.jpg", ImageLocation.file("/catalog/photos/fig.jpg")),
    ("/srv/fig.jpg", .file("/srv/fig.jpg")),
    ("https://example.org/fig.jpg", .web("https://example.org/fig.jpg")),
    ("HTTP://example.org/fig.jpg", .web("HTTP://example.org/fig.jpg")),
  ])
  func imageURLsAreResolvedAgainstTheFolder(url: String, location: ImageLocation) {
    #expect(ImageLocation(url, relativeTo: "/catalog") == location)
  }
}
