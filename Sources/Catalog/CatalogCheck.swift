import Foundation
import Gallery
import Photos

/// Finds what is wrong with a catalog, also what reading it forgives: senseless values of what may be absent, ids and
/// members that stand twice, images that are not there.
public final class CatalogCheck {
  private let source: CatalogLoading.Source
  private var ids: Set<Photo.ID> = []

  /// - Parameter path: Absolute.
  public init(path: FilePath) { source = .file(path) }

  /// - Parameters:
  ///   - descriptor: Of a file that stays open.
  ///   - folder: The absolute path that what is relative starts from.
  public init(descriptor: Int32, folder: FilePath) { source = .stream(descriptor: descriptor, folder: folder) }

  /// Reads the catalog to its end; once.
  ///
  /// - Returns: All problems, in the order of the text, and how many photos are read nevertheless.
  public func run() throws(APIError) -> (problems: [CatalogProblem], photoCount: Int) {
    let input = try CatalogInput(source)
    var reader = CatalogReader(base: source.folder, check: self)
    do throws(ReadingFailure) {
      while try input.read(upTo: 1 << 20, { reader.feed($0) }) {}
      reader.finish()
    } catch {
      reader.finish(failure: error.reason)
    }
    return (reader.problems.first, reader.photos.count)
  }

  /// Forgets the photos that have been read: a later list takes their place.
  func startOver() { ids = [] }

  func findings(in row: CatalogRow, _ scanner: JSONScanner) -> [CatalogRow.Finding] {
    row.findings(in: scanner, isNew: { ids.insert($0).inserted }, isThere: isThere)
  }

  /// Whether there is a file at the address, or the web is to be asked.
  private func isThere(_ imageURL: String) -> Bool {
    guard case .file(let path) = ImageLocation(imageURL, relativeTo: source.folder) else { return true }
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

/// What reading a row passes over, and where its members stand.
final class ForgivenByReading {
  var findings: [CatalogRow.Finding] = []
  private(set) var places: [String: Int] = [:]

  func meet(_ key: JSONText, in scanner: JSONScanner) {
    var scanner = scanner
    _ = scanner.next()
    let name = scanner.string(key)
    guard scanner.field(key) != nil || scanner.metadataField(key) != nil else { return }
    if places.updateValue(scanner.offset, forKey: name) != nil {
      let reason = "\(name) stands twice; the last counts"
      findings.append(CatalogRow.Finding(offset: key.range.lowerBound - 1, reason: reason))
    }
  }
}
