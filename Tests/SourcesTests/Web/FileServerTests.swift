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

extension WebTests {
  /// Folders on WebDAV and S3 servers.
  @Suite final class FileServerTests {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
    var files: String { "\(folder)/\(FileServerProcess.bucket)" }
    let reads = Reads()

    /// The names and sizes of the files that were read.
    final class Reads: Sendable {
      private let list = Mutex<[String]>([])

      var all: [String] { list.withLock(\.self) }

      func add(_ read: String) { list.withLock { $0.append(read) } }
    }

    init() throws {
      try write("a.jpg", String(repeating: "a", count: 700_000))
      try write("My trip/ü & 1+1=2.jpg", "photo")
      try write("My trip/ü & 1+1=2.jpg.xmp", Self.sidecar(4))
      try write("My trip/deep/c.nef", "raw")
      try write("notes.txt", "no photo")
      try write(".hidden.jpg", "hidden")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func sidecar(_ rating: Int) -> String {
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(rating)"/></rdf:RDF></x:xmpmeta>
      """
    }

    func write(_ name: String, _ text: String) throws {
      let file = URL(filePath: "\(files)/\(name)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      // Times on servers are in whole seconds, and Apache gives weak tags to what was written in this one.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000), .posixPermissions: 0o666],
        ofItemAtPath: file.path)
    }

    func contents(_ name: String) -> String? {
      try? String(contentsOfFile: "\(files)/\(name)", encoding: .utf8)
    }

    func access(_ address: String, _ environment: [String: String] = [:]) throws -> FileServerAccess {
      let settings = S3Settings(environment: environment)
      let address = try #require(FileServerAddress(address, s3: settings))
      // The server shares the machine with all other tests, which can keep it waiting.
      var limits = HTTPLimits()
      limits.stallSeconds = 120
      let proxies = environment.filter { $0.key.hasSuffix("_proxy") }
      let client = HTTPClient(userAgent: "Tests/1", limits: limits, environment: proxies, clock: RecordingClock())
      let server = address.server(headers: [:], password: environment["TINTYPE_TOKEN"], s3: settings)
      return FileServerAccess(address, server: server, client: client, cache: PageCache(folder: "\(folder)/cache"))
    }

    func access(_ server: FileServerProcess, below: String = "") throws -> FileServerAccess {
      try access(server.address + below, server.environment)
    }

    /// A source whose reader of metadata takes the number of bytes for the caption, and that of the sidecar for the rating.
    func source(_ access: FileServerAccess) -> ServerPhotos {
      ServerPhotos(access, index: PhotoIndex(folder: "\(folder)/index")) { [reads] found in
        found.map { photo in
          let content =
            (try? Data(contentsOf: URL(filePath: String(decoding: photo.path.bytes, as: UTF8.self)))) ?? Data()
          reads.add("\(photo.path.printableName) \(content.count)")
          var metadata = PhotoMetadata()
          metadata.caption = "\(content.count) bytes"
          if content.count > 65_536 || content.count < 100 { metadata.width = 3 }
          metadata.height = metadata.width
          if let path = photo.sidecar, let sidecar = try? Data(contentsOf: URL(filePath: path.printable)) {
            metadata.rating = (try? Sidecars.decisions(in: Array(sidecar)))?.rating
          }
          return .success(MetadataRecord(metadata))
        }
      }
    }

    static let names = ["a.jpg", "c.nef", "ü & 1+1=2.jpg"]

    @Test(arguments: FileServerProcess.Kind.allCases) func aFolderIsListedWithAllBelowIt(kind: FileServerProcess.Kind)
      async throws
    {
      // A photo is on one page of S3, and its sidecar on the next.
      let server = try FileServerProcess(kind, files: files, page: 3)
      let access = try access(server)
      let snapshot = try await source(access).last()
      let photos = snapshot.photos.sorted { $0.name < $1.name }
      #expect(photos.map(\.name) == Self.names && snapshot.isComplete && snapshot.keptSince == nil)
      #expect(photos.map(\.imageURL) == ["a.jpg", "My trip/deep/c.nef", "My trip/ü & 1+1=2.jpg"])
      // Of a large file, as much is fetched as the metadata needs.
      #expect(photos.map(\.description) == ["\(512 << 10) bytes", "3 bytes", "5 bytes"])
      #expect(
        photos.map { $0.metadata?.fileSize } == [700_000, 3, 5] && photos.map { $0.metadata?.rating } == [nil, nil, 4])
      #expect(photos.allSatisfy { $0.createdAt.timeIntervalSince1970.rounded(.down) == 1_700_000_000 })
      guard case .web(let image)? = photos.last?.image else {
        Issue.record("\(photos)")
        return
      }
      #expect(image.contains("/My%20trip/%C3%BC%20%26%201%2B1%3D2.jpg#"))
      #expect(access.server.address.path(ofImage: image) == "/My trip/ü & 1+1=2.jpg")
      // The next session reads what has changed.
      let before = reads.all
      #expect(before.sorted() == ["a.jpg 524288", "a.jpg 65536", "c.nef 3", "ü & 1+1=2.jpg 5"])
      try write("My trip/deep/c.nef", "other")
      let next = try await source(self.access(server)).last()
      #expect(reads.all.dropFirst(before.count) == ["c.nef 5"])
      #expect(next.photos.first { $0.name == "c.nef" }?.image != photos[1].image)
      #expect(next.photos.first { $0.name == "a.jpg" }?.image == photos[0].image)
    }

    @Test(arguments: FileServerProcess.Kind.allCases) func aFolderBelowIsOpenedByItself(kind: FileServerProcess.Kind)
      async throws
    {
      let server = try FileServerProcess(kind, files: files)
      let access = try access(server, below: "/My trip")
      #expect(try await source(access).last().photos.map(\.imageURL).sorted() == ["deep/c.nef", "ü & 1+1=2.jpg"])
      let parts = await access.parts()
      #expect(parts.map(\.place.name).dropFirst() == ["deep"])
      #expect(parts.last?.place.arguments == [Array("\(server.address)/My%20trip/deep".utf8)])
      #expect(parts.first?.place.arguments == [Array("\(server.address)/".utf8)])
    }

    /// A part that the cache has is only read, also if it does not accept the next one.
    @Test func aPartInTheCacheStaysAsItIs() async throws {
      let server = try FileServerProcess(.s3, files: files)
      let access = try access(server)
      let kept = "\(folder)/kept"
      try Data(String(repeating: "k", count: 65_536).utf8).write(to: URL(filePath: kept))
      let asked = Reads()
      let source = ServerPhotos(
        access, index: PhotoIndex(folder: "\(folder)/index"),
        cached: { request in
          asked.add("\(request.address.split { "/#".contains($0) }.dropLast().last ?? "") \(request.prefix ?? 0)")
          return kept
        },
        read: { found in
          found.map { photo in
            let content = (try? Data(contentsOf: URL(filePath: photo.path.printable))) ?? Data()
            var metadata = PhotoMetadata()
            metadata.caption = String(decoding: content.prefix(1), as: UTF8.self)
            return .success(MetadataRecord(metadata))
          }
        })
      let photos = try await source.last().photos
      // The longer part of a JPEG has no preview of its own, so it is not offered to the cache.
      #expect(photos.first { $0.name == "a.jpg" }?.description == "a")
      #expect(asked.all.contains("a.jpg 65536") && !asked.all.contains("a.jpg \(512 << 10)"))
      #expect(try Data(contentsOf: URL(filePath: kept)) == Data(String(repeating: "k", count: 65_536).utf8))
    }

    /// The photos of the first folders are the first ones of the list.
    @Test func theFirstFoldersAreListedFirst() async throws {
      let asked = Reads()
      let server = try RawServer { peer in
        let path = String(peer.request.split(separator: " ")[1])
        asked.add(path)
        let folders = path == "/photos/" ? ["f", "b", "d", "a", "e", "c"] : []
        let responses = folders.map { Self.response("/photos/\($0)/", isFolder: true) }
        _ = peer.send(Self.answer(Self.multistatus(responses.joined())))
      }
      let access = try access("dav://" + server.address.dropFirst("http://".count) + "/photos")
      _ = try await source(access).last()
      #expect(
        asked.all.count == 7 && Set(asked.all[1...4]) == ["/photos/a/", "/photos/b/", "/photos/c/", "/photos/d/"])
    }

    /// On a slow line, the answer for a large folder takes seconds.
    @Test func theFirstPhotosOfALargeFolderComeBeforeTheRest() async throws {
      let wait = DispatchSemaphore(value: 0)
      let server = try RawServer { peer in
        guard peer.request.hasPrefix("PROPFIND") else {
          _ = peer.send(Self.answer("photo", status: "200 OK"))
          return
        }
        let responses = (100..<400).map { Self.response("/photos/\($0).jpg") }
        let answer = Array(Self.answer(Self.multistatus(responses.joined())).utf8)
        _ = peer.send(Array(answer[..<(HTTPRequest.startSize + 2000)]))
        wait.wait()
        _ = peer.send(Array(answer[(HTTPRequest.startSize + 2000)...]))
      }
      defer { wait.signal() }
      let access = try access("dav://" + server.address.dropFirst("http://".count) + "/photos")
      var counts: [Int] = []
      for await answer in source(access).fetchPhotos(after: nil) {
        let snapshot = try answer.get()
        counts.append(snapshot.photos.count)
        if counts.count == 1 { wait.signal() }
        #expect(snapshot.photos.first?.imageURL == "100.jpg" && Set(snapshot.photos.map(\.id)).count == counts.last)
      }
      #expect(counts.first.map { (50..<300).contains($0) } == true && counts.last == 300, "\(counts)")
    }

    /// Keys may have characters that XML has not.
    @Test func controlCharactersInKeysAreRead() async throws {
      for name in ["a+b.jpg", "bell\u{7}.jpg", "100%25.jpg"] { try write("\u{1} x/\(name)", "photo") }
      let server = try FileServerProcess(.s3, files: files, page: 2)
      let access = try access(server)
      let names = try await source(access).last().photos.map(\.imageURL)
      let folder = "\u{1} x".printable
      #expect(names.filter { $0.hasPrefix(folder) || $0.hasPrefix("\u{1}") }.count == 3, "\(names)")
      #expect(await access.parts().contains { $0.place.arguments == [Array("\(server.address)/%01%20x".utf8)] })
    }

    @Test(arguments: FileServerProcess.Kind.allCases) func theListStaysWithoutTheServer(kind: FileServerProcess.Kind)
      async throws
    {
      let server = try FileServerProcess(kind, files: files)
      _ = try await source(access(server)).last()
      server.stop()
      let snapshot = try await source(access(server)).last()
      #expect(snapshot.photos.map(\.name).sorted() == Self.names && snapshot.keptSince != nil)
      #expect(snapshot.photos.first { $0.name == "a.jpg" }?.metadata?.fileSize == 700_000)
    }

    @Test(arguments: FileServerProcess.Kind.allCases) func aWrongPasswordIsExplained(kind: FileServerProcess.Kind)
      async throws
    {
      let server = try FileServerProcess(kind, files: files)
      var environment = server.environment
      environment[kind == .s3 ? "AWS_SECRET_ACCESS_KEY" : "TINTYPE_TOKEN"] = "wr0ng"
      let source = source(try access(server.address, environment))
      let error = await #expect(throws: APIError.self) { try await source.last() }
      guard case .permissionDenied? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    // MARK: - Another implementation of S3

    /// A thousand keys are a page.
    @Test(.enabled(if: MotoServer.isInstalled, "SKIPPED: moto is not installed"))
    func anIndependentServerIsRead() async throws {
      for number in 0..<1005 { try write("many/\(number).jpg", "photo") }
      let server = try MotoServer(files: files)
      let access = try access("s3://\(FileServerProcess.bucket)", server.environment)
      let photos = try await source(access).last().photos
      #expect(photos.count == 1008 && Set(photos.map(\.name)).isSuperset(of: Self.names))
      let large = try #require(photos.first { $0.name == "a.jpg" })
      #expect(large.description == "\(512 << 10) bytes" && large.metadata?.fileSize == 700_000)
      let rated = try #require(photos.first { $0.name == Self.names[2] })
      #expect(rated.description == "5 bytes" && rated.metadata?.rating == 4)
      #expect(await access.parts().map(\.place.name) == ["My trip", "many"])
    }

    @Test(.enabled(if: MotoServer.isInstalled, "SKIPPED: moto is not installed"))
    func anIndependentServerKeepsDecisions() async throws {
      let server = try MotoServer(files: files)
      func sidecar(_ name: String) throws -> PhotoDecisions? {
        let text = try server.contents("\(name).xmp", of: FileServerProcess.bucket)
        return try text.map { try Sidecars.decisions(in: Array($0.utf8)) }
      }
      let access = try access("s3://\(FileServerProcess.bucket)", server.environment)
      let photos = FilePhotoServer(access, usesShortNames: false)
      for name in ["a.jpg", "My trip/ü & 1+1=2.jpg"] {
        let former = try sidecar(name) ?? PhotoDecisions()
        let before = try await SidecarOnServer(
          of: FilePath("/" + name), on: access.server, access.client, usesShortNames: false)
        try await photos.change(location(name, access), by: Self.rating(3), from: former)
        #expect(try sidecar(name)?.rating == 3)
        // What was read before the change is outdated.
        await #expect(throws: HTTPError.self) {
          try await access.client.send(before.request(writing: [], on: access.server))
        }
        #expect(try sidecar(name)?.rating == 3)
        let undone = Self.rating(3).inverse(restoring: former)
        try await photos.change(location(name, access), by: undone, from: PhotoDecisions(rating: 3))
        #expect(try sidecar(name) == (name == "a.jpg" ? nil : former))
      }
    }

    @Test(arguments: [
      "dav://", "dav:///a", "dav://host/a?b", "dav://host/a#b", "dav://a:b@host/", "dav://@host/", "s3://u@bucket/a",
      "s3://bucket:80/a", "dav://host/../a", "https://host/a", "s3://evil.example%23/a",
    ])
    func wrongAddressesAreRefused(text: String) {
      #expect(FileServerAddress(text, s3: S3Settings(environment: [:])) == nil)
    }

    @Test func addressesLeadToServers() throws {
      let none = S3Settings(environment: ["HOME": folder])
      let cloud = try #require(FileServerAddress("davs://ana@Cloud.example.org:443/My trip/", s3: none))
      #expect(cloud.base == "https://cloud.example.org" && cloud.user == "ana" && cloud.folder == "/My trip")
      #expect(cloud.name == "cloud.example.org: My trip" && cloud.root == "https://cloud.example.org/My%20trip")
      let bucket = try #require(FileServerAddress("s3://photos/2026", s3: none))
      #expect(
        bucket.base == "https://photos.s3.us-east-1.amazonaws.com" && none.authorization == nil && none.headers == [:])
      try FileManager.default.createDirectory(atPath: "\(folder)/.aws", withIntermediateDirectories: true)
      try Data(
        "[default]\naws_access_key_id=A\n\n[work]\n# a comment\naws_access_key_id = B\naws_secret_access_key = s=1\n"
          .utf8
      )
      .write(to: URL(filePath: "\(folder)/.aws/credentials"))
      try Data("[profile work]\nregion = eu-central-1\nendpoint_url = http://127.0.0.1:9000/\n".utf8)
        .write(to: URL(filePath: "\(folder)/.aws/config"))
      let work = S3Settings(environment: ["HOME": folder, "AWS_PROFILE": "work"])
      #expect(work.authorization == .signature(keyID: "B", secret: "s=1", region: "eu-central-1"))
      #expect(FileServerAddress("s3://b/c", s3: work)?.base == "http://127.0.0.1:9000/b")
      let variables = S3Settings(environment: [
        "HOME": folder, "AWS_PROFILE": "work", "AWS_ACCESS_KEY_ID": "C", "AWS_SECRET_ACCESS_KEY": "t",
        "AWS_SESSION_TOKEN": "u", "AWS_REGION": "x",
      ])
      #expect(variables.authorization == .signature(keyID: "C", secret: "t", region: "x"))
      #expect(variables.headers["x-amz-security-token"] == "u")
    }

    /// The previews that a Nextcloud server makes come first, then those in the first parts of files.
    @Test func imagesHaveSmallerVersions() throws {
      let none = S3Settings(environment: [:])
      func versions(_ address: String, _ image: String) throws -> [String] {
        let address = try #require(FileServerAddress(address, s3: none))
        let versions = address.server(headers: [:], password: nil, s3: none).smallerVersions(of: address.base + image)
        return versions.map {
          "\($0.file.address.dropFirst(address.base.count)) \($0.file.prefix ?? 0) \($0.shorterSide)"
        }
      }
      #expect(try versions("davs://host/Photos", "/Photos/a.JPG#1z") == ["/Photos/a.JPG#1z 65536 240"])
      #expect(try versions("s3://photos", "/b/c.nef#1z") == ["/b/c.nef#1z 524288 240"])
      #expect(try versions("davs://host/", "/a.b/png#1z") == [] && versions("davs://host/", "/a.mp4#1z") == [])
      let preview = "/cloud/index.php/core/preview.png?file=/My%20trip/a.png"
      let end = "&a=1&mode=cover&forceIcon=0#1z 0"
      for place in ["dav/files/ana", "webdav"] {
        #expect(
          try versions(
            "davs://ana@host/cloud/remote.php/\(place)/My trip", "/cloud/remote.php/\(place)/My%20trip/a.png#1z")
            == ["\(preview)&x=256&y=256\(end) 256", "\(preview)&x=1024&y=1024\(end) 1024"])
      }
      #expect(try versions("davs://host/remote.php/dav/files", "/remote.php/dav/files/a.png#1z") == [])
      // Where the server makes previews, the one in the file is not the first that is shown.
      func previewSize(_ address: String) throws -> Int? {
        let address = try #require(FileServerAddress(address, s3: none))
        return address.server(headers: [:], password: nil, s3: none).previewSize(
          of: address.base + address.folder.printable + "/a.jpg")
      }
      #expect(try previewSize("davs://host/Photos") == 65_536)
      #expect(try previewSize("davs://ana@host/remote.php/dav/files/ana") == nil)
    }

    @Test func timesOfHeadersAreRead() {
      #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
      for text in [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 99:49:37 GMT",
      ] {
        #expect(HTTPDate.seconds(text) == nil)
      }
    }
  }
}
