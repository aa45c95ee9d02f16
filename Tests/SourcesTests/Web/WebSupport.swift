import Foundation
import Gallery
import HTTP
import Photos
import Testing
import Web
import WebServer

/// One after another: each of the tests' servers keeps a thread of Dispatch's, which has few to give.
@Suite(.serialized) enum WebTests {}

/// A catalog on one of the tests' servers, with a cache in a folder that is removed with it.
final class TestCatalog: Sendable {
  let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  let clock = RecordingClock()

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func service(
    _ address: String, headers: [String: String] = [:], limits: HTTPLimits = HTTPLimits(), budget: Int = 1 << 20
  ) -> WebCatalog {
    let client = HTTPClient(userAgent: "Tests/1", limits: limits, environment: [:], clock: clock, random: { 0.5 })
    return WebCatalog(
      server: NamedServer(address, headers: headers), client: client, cache: PageCache(folder: folder, budget: budget))
  }

  /// The names of the files that are kept.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  static func row(_ id: Int, image: String = "a.jpg") -> String {
    #"{"id": \#(id), "name": "N\#(id)", "created_at": "2017-11-06T14:48:50Z", "image_url": "\#(image)"}"#
  }

  /// A page with photos of these ids, and whatever else.
  static func page(_ ids: some Sequence<Int>, _ more: String = "") -> Data {
    Data(#"{\#(more)"photos": [\#(ids.map { row($0) }.joined(separator: ",\n"))]}"#.utf8)
  }
}

extension WebServer.Question {
  /// The value of a parameter of the query.
  func parameter(_ name: String) -> String? {
    URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
  }

  var path: String { String(target.prefix { $0 != "?" }) }
}

/// What a shell command prints, packed. Waits without keeping a thread.
func gzip(_ command: String) async throws -> Data {
  let file = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).gz")
  defer { try? FileManager.default.removeItem(at: file) }
  let process = Process()
  process.executableURL = URL(filePath: "/bin/sh")
  process.arguments = ["-c", "(\(command)) | gzip > \"$0\"", file.path]
  process.standardInput = FileHandle.nullDevice
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    process.terminationHandler = { _ in continuation.resume() }
    do { try process.run() } catch { continuation.resume(throwing: error) }
  }
  return try Data(contentsOf: file)
}
