import Foundation
import Harness
import TestLimit
import Testing

/// Images as the user sees them: cells in the photo's colors, at the photo's place.
@Suite(.fewAtOnce, .limited) struct ImageTests {
  /// Opens the gallery and waits until all images of the first screen are drawn. In the detail, the sharp image has 1,061
  /// different pairs of colors; what the thumbnail gives before has 977.
  private func open(changes: [String: String?] = [:]) async throws -> TerminalSession {
    let session = try Program.start("--delay", "0", "--pictures", "symbols", changes: changes)
    // Images of characters are beside large rows only.
    try await session.waitForText("1/36")
    session.type("t")
    try await session.wait(for: "images in the detail and in every row") {
      colors(of: $0, rows: 5..<24, columns: 50..<119).count > 1000
        && (0..<4).allSatisfy { row in
          colors(of: session.screen, rows: 3 + 7 * row..<9 + 7 * row, columns: 1..<17).count > 16
        }
    }
    return session
  }

  @Test func imagesShowInListDetailAndViewer() async throws {
    let session = try await open()
    defer { session.close() }
    session.type("\r")
    try await session.wait(for: "the viewer's image") {
      $0.contains("Esc Back") && colors(of: $0, rows: 0..<34, columns: 0..<120).count > 1000
    }
  }

  @Test func aPopupOverAnImageLeavesNothingBehind() async throws {
    let session = try await open()
    defer { session.close() }
    // The frame that answers the key still has the previous photo's image. The whale's has 913 pairs of colors.
    let first = colors(of: session.screen, rows: 5..<24, columns: 50..<119)
    session.type("jj")
    let before = try await session.wait(for: "the whale, with no sharper image on its way") {
      let shown = colors(of: $0, rows: 5..<24, columns: 50..<119)
      return $0.contains("by Kristaps Dzonsons") && shown.count > 900 && shown.intersection(first).count < 30
        && $0.lines.last?.contains("○") == false
    }
    for keys in [("\r", "\r"), ("?", "\u{1B}"), (":", "\u{1B}"), ("v", "q")] {
      session.type(keys.0)
      try await session.wait(for: "what \(keys.0) opens") { $0.snapshot() != before.snapshot() }
      session.type(keys.1)
      try await session.wait(for: "the screen as it was") { $0.snapshot() == before.snapshot() }
    }
  }

  @Test(
    arguments: [
      ("256", ["TERM": "xterm-256color", "COLORTERM": nil]), ("8", ["TERM": "xterm", "COLORTERM": nil]),
    ] as [(String, [String: String?])])
  func imagesShowInFewColors(name: String, changes: [String: String?]) async throws {
    let session = try Program.start("--delay", "0", "--pictures", "symbols", changes: changes)
    defer { session.close() }
    try await session.wait(for: "an image") { colors(of: $0, rows: 5..<24, columns: 50..<119).count > 4 }
  }

  /// The C library of Debian 12 does not know octants.
  @Test(
    arguments: [("sextants", 0x1FB00...0x1FB3B), ("octants", 0x1CD00...0x1CDE5)] as [(String, ClosedRange<UInt32>)])
  func theGalleryDrawsTheCharactersThatTheUserChooses(name: String, characters: ClosedRange<UInt32>) async throws {
    let session = try Program.start("--delay", "0", "--pictures", "symbols", "--glyphs", name)
    defer { session.close() }
    try await session.wait(for: "an image with \(name)") { screen in
      let scalars = screen.cells[5..<24].flatMap { $0[50..<119] }.flatMap(\.text.unicodeScalars)
      return scalars.count { characters.contains($0.value) } > 20
    }
  }

  @Test func showPrintsTheCharactersThatTheUserChooses() async throws {
    let session = try TerminalSession(
      Program.path, ["show", "--pictures", "symbols", "--glyphs", "octants", Program.photo("chelsea.jpg")],
      size: Size(columns: 60, rows: 20), environment: Program.environment)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(0))
    let shown = String(decoding: session.output, as: UTF8.self).unicodeScalars
    #expect(shown.count { (0x1CD00...0x1CDE5).contains($0.value) } > 100)
  }

  @Test func withoutColorsOrUTF8ThereIsStillAnImage() async throws {
    let session = try Program.start(
      "--delay", "0", "--pictures", "symbols", changes: ["TERM": "vt100", "COLORTERM": nil, "LANG": "C"])
    defer { session.close() }
    try await session.wait(for: "an image in ASCII") { screen in
      let texts = screen.cells[5..<20].joined().map(\.text)
      return Set(texts).count > 10 && texts.filter { $0 != " " }.count > 300
    }
    #expect(session.output.filter { $0 >= 0x80 } == [])
  }

  @Test(arguments: ["0", "4097", "-1"])
  func anInvalidAmountOfImageMemoryIsRefused(megabytes: String) async throws {
    let session = try Program.start("--picture-memory=\(megabytes)")
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(64))
    try await session.waitForText("--picture-memory takes a number of megabytes from 1 to 4096.")
  }

  @Test func anIncompleteFileIsShownAndReported() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let whole = try Data(contentsOf: URL(filePath: Program.photo("chelsea.jpg")))
    let path = folder.appending(path: "cut.jpg").path
    try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
    let session = try Program.start("--pictures", "symbols", folder.path)
    defer { session.close() }
    try await session.waitForTexts("1/1", "Incomplete file")
    session.type("v")
    try await session.wait(for: "the image and the report in the viewer") {
      $0.contains("Incomplete file") && $0.contains("Esc Back")
        && colors(of: $0, rows: 0..<20, columns: 0..<80).count > 100
    }
    let show = try TerminalSession(
      Program.path, ["show", "--pictures", "symbols", "--size", "10x5", path], size: Size(columns: 200, rows: 24),
      environment: Program.environment)
    defer { show.close() }
    try await show.waitForTexts("Incomplete file (cut off, or still being copied)")
  }

  @Test func aMissingImageIsReported() async throws {
    let catalog = try TemporaryCatalog.named(["One"])
    let session = try Program.start("--pictures", "symbols", catalog.path)
    defer { session.close() }
    try await session.waitForTexts("File not found")
  }
}

/// Returns the different pairs of foreground and background in a part of the screen.
func colors(of screen: Screen, rows: Range<Int>, columns: Range<Int>) -> Set<[Color]> {
  Set(screen.cells[rows].flatMap { row in row[columns].map { [$0.style.foreground, $0.style.background] } })
}
