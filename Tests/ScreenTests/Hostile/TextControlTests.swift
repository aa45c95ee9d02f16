import Foundation
import Harness
import TestLimit
import Testing
import WebServer

/// No name, tag or server text controls the terminal. The program writes only its own sequences, wherever a text comes
/// from and wherever it is shown.
@Suite(.fewAtOnceAndFirst, .serialized, .limited) final class TextControlTests {
  static let size = Size(columns: 120, rows: 30)
  let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Starts the program with arguments of any bytes. A shell reads them from a file.
  private func start(
    _ command: String, _ arguments: [[UInt8]], changes: [String: String] = [:], answersQueries: Bool = true
  ) throws -> TerminalSession {
    let list = folder.appending(path: "arguments")
    try Data(arguments.flatMap { $0.filter { $0 != 0 } + [0] }).write(to: list)
    let environment = Program.environment.merging([
      "XDG_CACHE_HOME": folder.appending(path: "cache").path, "XDG_STATE_HOME": folder.appending(path: "state").path,
    ]) { $1 }
    let script = "readarray -d '' words < \"$1\"; exec \"$0\" \(command) \"${words[@]}\""
    return try TerminalSession(
      "/bin/bash", ["-c", script, Program.path, list.path], size: Self.size,
      environment: environment.merging(changes) { $1 }, answersQueries: answersQueries)
  }

  /// Moves down through all rows, so that the detail shows each photo, and opens the third one in the viewer.
  private func walk(_ session: TerminalSession, rows: Int) async throws {
    for row in 1...rows {
      try await session.wait(for: "row \(row)") {
        $0.lines[0].contains(" \(row)/\(rows)") || $0.contains("\(row)/\(rows)")
      }
      session.type(row == 3 ? "v" : "j")
      if row == 3 {
        try await session.wait(for: "the photo alone") { $0.contains("Esc Back") }
        session.type("\u{1B}")
        try await session.wait(for: "the list") { $0.contains("Search") && !$0.contains("Esc Back") }
        session.type("j")
      }
    }
  }

  /// Expects that the output has only the program's own sequences.
  private func expectOwn(
    _ session: TerminalSession, at place: OutputGrammar.Place = .gallery,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let faults = OutputGrammar.faults(in: session.output, at: place)
    #expect(faults.isEmpty, "\(faults.prefix(10))", sourceLocation: sourceLocation)
  }

  /// Quits the program and checks its output.
  func quit(_ session: TerminalSession) async throws {
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    expectOwn(session)
    #expect(session.screen.title.isEmpty)
  }

  /// Writes a catalog with each text in one field, or, in the long form, with each text in every field of a photo.
  private func catalog(of texts: [String]) throws -> (path: String, rows: Int) {
    var left = texts[...]
    var photos: [[String: Any]] = []
    while let first = left.first {
      func next() -> String { isTorture ? first : left.popFirst() ?? first }
      func some() -> String { (1...4).map { _ in next() }.joined(separator: " ") }
      let number = photos.count + 1
      photos.append([
        "id": number, "created_at": "2017-11-06T14:48:50Z", "for_sale": number % 2 == 0, "name": "\(number) \(next())",
        "description": some(), "camera": next(), "user": ["fullname": next()], "license": next(), "lens": next(),
        "keywords": [some(), some()], "label": next(), "image_url": "photos/\(next())x.jpg",
      ])
      if isTorture { left = left.dropFirst() }
    }
    let path = folder.appending(path: "hostile.json")
    try JSONSerialization.data(withJSONObject: ["photos": photos]).write(to: path)
    return (path.path, photos.count)
  }

  /// Returns all texts, `short` of them joined in each piece, or `long` of them in the long form.
  func pieces(of short: Int, atLength long: Int = 1) -> [[UInt8]] {
    let all = HostileText.bytes + HostileText.strings.map { Array($0.utf8) }
    let count = isTorture ? long : short
    return stride(from: 0, to: all.count, by: count).map { Array(all[$0..<min($0 + count, all.count)].joined()) }
  }

  @Test func thereAreTwoHundredTexts() {
    #expect(HostileText.strings.count - HostileText.naughty.count >= 200)
    if HostileText.naughty.isEmpty { print("SKIPPED in part: no test corpora; set TINTYPE_CORPORA to their folder") }
  }

