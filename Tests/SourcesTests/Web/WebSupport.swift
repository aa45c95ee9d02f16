import Foundation
import Gallery
import HTTP
import Photos
import Services
import Store
import TestLimit
import Testing
import Web
import WebServer

/// The suites that use a test server. They run one after another, because each server occupies a Dispatch thread, and
/// there are only a few.
@Suite(.serialized, .limited) enum WebTests {}

/// A catalog on a test server, with a cache in a folder that is removed when this object is released.
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

  /// The sources whose photos come from the web.
  enum Source: CaseIterable {
    case catalog, immich, webDAV, s3
  }

  /// Returns a source of a kind on a test server.
  func service(
    _ source: Source, _ address: String, limits: HTTPLimits = HTTPLimits(), environment: [String: String] = [:]
  ) -> any APIServiceProtocol {
    let client = HTTPClient(
      userAgent: "Tests/1", limits: limits, environment: environment, clock: clock, random: { 0.5 })
    let cache = PageCache(folder: folder, budget: 1 << 20)
    let isEncrypted = address.hasPrefix("https:")
    let host = address.dropFirst(isEncrypted ? "https://".count : "http://".count)
    switch source {
    case .catalog: return WebCatalog(server: NamedServer(address), client: client, cache: cache)
    case .immich:
      guard let immich = ImmichAddress((isEncrypted ? "immich://" : "immich+http://") + host) else {
        preconditionFailure("the address is valid")
      }
      return ImmichPhotos(
        immich, server: immich.server(headers: [ImmichAddress.keyHeader: "key"]), client: client, cache: cache)
    case .webDAV, .s3:
      let s3 = S3Settings(environment: ["AWS_ENDPOINT_URL": address, "HOME": folder])
      guard
        let files = FileServerAddress(
          source == .s3 ? "s3://bucket" : "\(isEncrypted ? "davs" : "dav")://\(host)/photos", s3: s3)
      else {
        preconditionFailure("the address is valid")
      }
      let access = FileServerAccess(
        files, server: files.server(headers: [:], password: "key", s3: s3), client: client, cache: cache)
      return ServerPhotos(access, index: PhotoIndex(folder: folder + "/index")) { _ in [] }
    }
  }

  /// The names of the cached files.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  static func row(_ id: Int, image: String = "a.jpg") -> String {
    #"{"id": \#(id), "name": "N\#(id)", "created_at": "2017-11-06T14:48:50Z", "image_url": "\#(image)"}"#
  }

  /// Returns a page with photos of these ids and other members.
  static func page(_ ids: some Sequence<Int>, _ more: String = "") -> Data {
    Data(#"{\#(more)"photos": [\#(ids.map { row($0) }.joined(separator: ",\n"))]}"#.utf8)
  }
}

extension WebServer.Question {
  /// Returns the value of a parameter in the query.
  func parameter(_ name: String) -> String? {
    URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
  }

  var path: String { String(target.prefix { $0 != "?" }) }
}

/// Returns the output of a shell command, compressed with gzip. The wait does not block a thread.
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
