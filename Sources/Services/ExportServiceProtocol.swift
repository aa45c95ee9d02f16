import Gallery

/// A service that writes photos to a file.
public protocol ExportServiceProtocol: Sendable {
  /// Writes photos to a file, which is replaced as a whole or stays as it was.
  ///
  /// - Parameter path: The absolute path of the file.
  func export(_ photos: [Photo], to path: FilePath) async throws(ExportError) -> ExportReport
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
