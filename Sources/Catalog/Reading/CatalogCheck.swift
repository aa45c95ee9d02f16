import Foundation
import Gallery
import Photos

/// A check that finds all problems of a catalog.
///
/// It also reports what reading ignores: invalid values of optional members, duplicate IDs and members, and missing
/// images.
public final class CatalogCheck {
  private let source: CatalogSource

  /// Creates a check of a file.
  ///
  /// - Parameter path: The absolute path of the catalog.
  public init(path: FilePath) { source = .file(path) }

  /// Creates a check of an open file.
  ///
  /// - Parameters:
  ///   - descriptor: The file descriptor to read from, which stays open.
  ///   - folder: The absolute path that relative addresses of images start from.
  public init(descriptor: Int32, folder: FilePath) { source = .stream(descriptor: descriptor, folder: folder) }

  /// Checks the whole catalog. This method can be called only once.
  ///
  /// - Returns: All problems, in the order of the text, and the number of photos that can be read.
  /// - Throws: `APIError` if the catalog cannot be opened.
  public func run() throws(APIError) -> (problems: [CatalogProblem], photoCount: Int) {
    let input = try CatalogInput(source)
    var reader = CatalogReader(base: source.folder, audit: CatalogAudit(folder: source.folder))
    do throws(ReadingFault) {
      while try input.read(upTo: 1 << 20, { reader.feed($0) }) {}
      reader.finish()
    } catch {
      reader.finish(failure: error)
    }
    return (reader.problems.first, reader.photos.count)
  }
}