  @Test func tortureTextsInTheFieldsOfACatalog() async throws {
    let catalog = try catalog(of: HostileText.strings)
    let session = try start("--pictures none", [Array(catalog.path.utf8)])
    defer { session.close() }
    try await walk(session, rows: catalog.rows)
    #expect(session.screen.contains("\u{FFFD}"), "replaced characters stay visible")
    try await quit(session)
  }

  @Test func invalidTextsInACatalogAreReportedAndShown() async throws {
    // Bytes that are not UTF-8, escapes, and single surrogates.
    let texts =
      HostileText.bytes.map { bytes in bytes.filter { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C } }
      + [#"\u001b[7913m"#, #"\u009b7913m"#, #"\ud800"#, #"\udc00\ud800"#, #"\u202e\u2066"#, #"\u0000"#].map {
        Array($0.utf8)
      }
    var json: [UInt8] = []
    for (number, text) in texts.enumerated() {
      json += "{\"id\": \(number + 1), \"created_at\": \"2017-11-06T14:48:50Z\", \"image_url\": \"a.jpg\", ".utf8
      json += "\"".utf8 + text + "\": 1, \"name\": \"".utf8 + text + "\", \"camera\": \"".utf8 + text + "\"}\n".utf8
      // The check reports these invalid photos.
      json += "{\"id\": \"".utf8 + text + "\", \"name\": [\"".utf8 + text + "\"]}\n".utf8
      json += "{\"id\": 1, \"name\": \"a\", \"created_at\": \"".utf8 + text + "\", \"image_url\": \"a\"}\n".utf8
    }
    json += Array("{\"".utf8) + [0x1B] + Array("[7913m\": ".utf8) + [0x9B, 0xC2]
    let path = folder.appending(path: "b\u{9B}7913m\u{1B}]2;7913\u{07}.json").path
    try Data(json).write(to: URL(filePath: path))
    let check = try start("catalog --check", [Array(path.utf8)])
    defer { check.close() }
    #expect(try await check.waitForExit() == .exited(1))
    expectOwn(check, at: .shell)
    let session = try start("--pictures none", [Array(path.utf8)])
    defer { session.close() }
    // Photos with texts that are not UTF-8 are skipped.
    try await walk(session, rows: 6)
    try await quit(session)
  }

