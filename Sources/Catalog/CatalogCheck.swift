import Foundation
import Gallery
import Photos

/// A check that finds all problems of a catalog.
///
/// It also reports what reading ignores: invalid values of optional members, duplicate IDs and members, and missing
/// images.
public final class CatalogCheck {
  private let source: CatalogLoading.Source
  private var ids: Set<Photo.ID> = []

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
    var reader = CatalogReader(base: source.folder, check: self)
    do throws(ReadingFault) {
      while try input.read(upTo: 1 << 20, { reader.feed($0) }) {}
      reader.finish()
    } catch {
      reader.finish(failure: error)
    }
    return (reader.problems.first, reader.photos.count)
  }

  /// Forgets the IDs of the photos that have been read, because a later list replaces them.
  func startOver() { ids = [] }

  /// Returns all problems of a row, including those that reading ignores.
  func findings(in row: CatalogRow, _ scanner: JSONScanner) -> [CatalogRow.Finding] {
    row.findings(in: scanner, isNew: { ids.insert($0).inserted }, isThere: isThere)
  }

  /// Returns whether the image exists. Images on the web count as existing, since the check sends no requests.
  private func isThere(_ imageURL: String) -> Bool {
    guard case .file(let path) = ImageLocation(imageURL, relativeTo: source.folder) else { return true }
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

/// The problems of a row that reading ignores, and the places of the row's members.
final class ForgivenByReading {
  var findings: [CatalogRow.Finding] = []
  /// The offset of each member's value.
  private(set) var places: [String: Int] = [:]

  /// Records the place of a member, and reports the member if its name is a duplicate.
  func meet(_ key: JSONText, in scanner: JSONScanner) {
    var scanner = scanner
    _ = scanner.next()
    let name = scanner.string(key)
    guard scanner.field(key) != nil || scanner.metadataField(key) != nil else { return }
    if places.updateValue(scanner.offset, forKey: name) != nil {
      findings.append(CatalogRow.Finding(offset: key.range.lowerBound - 1, fault: .duplicate(name)))
    }
  }
}
