import Foundation
import Harness
import TestLimit
import Testing
import WebServer

/// Serialized, since each test's server keeps one of Dispatch's few threads.
@Suite(.fewAtOnceAndFirst, .serialized, .limited) struct WebSourceTests {
  private static let page = """
    {"current_page": 1, "total_pages": 2, "total_items": 1234, "photos": [
      {"id": 1, "name": "Far away", "created_at": "2017-11-06T23:48:50-05:00", "image_url": "a.jpg"}]}
    """

  /// Makes a file with a text and permissions.
  private final class Token {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

    init(_ text: String, permissions: Int = 0o600) throws {
      Leftovers.removeAtEnd(URL(filePath: path))
      try Data(text.utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }
  }

  @Test func aCatalogOnTheWebIsShown() async throws {
    let token = try Token("s3cret\nmore\n")
    try await WebServer.run { question in
      question.headers["authorization"] == "Bearer s3cret" && question.headers["x-key"] == "k: 1"
        ? .init(body: Data(Self.page.utf8)) : .init(401)
    } body: { server in
      let session = try Program.start(
        "--header", "X-Key: k: 1", "--token-file", token.path, server.address + "/v1/photos?feature=popular")
      defer { session.close() }
      try await session.waitForTexts("127.0.0.1", "Far away", "2017-11-0")
      // The next page may be requested already.
      #expect(server.questions.first?.target == "/v1/photos?feature=popular")
    }
  }

  /// The list of folders leads to a server that requires a token, and to a folder, by the names of the configuration.
  @Test func namedSourcesAreInTheListOfFolders() async throws {
    let token = try Token("s3cret\n")
    let home = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(home)
    let photos = home.appending(path: "archive")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: home.appending(path: "tintype"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: Program.photo("coffee.jpg"), toPath: photos.appending(path: "c.jpg").path)
    try await WebServer.run { question in
      question.headers["authorization"] == "Bearer s3cret" ? .init(body: Data(Self.page.utf8)) : .init(401)
    } body: { server in
      try """
      [[sources]]
      name = "Agency"
      open = "\(server.address)/photos"
      token-file = "\(token.path)"
      [[sources]]
      name = "Archive"
      open = "\(photos.path)"
      """.write(to: home.appending(path: "tintype/config.toml"), atomically: true, encoding: .utf8)
      let session = try Program.start(
        "--delay", "0", columns: 100, rows: 30,
        changes: ["XDG_CONFIG_HOME": home.path, "XDG_STATE_HOME": home.appending(path: "state").path])
      defer { session.close() }
      try await session.waitForText("1/36")
      session.type("gf")
      try await session.waitForTexts("─ Folders ─", "Sources", "Agency", "http://127.0.0.1", "Archive")
      session.type("agency\r")
      try await session.waitForTexts("Agency", "Far away")
      session.type("gfarchive\r")
      try await session.waitForTexts("▸ archive", "c.jpg", "1/1")
      // The server's photos are as they were left.
      session.type("gfagency\r")
      try await session.waitForTexts("Agency", "Far away")
      #expect(server.questions.allSatisfy { $0.headers["authorization"] == "Bearer s3cret" })
      session.type("q")
      #expect(try await session.waitForExit() == .exited(0))
      // The address on the command line is that of the named source.
      let direct = try Program.start("\(server.address)/photos", changes: ["XDG_CONFIG_HOME": home.path])
      defer { direct.close() }
      try await direct.waitForText("Far away")
    }
  }

  @Test func aServersRefusalIsReported() async throws {
    try await WebServer.run { _ in
      .init(403, headers: ["Content-Type": "text/plain"], body: Data("Members\u{1B}[31m only".utf8))
    } body: { server in
      let session = try Program.start(server.address)
      defer { session.close() }
      try await session.waitForTexts(" Can't load photos ", "You don't have permission", "Members", "only")
    }
  }

  @Test(arguments: [
    (["ftp://example.org/photos"], ["“ftp://example.org/photos” is not a valid address"]),
    (["file:///etc/passwd"], ["is not a valid address"]), (["http://"], ["is not a valid address"]),
    (["https://me:s3cret@example.org/"], ["a name or password in it", "--token-file"]),
    (["--header", "s3cret", "http://example.org"], ["--header takes 'Name: value'."]),
    (["--header", "A B: s3cret", "http://example.org"], ["“A B” is not a valid header name"]),
    (["--header", "A: s3cret\r\nB: c", "http://example.org"], ["The value of the header A has characters"]),
    (["--header", "A: s3cret", "--header", "a: s3cret", "http://example.org"], ["The header a is given twice"]),
    (["--header", "A: s3cret"], ["need an address of a server"]),
    (["--token-file", "/none", "photos.json"], ["need an address of a server"]),
    (["--token-file", "/none", "http://example.org"], ["/none cannot be opened (No such file or directory)"]),
    (["--token-file", "/", "http://example.org"], ["/ is not a file"]),
  ])
  func invalidArgumentsAreReported(arguments: [String], texts: [String]) async throws {
    let session = try Program.start(
      Program.path, arguments, size: Size(columns: 200, rows: 24), changes: [:])
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(64))
    let screen = try await session.wait(for: "\(texts)") { screen in texts.allSatisfy { screen.contains($0) } }
    #expect(!screen.contains("s3cret"))
  }

  @Test(arguments: [
    ("s3cret", 0o640, "Others may read the token"), ("s3cret", 0o604, "Run chmod 600 on it"),
    ("\ns3cret", 0o600, "is not a valid token"), ("s3\u{1}cret", 0o600, "is not a valid token"),
    ("", 0o600, "is not a valid token"),
  ])
  func aTokenIsKeptSecret(text: String, permissions: Int, sentence: String) async throws {
    let token = try Token(text, permissions: permissions)
    let session = try Program.start("--token-file", token.path, "http://127.0.0.1:1/", columns: 200, rows: 24)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(64))
    let screen = try await session.waitForText(sentence)
    #expect(!screen.contains("cret"))
  }
}
