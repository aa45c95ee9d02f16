import Folder
import Foundation
import Gallery
import HTTP
import Photos
import Services
import Sidecars
import Store
import Synchronization
import Testing
import WebServer

@testable import Web

extension WebTests.FileServerTests {
  static func multistatus(_ responses: String...) -> String {
    #"<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">\#(responses.joined())</D:multistatus>"#
  }

  static func response(_ reference: String, isFolder: Bool = false) -> String {
    let type = isFolder ? "<D:collection/>" : ""
    return """
      <D:response><D:href>\(reference)</D:href><D:propstat><D:prop><D:resourcetype>\(type)</D:resourcetype>
      <D:getcontentlength>99999999999999999999</D:getcontentlength><D:getlastmodified>now</D:getlastmodified></D:prop>
      <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
      """
  }

  static func answer(_ body: String, status: String = "207 Multi-Status") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }

  func source(answering answer: String) throws -> (ServerPhotos, RawServer) {
    let server = try RawServer { peer in
      _ = peer.send(answer)
      peer.waitForClose(milliseconds: 1000)
    }
    return (source(try access("dav://" + server.address.dropFirst("http://".count) + "/photos")), server)
  }

  @Test(arguments: [
    ("<html><body>Sign in</body></html>", "the answer is a web page"), ("", "is not a list of files"),
    ("{}", "is not a list of files"), ("<a>", "is not a list of files"),
    ("<multistatus/>x", "is not a list of files"),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><multistatus xmlns=\"DAV:\"/>", "is not a list of files"),
    (String(repeating: "<a>", count: 5000), "is not a list of files"),
  ])
  func aWrongListIsReported(body: String, message: String) async throws {
    let (source, server) = try source(answering: Self.answer(body))
    let error = await #expect(throws: APIError.self) { try await source.last() }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    withExtendedLifetime(server) {}
  }

  /// Only what is directly in the folder is taken, and no other server is asked.
  @Test func referencesLeadNowhereElse() async throws {
    let others = [
      "/photos/", "/photos", "/photos/../secret.jpg", "/other/a.jpg", "/photos/b/c.jpg", "/photos/%2e%2e%2fd.jpg",
      "/photos/%00.jpg", "/photos/%4", "ftp://host/photos/e.jpg", "//[/photos/f.jpg", "", "?a.jpg",
    ]
    let body = Self.multistatus(
      others.map { Self.response($0) }.joined(), Self.response("/photos/", isFolder: true),
      Self.response("http://169.254.169.254/photos/seen.jpg"), Self.response("/photos/x%20y.jpg"))
    let (source, server) = try source(answering: Self.answer(body))
    let photos = try await source.last().photos
    // A server behind a proxy may call itself by another name. Its images are fetched from the one that the user has named.
    #expect(photos.map(\.imageURL).sorted() == ["seen.jpg", "x y.jpg"])
    for photo in photos {
      guard case .web(let image) = photo.image else { continue }
      #expect(image.hasPrefix(server.address + "/photos/"))
    }
    #expect(photos.allSatisfy { $0.createdAt.timeIntervalSince1970.rounded() == 0 })
  }

  @Test(arguments: ["307 Temporary Redirect", "302 Found"]) func noRedirectGetsThePassword(status: String)
    async throws
  {
    let asked = Reads()
    let other = try RawServer { peer in
      asked.add(peer.request)
      _ = peer.send(Self.answer("", status: "404 Not Found"))
    }
    let (source, server) = try source(
      answering: "HTTP/1.1 \(status)\r\nLocation: \(other.address)/photos/\r\nContent-Length: 0\r\n\r\n")
    await #expect(throws: APIError.self) { try await source.last() }
    #expect(asked.all == [])
    withExtendedLifetime(server) {}
  }

  /// A server that ignores the range sends all, of which the first part is read.
  @Test func aServerWithoutRangesIsCutShort() async throws {
    let server = try RawServer { peer in
      if peer.request.hasPrefix("PROPFIND") {
        _ = peer.send(Self.answer(Self.multistatus(Self.response("/photos/a.jpg"))))
      } else {
        _ = peer.send(
          "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + String(repeating: "a", count: 1 << 20))
        peer.waitForClose(milliseconds: 20_000)
      }
    }
    let source = source(try access("dav://" + server.address.dropFirst("http://".count) + "/photos"))
    #expect(try await source.last().photos.map(\.description) == ["\(512 << 10) bytes"])
  }

  /// The list of the last session is shown while the server is asked.
  @Test func theLastListIsThereAtOnce() async throws {
    let asked = Reads()
    let server = try RawServer { peer in
      let isList = peer.request.hasPrefix("PROPFIND")
      if isList, !asked.all.isEmpty {
        peer.waitForClose(milliseconds: 20_000)
      } else if isList {
        asked.add("list")
        _ = peer.send(Self.answer(Self.multistatus(Self.response("/photos/a.jpg"))))
      } else {
        _ = peer.send(Self.answer("photo", status: "200 OK"))
      }
    }
    let access = try access("dav://" + server.address.dropFirst("http://".count) + "/photos")
    #expect(try await source(access).last().isComplete)
    for await answer in source(access).fetchPhotos(after: nil) {
      let snapshot = try answer.get()
      #expect(snapshot.photos.map(\.description) == ["5 bytes"] && !snapshot.isComplete)
      break
    }
  }

  @Test(arguments: [
    (401, "permission"), (403, "permission"), (404, "404"), (405, "405"), (429, "busy"), (500, "500"),
  ])
  func aRefusalIsReported(status: Int, message: String) async throws {
    let (source, server) = try source(answering: Self.answer("", status: "\(status) No"))
    let error = await #expect(throws: APIError.self) { try await source.last() }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    withExtendedLifetime(server) {}
  }

  @Test(arguments: FileServerProcess.Kind.allCases) func aFolderComesThroughAProxy(kind: FileServerProcess.Kind)
    async throws
  {
    let (server, proxy) = (try FileServerProcess(kind, files: files), try ForwardingProxy())
    let access = try access(server.address, server.environment.merging(["http_proxy": proxy.address]) { $1 })
    #expect(try await source(access).last().photos.map(\.name).sorted() == Self.names)
    #expect(!proxy.requests.isEmpty)
  }

  // MARK: - Addresses and settings
}