  @Test func tortureTextsInNamesAndMetadataOfFiles() async throws {
    let all = HostileText.strings.map { Array($0.utf8) }
    let few = stride(from: 0, to: all.count, by: isTorture ? 1 : 25).map { all[$0] }
    let texts = HostileText.bytes + few
    let photos = folder.appending(path: "photos").path
    let below = Array((photos + "/").utf8) + [0x9B] + Array("7913m\u{1B}]0;x".utf8)
    mkdir(photos, 0o700)
    mkdir(below.map { CChar(bitPattern: $0) } + [0], 0o700)
    for (number, text) in texts.enumerated() {
      let name = text.filter { $0 != 0 && $0 != 0x2F }.prefix(200)
      let path =
        (number % 2 == 0 ? below : Array(photos.utf8)) + [0x2F] + Array("\(number)".utf8) + name + Array(".jpg".utf8)
      let file = try #require(fopen(path.map { CChar(bitPattern: $0) } + [0], "w"))
      // Every fourth file has no metadata, so that its name is shown.
      let bytes = number % 4 == 3 ? HostilePhoto.jpeg([]) : HostilePhoto.jpeg(text)
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
    let session = try start("--pictures none", [Array(photos.utf8)])
    defer { session.close() }
    try await walk(session, rows: texts.count)
    try await quit(session)
    let catalog = try start("catalog", [Array(photos.utf8)])
    defer { catalog.close() }
    #expect(try await catalog.waitForExit() == .exited(0))
    expectOwn(catalog, at: .shell)
  }

  @Test(arguments: [
    "show", "thumbnails", "catalog", "catalog --check", "catalog --output", "--room", "--pictures", "--colors",
    "--header", "--token-file", "--music-url", "--delay", "show --size", "doctor", "--strict x",
  ])
  func tortureTextsInArguments(command: String) async throws {
    let takesMany = ["show", "thumbnails"].contains(command)
    let words = pieces(of: takesMany ? 10 : 300, atLength: takesMany ? 1 : 10).map { $0.isEmpty ? [0x78] : $0 }
    for words in takesMany ? [words.map { Array("/none/".utf8) + $0 }] : words.map({ [$0] }) {
      let session = try start(command, words)
      defer { session.close() }
      try await session.waitForExit()
      expectOwn(session, at: command == "show" ? .images : .shell)
    }
  }

  @Test func tortureTextsInNamesOfSources() async throws {
    for piece in pieces(of: 100, atLength: 10) {
      let missing = try start("--pictures none", [Array("/none/".utf8) + piece.filter { $0 != 0x3A }.prefix(3000)])
      defer { missing.close() }
      #expect(try await missing.waitForExit() == .exited(1))
      expectOwn(missing, at: .shell)
      // Without colons and slashes the text is not a web address, and 200 bytes are a valid length of a name.
      let name = piece.filter { ![0, 0x2F, 0x3A].contains($0) }.prefix(200)
      let path = Array(folder.path.utf8) + Array("/a".utf8) + name
      let file = try #require(fopen(path.map { CChar(bitPattern: $0) } + [0], "w"))
      fputs("[", file)
      fclose(file)
      let session = try start("--pictures none", [path])
      defer { session.close() }
      try await session.waitForText("Can't load photos")
      session.type("\u{1B}")
      try await session.wait(for: "no alert") { !$0.contains("Can't load photos") }
      try await quit(session)
    }
  }

  @Test func tortureTextsInAnswersOfServers() async throws {
    let answers = HostileAnswers(pieces(of: 30, atLength: 5))
    let server = try RawServer { _ = $0.send(answers.next()) }
    let session = try start("--pictures none", [Array((server.address + "/" + "x").utf8)])
    defer { session.close() }
    for _ in 0..<answers.count {
      try await session.waitForText("Can't load photos")
      session.type("\u{1B}")
      try await session.wait(for: "no alert") { !$0.contains("Can't load photos") }
      session.type("r")
    }
    try await session.waitForText("Can't load photos")
    session.type("\u{1B}")
    try await session.wait(for: "no alert") { !$0.contains("Can't load photos") }
    try await quit(session)
  }

  @Test func textsInTheTerminalsAnswersAndVariablesArePrintable() async throws {
    let name = "7913\u{9B}7913m\u{202E}\u{7F}\u{200B}漢"
    let session = try start(
      "doctor", [], changes: ["TERM": "xterm-256color", "COLORTERM": "\u{1B}[7913m\u{9B}7913m\u{202E}"],
      answersQueries: false)
    defer { session.close() }
    try await session.waitForOutput("the questions") { $0.suffix(3) == Array("\u{1B}[c".utf8) }
    session.type("\u{1B}P>|\(name)\u{1B}\\\u{1B}[?62;c")
    try await session.waitForText("Test card")
    #expect(try await session.waitForExit() == .exited(0))
    expectOwn(session, at: .images)
    let other = try start("--pictures none", [], changes: ["TERM": "\u{1B}[7913m\u{9B}7913m\u{202E}"])
    defer { other.close() }
    #expect(try await other.waitForExit() == .exited(1))
    expectOwn(other, at: .shell)
  }
}

/// A series of error answers, with a text at every place where a server can send one.
private final class HostileAnswers: @unchecked Sendable {
  private let lock = NSLock()
  private var left: ArraySlice<[UInt8]>
  private var number = 0
  let count: Int

  init(_ texts: [[UInt8]]) {
    left = texts[...]
    count = texts.count
  }

  func next() -> [UInt8] {
    lock.withLock {
      number += 1
      let text = left.popFirst() ?? Array("the end".utf8)
      let line = text.filter { ![0, 0x0A, 0x0D].contains($0) }
      let json = try? JSONSerialization.data(withJSONObject: ["message": String(decoding: text, as: UTF8.self)])
      let (type, body) = number % 2 == 0 ? ("application/json", Array(json ?? Data())) : ("text/plain", text)
      let status = number % 3 == 0 ? "302 " : "403 "
      return Array("HTTP/1.1 \(status)".utf8) + line + Array("\r\nServer: ".utf8) + line
        + Array("\r\nLocation: http://10.0.0.1/".utf8) + line.filter { $0 != 0x20 } + Array("\r\nX-".utf8)
        + line.filter { $0 != 0x3A }
        + Array(": 1\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8)
        + body
    }
  }
}
