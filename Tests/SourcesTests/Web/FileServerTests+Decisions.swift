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
  func location(_ name: String, _ access: FileServerAccess) -> ImageLocation {
    .web(access.server.address.image(FilePath("/" + name), version: 1))
  }

  static func rating(_ number: Int) -> DecisionEdits {
    var edits = DecisionEdits()
    edits[.rating] = .set(.number(number))
    return edits
  }

  @Test(arguments: FileServerProcess.Kind.allCases) func decisionsAreInSidecars(kind: FileServerProcess.Kind)
    async throws
  {
    let server = try FileServerProcess(kind, files: files)
    let access = try access(server)
    let photos = FilePhotoServer(access, usesShortNames: false)
    let new = location("a.jpg", access)
    #expect(photos.has(new) && !photos.has(.web("http://127.0.0.1:1/photos/a.jpg")))
    try await photos.change(new, by: Self.rating(3), from: PhotoDecisions())
    #expect(try Sidecars.decisions(in: Array(#require(contents("a.jpg.xmp")).utf8)).rating == 3)
    // Again, as after a crash.
    let content = contents("a.jpg.xmp")
    try await photos.change(new, by: Self.rating(3), from: PhotoDecisions())
    #expect(contents("a.jpg.xmp") == content)
    // What another program has decided stays.
    await #expect(throws: PhotoServerFault.conflict(PhotoDecisions(rating: 3))) {
      try await photos.change(new, by: Self.rating(1), from: PhotoDecisions(rating: 5))
    }
    var undone = DecisionEdits()
    undone[.rating] = .remove
    try await photos.change(new, by: undone, from: PhotoDecisions(rating: 3))
    #expect(contents("a.jpg.xmp") == nil)
    // A sidecar of another program is changed, and not deleted.
    let old = location("My trip/ü & 1+1=2.jpg", access)
    try await photos.change(old, by: undone, from: PhotoDecisions(rating: 4))
    let sidecar = try #require(contents("My trip/ü & 1+1=2.jpg.xmp"))
    #expect(try Sidecars.decisions(in: Array(sidecar.utf8)).rating == nil)
    await #expect(throws: PhotoServerFault.missing) {
      try await photos.change(self.location("gone.jpg", access), by: Self.rating(1), from: PhotoDecisions())
    }
    #expect(contents("gone.jpg.xmp") == nil)
    try write("a.jpg.xmp", "no XMP")
    await #expect(throws: PhotoServerFault.refused(.unreadableContent(source: "a.jpg.xmp", .notXMP))) {
      try await photos.change(new, by: Self.rating(1), from: PhotoDecisions())
    }
    server.stop()
    let fault = await #expect(throws: PhotoServerFault.self) {
      try await photos.change(new, by: Self.rating(1), from: PhotoDecisions())
    }
    guard case .outage? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  /// The server refuses to write over what another program has written since the sidecar was read.
  /// Nothing is written over a file of which the server tells no version, and a decision outlasts what may pass.
  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", "tell versions"), ("HTTP/1.1 403 Forbidden\r\n", nil), ("HTTP/1.1 400 Bad\r\n", nil),
    ("HTTP/1.1 507 Full\r\n", nil), ("HTTP/1.1 200 OK\r\n<html>", nil),
  ])
  func aDecisionIsNeitherForcedNorLost(head: String, refusal: String?) async throws {
    let methods = Reads()
    let body = head.hasSuffix("<html>") ? "<html><body>Sign in</body></html>" : Self.sidecar(4)
    let tag = body.hasPrefix("<html") ? "ETag: \"1\"\r\n" : ""
    let server = try RawServer { peer in
      methods.add(String(peer.request.prefix { $0 != " " }))
      let head = head.replacingOccurrences(of: "<html>", with: "")
      _ = peer.send("\(head)\(tag)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    }
    let access = try access("dav://" + server.address.dropFirst("http://".count) + "/photos")
    let fault = await #expect(throws: PhotoServerFault.self) {
      try await FilePhotoServer(access, usesShortNames: false).change(
        self.location("photos/a.jpg", access), by: Self.rating(1), from: PhotoDecisions(rating: 4))
    }
    switch (fault, refusal) {
    case (.refused(let error)?, let refusal?): #expect(error.message.contains(refusal))
    case (.outage?, nil): break
    default: Issue.record("\(String(describing: fault))")
    }
    #expect(Set(methods.all) == ["GET"])
  }

  @Test(arguments: [FileServerProcess.Kind.apache, .s3]) func aSidecarThatHasChangedIsNotOverwritten(
    kind: FileServerProcess.Kind
  ) async throws {
    let server = try FileServerProcess(kind, files: files)
    let access = try access(server)
    for (name, isNew) in [("a.jpg", true), ("My trip/ü & 1+1=2.jpg", false)] {
      let read = try await SidecarOnServer(
        of: FilePath("/" + name), on: access.server, access.client, usesShortNames: false)
      #expect((read.content == nil) == isNew)
      let other = Self.sidecar(isNew ? 1 : 2) + " "
      try write("\(name).xmp", other)
      for content in isNew ? [Array("x".utf8)] : [Array("x".utf8), nil] {
        await #expect(throws: HTTPError.self) {
          try await access.client.send(read.request(writing: content, on: access.server))
        }
      }
      #expect(contents("\(name).xmp") == other)
    }
  }

  /// Apache never gives a strong tag to a file whose time is in the future.
  @Test func aSidecarWithATimeInTheFutureIsNotOverwritten() async throws {
    let content = Self.sidecar(4)
    try write("a.jpg.xmp", content)
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now.addingTimeInterval(86_400)], ofItemAtPath: "\(files)/a.jpg.xmp")
    let server = try FileServerProcess(.apache, files: files)
    let (access, clock) = (try access(server), RecordingClock())
    let photos = FilePhotoServer(access, usesShortNames: false, clock: clock)
    let fault = await #expect(throws: PhotoServerFault.self) {
      try await photos.change(
        self.location("a.jpg", access), by: Self.rating(1), from: PhotoDecisions(rating: 4))
    }
    guard case .refused(let error)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(error.message.contains("versions"))
    #expect(contents("a.jpg.xmp") == content && clock.sleeps.count == 3)
  }

  @Test(arguments: FileServerProcess.Kind.allCases) func originalsAreDownloaded(kind: FileServerProcess.Kind)
    async throws
  {
    let server = try FileServerProcess(kind, files: files)
    let access = try access(server)
    let path = "\(folder)/copy"
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    let photos = FilePhotoServer(access, usesShortNames: false)
    try await photos.download(location("a.jpg", access), to: descriptor)
    #expect(FileManager.default.contentsEqual(atPath: path, andPath: "\(files)/a.jpg"))
  }
}
