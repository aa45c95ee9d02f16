import Gallery

/// Photos of a JSON catalogue in a file: the bundled gallery's `content.json`, or one of the person's own.
public struct CatalogueFile: APIServiceProtocol {
  private let file: JSONFile

  /// - Parameters:
  ///   - path: The catalogue's absolute path.
  ///   - delay: How long an answer is held back, as a server far away would.
  public init(path: String, delay: Duration = .zero, clock: any Clock<Duration>) {
    file = JSONFile(path: path, delay: delay, clock: clock)
  }

  public func fetchPopularPhotos() async throws(APIError) -> Page<Photo> {
    try await file.read(PhotoCatalogue.decode) ?? Page(items: [])
  }
}
