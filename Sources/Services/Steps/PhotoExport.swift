import Gallery

/// A new file that is to be made of a photo.
public struct PhotoExport: Hashable, Codable, Sendable {
  /// The path of the photo's file, here or on its server.
  public var file: FilePath
  /// The photo's metadata with the decisions, as the gallery shows them.
  public let shown: MetadataRecord
  /// The choices of the export.
  public let specification: ExportSpecification
  /// The path of the new file.
  public var target: FilePath

  /// Creates an export.
  public init(of file: FilePath, shown: MetadataRecord, as specification: ExportSpecification, to target: FilePath) {
    self.file = file
    self.shown = shown
    self.specification = specification
    self.target = target
  }

  /// Returns the export of a named photo in words, such as `Export a.jpg to web`.
  public func title(for name: String) -> String {
    localized("Export \(name) to \(target.folder.printableName)")
  }
}

/// A service that makes new files of photos.
public protocol PhotoExporterProtocol: Sendable {
  /// The number of exports that keep the service busy if they are requested at once.
  var usefulCount: Int { get }

  /// Makes a new file in an existing folder.
  ///
  /// - Returns: Whether there is a new file. There is none if another file has its name.
  /// - Throws: The reason why no file can be made of the photo.
  func export(_ export: PhotoExport) async throws(ImageFault) -> Bool

  /// Returns the bytes that a new file of a photo would have.
  ///
  /// - Parameters:
  ///   - shown: The photo's metadata with the decisions, as the gallery shows them.
  ///   - specification: The choices of the export.
  /// - Throws: The reason why no file can be made of the photo.
  func contents(
    of photo: FilePath, shown: PhotoMetadata, as specification: ExportSpecification
  ) async throws(ImageFault) -> [UInt8]
}
