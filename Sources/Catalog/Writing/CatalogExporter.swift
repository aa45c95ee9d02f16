import Gallery
import Services

/// Exports photos as a catalog in a JSON file (docs/catalog.md).
public struct CatalogExporter: ExportServiceProtocol {
  /// Creates a service that writes catalogs.
  public init() {}

  @concurrent
  public func export(_ photos: [Photo], to path: FilePath, replaces: Bool) async throws(ExportError) -> ExportReport {
    guard replaces || path.isMissing else { throw .alreadyExists(path: path) }
    let writer = CatalogWriter(photos, to: path)
    do {
      try ExportFile.write(to: path) { try writer.write($0) }
    } catch {
      throw (error as? ExportError) ?? .other(path: path, description: "\(error)")
    }
    return ExportReport(count: writer.count, skipped: writer.leftOut)
  }
}
