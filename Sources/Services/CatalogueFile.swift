import FoundationEssentials
import Gallery

/// Photos of a JSON catalogue in a file: the bundled gallery's `content.json`, or one of the person's own.
public struct CatalogueFile: APIServiceProtocol {
  private let path: String
  private let delay: Duration
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - path: The catalogue's absolute path.
  ///   - delay: How long an answer is held back, as a server far away would.
  public init(path: String, delay: Duration = .zero, clock: any Clock<Duration>) {
    self.path = path
    self.delay = delay
    self.clock = clock
  }

  public func fetchPopularPhotos() async throws(APIError) -> Page<Photo> {
    if delay > .zero { try? await clock.sleep(for: delay) }
    // Nobody waits for the answer any more.
    if Task.isCancelled { return Page(items: []) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    do {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      return try PhotoCatalogue.decode(contents(), folder: folder)
    } catch let fault as CatalogueFault {
      throw .unreadableContent(source: name, fault: fault.description)
    } catch let error as CocoaError where error.code == .fileReadNoPermission {
      throw .permissionDenied(subject: path)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      throw .notFound(path: path)
    } catch {
      throw .unreadableContent(source: name, fault: "reading \(path) failed (\(Self.reason(error)))")
    }
  }

  private func contents() throws -> Data {
    // Opening a pipe or a device under a catalogue's name could wait for ever.
    let attributes = try FileManager.default.attributesOfItem(atPath: resolvedPath)
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular?: return try Data(contentsOf: URL(filePath: path))
    case .typeDirectory?: throw CatalogueFault.notAFile("it is a folder")
    default: throw CatalogueFault.notAFile("it is not a regular file")
    }
  }

  private var resolvedPath: String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }

  private static func reason(_ error: any Error) -> String {
    (error as? CocoaError)?.underlying.map { "\($0)" } ?? "\(error)"
  }
}
