import Catalog
import FoundationEssentials
import Gallery

/// A JSON file that a service answers from, as a server far away would.
struct JSONFile: Sendable {
  /// Absolute.
  let path: String
  /// How long an answer is held back.
  let delay: Duration
  let clock: any Clock<Duration>

  /// What `decode` makes of the file's bytes and its folder's absolute path; nil if nobody waits for it any more.
  func read<Answer>(_ decode: (Data, FilePath) throws -> Answer) async throws(APIError) -> Answer? {
    await pause()
    if Task.isCancelled { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    do {
      return try decode(contents(), FilePath(path).folder)
    } catch let fault as AnswerFault {
      throw .unreadableContent(source: name, fault: fault.description)
    } catch let error as CocoaError where error.code == .fileReadNoPermission {
      throw .permissionDenied(subject: path)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      throw .notFound(path: path)
    } catch {
      throw .unreadableContent(source: name, fault: "reading \(path) failed (\(Self.reason(error)))")
    }
  }

  /// Waits as long as a server far away would take.
  func pause() async {
    if delay > .zero { try? await clock.sleep(for: delay) }
  }

  private func contents() throws -> Data {
    // Opening a pipe or a device under a catalog's name could wait for ever.
    let attributes = try FileManager.default.attributesOfItem(atPath: resolvedPath)
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular?: return try Data(contentsOf: URL(filePath: path))
    case .typeDirectory?: throw AnswerFault.notAFile("it is a folder")
    default: throw AnswerFault.notAFile("it is not a regular file")
    }
  }

  private var resolvedPath: String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }

  private static func reason(_ error: any Error) -> String {
    (error as? CocoaError)?.underlying.map { "\($0)" } ?? "\(error)"
  }
}
