import Foundation
import Gallery
import Photos

/// The part of a check that looks at each row: it finds what reading ignores.
final class CatalogAudit {
  private let folder: FilePath
  private var ids: Set<Photo.ID> = []

  /// - Parameter folder: The absolute path that relative addresses of images start from.
  init(folder: FilePath) { self.folder = folder }

  /// Forgets the IDs of the photos that have been read, because a later list replaces them.
  func startOver() { ids = [] }

  /// Returns all problems of a row, including those that reading ignores.
  func findings(in row: CatalogRow, _ scanner: JSONScanner) -> [CatalogRow.Finding] {
    row.findings(in: scanner, isNew: { ids.insert($0).inserted }, isThere: isThere)
  }

  /// Returns whether the image exists. Images on the web count as existing, since the check sends no requests.
  private func isThere(_ imageURL: String) -> Bool {
    guard case .file(let path) = ImageLocation(imageURL, relativeTo: folder) else { return true }
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
