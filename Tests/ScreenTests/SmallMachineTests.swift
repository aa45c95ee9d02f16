import Foundation
import TestLimit
import Testing

@testable import Harness

/// The program works on old terminals, without a locale or a home folder, and with few file descriptors.
@Suite(.fewAtOnce, .limited) struct SmallMachineTests {
  /// Expects that the program starts after a shell script, answers keys and restores the terminal.
  private func expectToWork(
    _ script: String, _ changes: [String: String?], shows text: String, inASCII: Bool = false
  ) async throws {
    var environment = Program.environment
    for (name, value) in changes { environment[name] = value }
    let session = try TerminalSession(
      "/bin/sh", ["-c", "\(script) exec \"$0\" --delay 0", Program.path], size: Size(columns: 80, rows: 24),
      environment: environment)
    defer { session.close() }
    try await session.waitForTexts(text, "1/36")
    session.type("j")
    try await session.waitForText("2/36")
    session.type("?")
    try await session.waitForText("Open highlighted row")
    let borders = session.screen
    session.type("\u{1B}")
    try await session.wait(for: "the help to be gone") { !$0.contains("Open highlighted row") }
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(session.attributes == session.initialAttributes)
    // The borders are drawn with ASCII characters, not with a C library's substitutes for others.
    if inASCII { #expect(session.output.allSatisfy { $0 < 0x80 } && borders.contains("-----")) }
  }

  @Test func anOldTerminalIsEnough() async throws {
    try await expectToWork("", ["TERM": "vt100", "COLORTERM": nil], shows: "Dune in the wind")
  }

  @Test func noLocaleIsNeeded() async throws {
    try await expectToWork("", ["LC_ALL": "C", "LANG": nil], shows: "Dune in the wind", inASCII: true)
  }

  @Test func noHomeIsNeeded() async throws {
    try await expectToWork("", ["HOME": nil], shows: "Dune in the wind")
    try await expectToWork("", ["HOME": "/proc/none"], shows: "Dune in the wind")
  }

  @Test func fewDescriptorsAreEnough() async throws {
    try await expectToWork("ulimit -n 32;", [:], shows: "Dune in the wind")
  }

  @Test func fewDescriptorsAreEnoughForImages() async throws {
    let photos = URL(filePath: Program.bundledPhoto("gull.jpg")).deletingLastPathComponent().path
    for source in [[], [photos]] {
      let session = try TerminalSession(
        "/bin/sh", ["-c", "ulimit -n 32; exec \"$0\" --delay 0 --pictures symbols \"$@\"", Program.path] + source,
        size: Size(columns: 120, rows: 36), environment: Program.environment)
      defer { session.close() }
      // Images of characters are beside large rows only.
      try await session.waitForText("1/36")
      session.type("t")
      for _ in 1...3 {
        try await session.wait(for: "images in the detail and in every row") { screen in
          colors(of: screen, rows: 5..<24, columns: 50..<119).count > 200
            && (0..<4).allSatisfy { colors(of: screen, rows: 3 + 7 * $0..<9 + 7 * $0, columns: 1..<17).count > 4 }
        }
        session.type("v")
        try await session.wait(for: "the photo alone") {
          $0.contains("Esc Back") && colors(of: $0, rows: 0..<34, columns: 0..<120).count > 500
        }
        session.type("q")
        try await session.wait(for: "the list") { !$0.contains("Esc Back") }
        session.type("jj")
      }
      session.type("q")
      #expect(try await session.waitForExit() == .exited(0))
    }
  }

  /// The folder has more levels than the program may open descriptors.
  @Test func aDeepFolderNeedsFewDescriptors() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    let deepest = (1...60).reduce(folder) { $0.appending(path: "\($1)") }
    try FileManager.default.createDirectory(at: deepest, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: URL(filePath: Program.photo("chelsea.jpg")), to: deepest.appending(path: "deep.jpg"))
    let session = try TerminalSession(
      "/bin/sh", ["-c", "ulimit -n 32; exec \"$0\" --pictures symbols \"$1\"", Program.path, folder.path],
      size: Size(columns: 120, rows: 36), environment: Program.environment)
    defer { session.close() }
    try await session.wait(for: "the photo") {
      $0.contains("1/1") && colors(of: $0, rows: 5..<24, columns: 50..<119).count > 200
    }
  }

  @Test func allLimitsTogetherAreNoProblem() async throws {
    try await expectToWork(
      "ulimit -n 32;", ["TERM": "vt100", "COLORTERM": nil, "LC_ALL": "C", "HOME": nil], shows: "Dune in the wind",
      inASCII: true)
  }

  @Test func nothingIsSentThatAnOldTerminalWouldPrint() async throws {
    let session = try Program.start("--delay", "0", columns: 80, rows: 24, changes: ["TERM": "vt100", "LC_ALL": "C"])
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type("?")
    try await session.waitForText("Open highlighted row")
    session.type("\u{1B}")
    try await session.wait(for: "the help to be gone") { !$0.contains("Open highlighted row") }
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    let sequences = OutputGrammar.tokens(session.output).compactMap { token -> String? in
      guard case .sequence(let sequence) = token else { return nil }
      return sequence
    }
    #expect(session.output.allSatisfy { $0 < 0x80 })
    #expect(!sequences.isEmpty)
    // The sequences of the VT100 User Guide: cursor movement, scrolling regions, clearing, attributes, and the request
    // for the device attributes.
    let known = /\u{1B}(?:\[(?:\d+(?:;\d+)*)?[ABCDHJKcmr]|\[\?7h|[()][B0]|[78DM=>])/
    #expect(try sequences.filter { try known.wholeMatch(in: $0) == nil } == [])
  }
}
