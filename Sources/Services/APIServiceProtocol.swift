import Gallery

/// Where photos come from.
public protocol APIServiceProtocol: Sendable {
  /// The popular photos, of the first page.
  func fetchPopularPhotos() async throws(APIError) -> Page<Photo>
}
