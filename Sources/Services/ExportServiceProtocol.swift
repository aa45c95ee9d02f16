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
  /// A photo that could not be written.
  public struct Skipped: Hashable, Sendable {
    /// The photo's name or path in printable text.
    public let name: String
    /// The reason as a sentence.
    public let reason: String

    /// Creates the report of a photo.
    public init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  /// The number of written photos.
  public let count: Int
  /// The photos that could not be written.
  public let skipped: [Skipped]

  /// Creates a report.
  public init(count: Int, skipped: [Skipped] = []) {
    self.count = count
    self.skipped = skipped
  }
}

/// The reason why an export wrote nothing.
public struct ExportError: Error, Hashable {
  /// The reason as a sentence for the user.
  public let message: String

  /// Creates an error.
  public init(message: String) {
    self.message = message
  }
}
