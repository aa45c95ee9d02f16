import Gallery
import HTTP

/// What the `image_url` of a catalog starts from.
enum ImageBase: Hashable, Sendable {
  /// An absolute path. A catalog of the person's own names files, or what is on the web.
  case folder(FilePath)
  /// A catalog on the web names what is on the web, and never a file.
  case web(HTTPAddress)

  /// - Returns: nil where that is nothing that may be opened.
  func location(of imageURL: String) -> ImageLocation? {
    switch self {
    case .folder(let folder): ImageLocation(imageURL, relativeTo: folder)
    case .web(let page): page.resolving(imageURL).map { .web($0.text) }
    }
  }
}
