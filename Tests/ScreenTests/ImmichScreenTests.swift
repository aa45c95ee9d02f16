import Foundation
import Harness
import TestLimit
import Testing
import WebServer

/// The photos of an Immich server as the user sees them.
@Suite(.fewAtOnce, .limited) final class ImmichScreenTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  let photos: URL

  /// - Throws: An error if the photos can't be copied.
  init() throws {
    photos = folder.appending(path: "photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["kitten.jpg", "gull.jpg"] {
      try FileManager.default.copyItem(atPath: Program.bundledPhoto(name), toPath: photos.appending(path: name).path)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func makeSmaller(_ versions: String...) throws {
    for version in versions {
      let place = photos.appending(path: version)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for name in ["kitten.jpg", "gull.jpg"] {
        try FileManager.default.copyItem(atPath: Program.photo("coffee.jpg"), toPath: place.appending(path: name).path)
      }
    }
  }

  func open(_ address: String, key: String = FakeImmich.key) throws -> TerminalSession {
    var changes = Program.changes(home: folder)
    changes["TINTYPE_TOKEN"] = key
    return try Program.start("--pictures", "symbols", address, changes: changes)
  }

  func waitForImage(_ session: TerminalSession) async throws {
    try await session.wait(for: "the image in the detail") {
      colors(of: $0, rows: 5..<24, columns: 50..<119).count > 200
    }
  }

  /// Returns the images that were fetched, such as `preview`.
  private static func fetched(from server: FakeImmich) throws -> Set<String> {
    Set(
      try server.requests.filter { $0.path.hasPrefix("/api/assets/") }.map {
        $0.path.split { "/=".contains($0) }.last.map(String.init) ?? ""
      })
  }

  @Test func imagesAreFetchedAsLargeAsTheyAreShown() async throws {
    try makeSmaller("thumbnail", "preview")
    let server = try FakeImmich(photos: photos.path)
    let session = try open(server.address)
    defer { session.close() }
    try await session.waitForTexts("127.0.0.1", "gull.jpg", "kitten.jpg", "NIKON Z 6", "1/250 s", "1/2")
    try await waitForImage(session)
    #expect(try Self.fetched(from: server).isSubset(of: ["thumbnail", "preview"]))
    session.type("v")
    // What is not loaded can't be enlarged.
    try await session.wait(for: "the viewer's image") {
      $0.contains("Esc Back") && colors(of: $0, rows: 0..<34, columns: 0..<120).count > 500
    }
    session.type("z")
    try await session.waitForText("100 %")
    try waitForFiles(in: server.folder, "the original") { try Self.fetched(from: server).contains("original") }
    session.type("qq")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func theOriginalReplacesVersionsThatAreMissing() async throws {
    let server = try FakeImmich(photos: photos.path)
    let session = try open(server.address)
    defer { session.close() }
    try await session.waitForText("1/2")
    try await waitForImage(session)
    #expect(try Self.fetched(from: server).contains("original"))
  }

  @Test func photosStayWithoutTheServer() async throws {
    try makeSmaller("thumbnail", "preview")
    let server = try FakeImmich(photos: photos.path)
    let first = try open(server.address)
    try await first.waitForText("1/2")
    try await waitForImage(first)
    first.type("q")
    #expect(try await first.waitForExit() == .exited(0))
    try server.fail(500)
    let second = try open(server.address)
    defer { second.close() }
    try await second.waitForTexts("gull.jpg", "kitten.jpg")
    try await waitForImage(second)
    session(second, showsNothingOf: FakeImmich.key)
  }

  /// Returns the bodies of the changes that the server has got.
  static func changes(of server: FakeImmich) throws -> [String] {
    try server.requests.filter { $0.method == "PUT" }.map(\.body)
  }

  func wait(until server: FakeImmich, hasGot bodies: [String]) throws {
    try waitForFiles(in: server.folder, "the changes \(bodies)") { try Self.changes(of: server) == bodies }
  }

  @Test func starsAreSentAndUndone() async throws {
    let server = try FakeImmich(photos: photos.path)
    let session = try open(server.address)
    defer { session.close() }
    try await session.waitForText("1/2")
    session.type("4")
    try await session.waitForTexts("4 stars", "2/2")
    try wait(until: server, hasGot: [#"{"rating":4}"#])
    session.type("u")
    try await session.waitForText("Undone")
    try wait(until: server, hasGot: [#"{"rating":4}"#, #"{"rating":null}"#])
    // Nothing is made of what is not here.
    session.type("\u{10}")
    try await session.waitForText("A contact sheet needs files.")
    // No server keeps all decisions.
    session.type("L")
    try await session.waitForText("The server keeps no labels. Give stars or keywords.")
    session.type("D")
    try await session.waitForText("It is on a server. Copy it to a folder first.")
    // Nothing seems to be trashed in the viewer, either.
    session.type("v")
    try await session.waitForText("Esc Back")
    session.type("D")
    try await session.waitForTexts("It is on a server. Copy it to a folder first.", "gull.jpg")
    session.type("qq")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// The best photos come first, whatever their dates are.
  @Test func theServerSearchesByContents() async throws {
    try makeSmaller("thumbnail", "preview")
    let server = try FakeImmich(photos: photos.path, count: 12)
    let session = try open(server.address)
    defer { session.close() }
    try await session.waitForText("1/11")
    session.type("/smart:a dog on the beach")
    try await session.waitForText("3 of 11")
    session.type("\r")
    // The eighth photo was taken 40 hours before the first.
    try await session.waitForTexts("2025-12-30", "1/3")
    let searches = try server.requests.filter { $0.path == "/api/search/smart" }
    #expect(searches.count == 1 && searches[0].body.contains(#""query":"a dog on the beach""#))
    try server.fail(500)
    session.type("/ and a cat")
    try await session.waitForText("127.0.0.1")
    // With another key after it, a plain Escape would be Alt.
    session.type("\u{1B}[27u\u{1B}[27u")
    try await session.waitForText("1/11")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func aFavoriteIsSentAndUndone() async throws {
    try makeSmaller("thumbnail", "preview")
    let server = try FakeImmich(photos: photos.path)
    let session = try open(server.address)
    defer { session.close() }
    try await session.waitForTexts("1/2", "♥ Favorite")
    session.type("b")
    try await session.waitForText("Not a favorite: gull.jpg")
    try await session.wait(for: "no heart") { !$0.contains("♥") }
    try wait(until: server, hasGot: [#"{"isFavorite":false}"#])
    session.type("jb")
    try await session.waitForTexts("Favorite: kitten.jpg", "♥ Favorite")
    session.type("uu")
    try wait(until: server, hasGot: [false, true, false, true].map { #"{"isFavorite":\#($0)}"# })
    try await session.waitForText("Undone: Not a favorite: gull.jpg")
    session.type("/is:favorite\r")
    try await session.waitForTexts("1/1", "gull.jpg")
    // A decision is found at once, although the list is as it was read.
    session.press(.escape)
    try await session.wait(for: "all photos") { !$0.contains("is:favorite") }
    session.type("Gb")
    try await session.waitForText("Favorite: kitten.jpg")
    session.type("G5")
    try await session.waitForText("5 stars on kitten.jpg")
    session.type("/is:favorite rating:5\r")
    try await session.waitForTexts("1/1", "kitten.jpg", "★★★★★", "♥ Favorite")
    session.press(.escape)
    try await session.wait(for: "all photos") { !$0.contains("is:favorite") }
    session.type("uu")
    try await session.waitForText("Undone: Favorite: kitten.jpg")
    session.type("/is:favorite rating:5")
    try await session.waitForText("No matches")
  }

  /// Whoever has opened the server finds its albums in the list of folders, and needs no key again.
  @Test func albumsAreInTheListOfFolders() async throws {
    try makeSmaller("thumbnail", "preview")
    let server = try FakeImmich(photos: photos.path)
    let key = folder.appending(path: "key")
    try Data(FakeImmich.key.utf8).write(to: key)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
    let session = try Program.start(
      "--pictures", "symbols", "--token-file", key.path, server.address, changes: Program.changes(home: folder))
    defer { session.close() }
    try await session.waitForText("1/2")
    session.type("gf")
    try await session.waitForTexts("On this server", "Favorites", "Summer", "Ana", "Archive", "Trash")
    session.type("summer\r")
    try await session.waitForTexts("Summer", "gull.jpg", "1/1")
    try await waitForImage(session)
    session.type("gf")
    try await session.waitForText("All photos")
    session.type("all photos\r")
    try await session.waitForTexts("kitten.jpg", "/2")
  }

  /// The images of a server that is opened later come with its key, too.
  @Test func aNamedServerIsOpenedFromTheList() async throws {
    try makeSmaller("thumbnail", "preview")
    let server = try FakeImmich(photos: photos.path)
    let settings = folder.appending(path: ".config/tintype")
    try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
    try """
    [[sources]]
    name = "Family"
    open = "\(server.address)"
    token-command = "echo \(FakeImmich.key)"
    """.write(to: settings.appending(path: "config.toml"), atomically: true, encoding: .utf8)
    let session = try Program.start(
      "--delay", "0", "--pictures", "symbols", changes: Program.changes(home: folder))
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type("gf")
    try await session.waitForTexts("Sources", "Family")
    session.type("family\r")
    try await session.waitForTexts("gull.jpg", "1/2")
    try await waitForImage(session)
  }

  @Test func aDecisionOutlastsTheServersAbsence() async throws {
    let server = try FakeImmich(photos: photos.path)
    let first = try open(server.address)
    try await first.waitForText("1/2")
    try server.fail(502)
    first.type("5")
    try await first.waitForTexts("Not sent yet", "sent with the next one or at")
    first.type("\r")
    try await first.waitForText("★★★★★")
    first.type("q")
    #expect(try await first.waitForExit() == .exited(0))
    #expect(try Self.changes(of: server) == [])
    try server.fail(0)
    let second = try open(server.address)
    defer { second.close() }
    try await second.waitForTexts("1/2", "★★★★★")
    try wait(until: server, hasGot: [#"{"rating":5}"#])
  }

  @Test func aWrongKeyIsExplained() async throws {
    let server = try FakeImmich(photos: photos.path)
    let session = try open(server.address, key: "wr0ng")
    defer { session.close() }
    try await session.waitForTexts("You don't have permission to read 127.0.0.1 (Invalid", "API key). Ask")
    self.session(session, showsNothingOf: "wr0ng")
  }

  private func session(_ session: TerminalSession, showsNothingOf secret: String) {
    #expect(!session.screen.contains(secret))
  }

  @Test(arguments: [
    (["immich://"], "is not a valid address"), (["immich://a?b"], "is not a valid address"),
    (["--token-command", "echo; false", "immich://a.invalid"], "ended with status 1"),
    (["--token-command", "echo", "immich://a.invalid"], "is not a valid token"),
    (["--token-command", "echo a", "--token-file", "/b", "immich://a.invalid"], "can't be combined"),
    (["--token-command", "echo a", "/tmp"], "need an address of a server"),
  ])
  func wrongArgumentsAreExplained(arguments: [String], message: String) async throws {
    let session = try Program.start(
      Program.path, arguments, size: Size(columns: 160, rows: 20), changes: Program.changes(home: folder))
    defer { session.close() }
    try await session.waitForText(message)
  }

  @Test func aCommandGivesTheKey() async throws {
    let server = try FakeImmich(photos: photos.path)
    let session = try Program.start(
      "--token-command", "printf 'sec'; echo ret; echo other", server.address, changes: Program.changes(home: folder))
    defer { session.close() }
    try await session.waitForTexts("gull.jpg", "1/2")
  }
}
