import Foundation
import Harness
import TestLimit
import Testing
import WebServer

@Suite(.fewAtOnce, .limited) struct ProblemTests {
  private static let text = """
    {"photos": [
      {"id": 1, "name": "Alder", "created_at": "2017-11-06T14:48:50-05:00", "image_url": "a.jpg"},
      {"id": 2, "created_at": "2017-11-06T14:48:50-05:00", "image_url": "b.jpg"},
      {"id": 3, "name": "Birch", "created_at": "2017-11-06T14:48:50-05:00", "image_url": "c.jpg"},
      {"id": "four", "name": "Ce\\u001bdar", "created_at": "yesterday", "image_url": "d.jpg"}
    ]}
    """

  private let catalog: TemporaryCatalog

  init() throws { catalog = try TemporaryCatalog(Self.text) }

  /// A delay means the same for each source and in each room.
  @Test(arguments: ["photos", "wall", "prints", "covers"]) func theDelayIsThatOfEveryRoom(room: String) async throws {
    let folder = URL(filePath: Program.photo("coffee.jpg")).deletingLastPathComponent().path
    // Without a folder for its state, the gallery would say so in an alert.
    let state = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(state)
    let session = try Program.start(
      folder, "--delay", "3600", "--room", room, changes: ["XDG_STATE_HOME": state.path])
    defer { session.close() }
    let loading = room == "covers" ? "Searching…" : "Loading"
    try await session.waitForText(loading)
    session.type("?")
    try await session.waitForText("Type a command")
    session.type("\u{1B}")
    try await session.wait(for: "the room, which is still empty") {
      $0.contains(loading) && !$0.contains("Type to find") && !$0.contains("1/")
    }
  }

