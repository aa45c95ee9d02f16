import Gallery

/// A service that writes photos to a file.
public protocol ExportServiceProtocol: Sendable {
  /// Writes photos to a file, which is replaced as a whole or stays as it was.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the file.
  ///   - replaces: Whether a catalog that exists at the path is replaced.
  /// - Throws: `ExportError.alreadyExists` if there is a file that is not to be replaced.
  func export(_ photos: [Photo], to path: FilePath, replaces: Bool) async throws(ExportError) -> ExportReport
}

/// The result of an export.
public struct ExportReport: Hashable, Sendable {
  /// The number of written photos.
  public let count: Int
  /// The photos that could not be written.
  public let skipped: [SkippedPhoto]

  /// Creates a report.
  public init(count: Int, skipped: [SkippedPhoto] = []) {
    self.count = count
    self.skipped = skipped
  }
}
