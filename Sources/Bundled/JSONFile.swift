import Catalog
import FoundationEssentials
import Gallery

/// A JSON file that a service reads, with the delay of a distant server.
struct JSONFile: Sendable {
  /// The absolute path.
  let path: String
  /// The time that passes before an answer.
  let delay: Duration
  let clock: any Clock<Duration>

  /// Returns what `decode` makes of the file's bytes and the absolute path of its folder, or nil if the task was
  /// canceled.
  func read<Answer>(_ decode: (Data, FilePath) throws -> Answer) async throws(APIError) -> Answer? {
    await pause()
    if Task.isCancelled { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    do {
      return try decode(contents(), FilePath(path).folder)
    } catch let fault as ContentFault {
      throw .unreadableContent(source: name, fault)
    } catch let error as CocoaError where error.code == .fileReadNoPermission {
      throw .permissionDenied(subject: path)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      throw .notFound(path: path)
    } catch {
      throw .unreadableContent(source: name, .readingFailed(path: path, reason: Self.reason(error)))
    }
  }

  /// Waits for the delay.
  func pause() async {
    if delay > .zero { try? await clock.sleep(for: delay) }
  }

  private func contents() throws -> Data {
    // Reading a pipe or a device in place of the file could block forever.
    let attributes = try FileManager.default.attributesOfItem(atPath: resolvedPath)
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular?: return try Data(contentsOf: URL(filePath: path))
    case .typeDirectory?: throw ContentFault.folder
    default: throw ContentFault.notAFile
    }
  }

  private var resolvedPath: String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }

  private static func reason(_ error: any Error) -> String {
    (error as? CocoaError)?.underlying.map { "\($0)" } ?? "\(error)"
  }
}
