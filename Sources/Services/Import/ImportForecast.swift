import Gallery

/// What an import would do with the photos of a card.
public struct ImportForecast: Hashable, Sendable {
  /// The photos that would be copied.
  public var imports: [FileImport] = []
  /// The size of their files in bytes.
  public var size: Int64 = 0
  /// The photos whose contents were imported before.
  public var imported: [FilePath] = []
  /// The photos whose copies are at their places already, and those that are on the card twice.
  public var present: [FilePath] = []
  /// The photos that can't be imported.
  public var failures: [Failure] = []

  /// A photo that can't be imported.
  public struct Failure: Hashable, Sendable {
    /// The first file of the photo.
    public let photo: FilePath
    /// The reason as a sentence.
    public let message: String

    /// Creates a failure.
    public init(_ photo: FilePath, _ message: String) {
      self.photo = photo
      self.message = message
    }
  }

  /// The number of bytes that are free where the photos go; nil if it is unknown.
  public var free: Int64?

  /// Creates the forecast of an import without photos.
  public init() {}
}