  @Test(arguments: [ScreenSize.large, .small])
  func unreadableFilesAreListed(size: ScreenSize) async throws {
    let session = try Program.start(catalog.path, columns: size.columns, rows: size.rows)
    defer { session.close() }
    try await session.waitForTexts("1/2", "Alder", "Birch")
    if size == .large { try await session.waitForText("2 photos · 2 problems · catalog order") }
    session.type("!")
    let problems = try await session.waitForTexts(
      "─ Problems ─", "line 3, column 3 (photo 2): ", "line 5, column 10 (photo 4): ")
    assertSnapshot(problems, named: "problems-\(size.rawValue)")
    session.type("q")
    try await session.wait(for: "the window to be gone") { !$0.contains("─ Problems ─") && $0.contains("1/2") }
    try catalog.write(#"[{"id": 1, "name": "Elm", "created_at": "2017-11-06T14:48:50Z", "image_url": "a.jpg"}]"#)
    session.type("r")
    try await session.wait(for: "no problem") { $0.contains("Elm") && !$0.contains("problems") }
    session.type("!j")
    try await session.waitForText("1/1")
    #expect(!session.screen.contains("─ Problems ─"))
  }

  /// Runs the program with its standard error in a file next to the catalog.
  private func runStrictly(_ command: String) throws -> (session: TerminalSession, errors: String) {
    let errors = catalog.path + ".errors"
    let session = try TerminalSession(
      "/bin/sh", ["-c", "\(command) 2> \(errors.shellWord)", Program.path, catalog.path],
      size: Size(columns: 80, rows: 24), environment: Program.environment)
    return (session, errors)
  }

  @Test(arguments: [#""$0" --strict "$1""#, #""$0" --strict - < "$1""#])
  func aStrictSourceWithProblemsDoesNotOpen(command: String) async throws {
    let (session, errors) = try runStrictly(command)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(1))
    let lines = try String(contentsOfFile: errors, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3, "\(lines)")
    #expect(lines[0].hasPrefix("line 3, column 3 (photo 2): ") && lines[1].hasPrefix("line 5, column 10 (photo 4): "))
    #expect(lines[2].hasSuffix(": 2 photos, 2 problems"))
    #expect(session.output.isEmpty, "the terminal was touched")
  }

  @Test(arguments: [#""$0" --pictures none --strict "$1""#, #""$0" --pictures none --strict - < "$1""#])
  func aStrictSourceWithoutProblemsOpens(command: String) async throws {
    try catalog.write(#"[{"id": 1, "name": "Elm", "created_at": "2017-11-06T14:48:50Z", "image_url": "a.jpg"}]"#)
    let (session, _) = try runStrictly(command)
    defer { session.close() }
    try await session.waitForTexts("1/1", "Elm")
  }

  @Test func aMissingStrictSourceIsReportedWithoutKeys() async throws {
    let (session, errors) = try runStrictly(#""$0" --strict "$1.none""#)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(1))
    let text = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(text.contains("There is no file at") && !text.contains("press r"))
  }
}

@Suite(.fewAtOnce, .limited) struct ChangingFolderTests {
  @Test func theListFollowsTheFolderAndTheHighlightedRowStays() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    let below = folder.appending(path: "below")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func add(_ name: String, to place: URL) throws {
      try FileManager.default.copyItem(atPath: Program.photo(name), toPath: place.appending(path: name).path)
    }
    for name in ["chelsea.jpg", "coffee.jpg", "rocket.jpg"] { try add(name, to: folder) }
    let session = try Program.start(folder.path)
    defer { session.close() }
    try await session.waitForTexts("1/3", "Pixels")
    session.type("ttj ")
    try await session.waitForTexts("3/3", "1 marked")
    session.type("k")
    try await session.waitForText("2/3")
    try add("dahlia.jpg", to: below)
    try await session.waitForTexts("2/4", "dahlia.jpg", "4 photos", "▌✓   coffee.jpg")
    try FileManager.default.removeItem(at: folder.appending(path: "chelsea.jpg"))
    let gone = try await session.waitForTexts("1/3", "3 photos", "▌✓   coffee.jpg")
    #expect(!gone.contains("chelsea"))
    try FileManager.default.moveItem(
      at: folder.appending(path: "coffee.jpg"), to: below.appending(path: "espresso.jpg"))
    try await session.waitForTexts("3/3", "▌✓   espresso.jpg", "below/espresso.jpg")
    // A new photo is listed at its place by name, before the others.
    try add("astronaut.jpg", to: folder)
    let grown = try await session.waitForTexts("4/4", "▌✓   espresso.jpg", "1 marked")
    let first = try #require(grown.position(of: " astronaut.jpg"))
    let second = try #require(grown.position(of: " rocket.jpg"))
    #expect(first.row < second.row)
  }
}

/// Serialized, since each test's server keeps one of Dispatch's few threads.
extension WebSourceTests {
  /// Returns one of five pages with forty photos each.
  private static func page(_ number: Int) -> Data {
    let rows = ((number - 1) * 40 + 1...number * 40).map {
      #"{"id": \#($0), "name": "Photo \#($0)", "created_at": "2017-11-06T14:48:50Z", "image_url": "a.jpg"}"#
    }
    return Data(
      #"{"current_page": \#(number), "total_pages": 5, "total_items": 200, "photos": [\#(rows.joined(separator: ","))]}"#
        .utf8)
  }

  private static func number(of target: String) -> Int {
    URLComponents(string: target)?.queryItems?.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
  }

  @Test func theNextPageIsLoadedBeforeTheEnd() async throws {
    try await WebServer.run { question in
      .init(body: Self.page(Self.number(of: question.target)))
    } body: { server in
      let session = try Program.start(server.address + "/photos")
      defer { session.close() }
      try await session.waitForTexts("1/40", "40 of 200 photos")
      #expect(server.questions.count == 1)
      for page in 1..<5 {
        session.type("G")
        try await session.waitForTexts("\(page * 40)/\((page + 1) * 40)")
      }
      session.type("G")
      try await session.waitForTexts("200/200", "Photo 200", "200 photos · catalog order")
      session.type("kG")
      try await session.waitForText("200/200")
      #expect(server.questions.map { Self.number(of: $0.target) } == [1, 2, 3, 4, 5])
    }
  }

  @Test func aFailedPageIsReportedAndRequestedAgain() async throws {
    try await WebServer.run { question in
      question.number == 1 ? .init(403) : .init(body: Self.page(Self.number(of: question.target)))
    } body: { server in
      let session = try Program.start(server.address + "/photos")
      defer { session.close() }
      try await session.waitForText("1/40")
      session.type("G")
      try await session.waitForTexts(" Can't load photos ", "You don't have permission")
      session.type("\r")
      try await session.wait(for: "the alert to be gone") { !$0.contains(" Can't load ") && $0.contains("40/40") }
      session.type("k")
      try await session.waitForText("39/80")
    }
  }

  @Test func cachedPagesAreShownWithTheirAgeIfTheServerIsGone() async throws {
    let cache = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: cache) }
    let changes = ["XDG_CACHE_HOME": cache.path]
    let address = try await WebServer.run { _ in
      .init(body: Self.page(1))
    } body: { server in
      let session = try Program.start(server.address, changes: changes)
      defer { session.close() }
      let screen = try await session.waitForTexts("1/40", "Photo 1")
      #expect(!screen.contains("as of"))
      return server.address
    }
    let session = try Program.start(address, changes: changes)
    defer { session.close() }
    try await session.waitForTexts("1/40", "Photo 1", "as of 20", "40 of 200 photos")
  }
}
