import Gallery

/// The place that the relative addresses of a catalog's images start from.
public protocol ImageBase: Hashable, Sendable {
  /// Resolves a catalog's `image_url`; returns nil for an address that must not be opened.
  func location(of imageURL: String) -> ImageLocation?
}

/// A folder, as an absolute path. A catalog that the user has opened may name any file and any address.
extension FilePath: ImageBase {
  public func location(of imageURL: String) -> ImageLocation? { ImageLocation(imageURL, relativeTo: self) }
}
