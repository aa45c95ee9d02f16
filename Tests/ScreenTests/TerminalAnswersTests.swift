import Foundation
import Harness
import TestLimit
import Testing

/// Terminals that answer the program's questions correctly, late, in pieces, wrongly or not at all.
@Suite(.fewAtOnce, .limited) struct TerminalAnswersTests {
  // A terminal that reports its name gets a second batch of questions.
  private static let kitty =
    "\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;9t\u{1B}[?62;c\u{1B}[?62;c"
  private static let sixel =
    "\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[?1;0;256S\u{1B}[6;20;9t\u{1B}[?62;4;22c\u{1B}[?62;4;22c"

  private func open(_ arguments: String...) throws -> TerminalSession {
    try TerminalSession(
      Program.path, ["--delay", "0"] + arguments, size: Size(columns: 120, rows: 36), environment: Program.environment,
      answersQueries: false)
  }

  private func wait(_ session: TerminalSession, for bytes: String, _ description: String) async throws {
    let wanted = Array(bytes.utf8)
    try await session.waitForOutput(description) { $0.firstRange(of: wanted) != nil }
  }

  private func expectNoKey(_ session: TerminalSession) async throws {
    // If a part of an answer were taken for a key, there would be a popup, another row or no program.
    let screen = try await session.waitForText("1/36")
    for text in ["─ Commands ─", "Alert", "Esc Back"] { #expect(!screen.contains(text), "\(text) is open") }
  }

  @Test func kittyGetsPlaceholders() async throws {
    let session = try open()
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type(Self.kitty)
    try await wait(session, for: "\u{1B}_Gq=2,f=100,", "an image for kitty")
    try await wait(session, for: "\u{10EEEE}\u{305}\u{305}", "its first cell")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    // Exactly the images that were sent are deleted.
    let output = String(decoding: session.output, as: UTF8.self)
    let sent = Set(Self.numbers(in: output, after: "f=100,i="))
    let deleted = Set(Self.numbers(in: output, after: "d=I,i="))
    #expect(!sent.isEmpty && sent == deleted)
    #expect(
      output.components(separatedBy: "\u{1B}_G").dropFirst().allSatisfy { $0.hasPrefix("q=2") || $0.hasPrefix("i=3") })
  }

  /// Opens the gallery on a terminal whose images lie over the cells, and waits for all images of the list.
  private func openPlaced() async throws -> TerminalSession {
    let session = try open("--pictures", "kitty", "--colors", "256")
    session.type(Self.kitty.replacing("0.41.1", with: "0.26.5"))
    try await session.waitForOutput("the images of the rows and of the detail") {
      Set(Self.numbers(in: String(decoding: $0, as: UTF8.self), after: "a=p,i=")).count > 8
    }
    return session
  }

  @Test func placedImagesAreNotScrolledAway() async throws {
    let session = try await openPlaced()
    defer { session.close() }
    let start = session.output.count
    // The emulator's screen is not compared, because the emulator prints kitty's sequences as text.
    for text in ["Gabas", "Dzonsons"] {
      session.type("j")
      try await session.waitForOutput(text) { $0[start...].firstRange(of: Array(text.utf8)) != nil }
    }
    // The final bytes of sequences that scroll: margins (r), scrolling (S, T), inserted and deleted lines (L, M).
    let scrolling = /\u{1B}(\[[0-9;]*[rSTLM]|[DM])|\n/
    let output = String(decoding: session.output[start...], as: UTF8.self)
    #expect(output.firstMatch(of: scrolling) == nil)
  }

  @Test(arguments: ["\u{0C}", ""])
  func placedImagesComeAgainAfterTheScreenIsCleared(key: String) async throws {
    let session = try await openPlaced()
    defer { session.close() }
    let start = session.output.count
    if key.isEmpty { session.resize(to: Size(columns: 120, rows: 37)) } else { session.type(key) }
    try await session.waitForOutput("images sent and placed again") {
      guard let cleared = $0[start...].firstRange(of: Array("\u{1B}[2J".utf8)) else { return false }
      let output = String(decoding: $0[cleared.upperBound...], as: UTF8.self)
      let placed = Set(Self.numbers(in: output, after: "a=p,i="))
      return placed.count > 8 && placed.isSubset(of: Self.numbers(in: output, after: "f=100,i="))
    }
  }

  @Test func gnuScreenGetsSymbolsAndNoQuestionsAboutImages() async throws {
    let session = try TerminalSession(
      Program.path, ["--delay", "0"], size: Size(columns: 120, rows: 36),
      environment: Program.environment.merging(["TERM": "screen-256color"]) { $1 }, answersQueries: false)
    defer { session.close() }
    session.type("\u{1B}[?1;2c")
    try await wait(session, for: "▀", "an image of characters")
    for question in ["\u{1B}P", "\u{1B}_G"] { #expect(session.output.firstRange(of: Array(question.utf8)) == nil) }
  }

  private static func numbers(in text: String, after key: String) -> [Int] {
    text.components(separatedBy: key).dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
  }

  @Test func aSixelTerminalGetsSixels() async throws {
    let session = try open()
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type(Self.sixel)
    try await wait(session, for: "\u{1B}P0;0;0q", "a sixel")
    try await expectNoKey(session)
  }

  @Test func answersInPiecesAreRecognized() async throws {
    let session = try open()
    defer { session.close() }
    try await session.waitForText("1/36")
    for byte in Self.sixel.utf8 { session.type([byte]) }
    try await wait(session, for: "\u{1B}P0;0;0q", "a sixel")
    try await expectNoKey(session)
  }

  @Test func aSilentTerminalGetsSymbols() async throws {
    let session = try open()
    defer { session.close() }
    try await wait(session, for: "▀", "an image of characters")
    try await expectNoKey(session)
    #expect(session.output.firstRange(of: Array("\u{1B}_Gq=2".utf8)) == nil)
  }

  @Test func lateAnswersChangeTheOutputFormat() async throws {
    let session = try open()
    defer { session.close() }
    try await wait(session, for: "▀", "an image of characters")
    session.type(Self.sixel)
    try await wait(session, for: "\u{1B}P0;0;0q", "a sixel")
    try await expectNoKey(session)
  }

  /// Until images for kitty have arrived, the characters stay. A frame without images would draw the corners of their
  /// places.
  @Test func anAnswerAfterSecondsReplacesTheImagesWithoutAGap() async throws {
    let session = try open()
    defer { session.close() }
    try await session.waitForText("1/36")
    // The images of the rows before may all be there. Ctrl-L shows where the new rows begin.
    let before = session.output.count
    session.type("t\u{0C}")
    try await session.waitForOutput("the new rows") { $0[before...].firstRange(of: Array("\u{1B}[2J".utf8)) != nil }
    try await session.wait(for: "all images of characters") {
      $0.contains("1/36") && $0.contains("▀") && !$0.contains("┌")
    }
    let start = session.output.count
    session.answer(Self.kitty, after: .seconds(5))
    try await session.waitForOutput("images for kitty in all rows") {
      Set(Self.numbers(in: String(decoding: $0, as: UTF8.self), after: "f=100,i=")).count > 4
        && $0.firstRange(of: Array("\u{10EEEE}\u{305}\u{305}".utf8)) != nil
    }
    #expect(session.output[start...].firstRange(of: Array("┌".utf8)) == nil)
  }

  @Test(arguments: [
    "\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\\u{1B}[?62c", "\u{1B}P>|\u{1B}\\\u{1B}[?c",
    "\u{1B}[6;99999999999999999999;9t\u{1B}[?1c",
    "\u{1B}_Gi=31\u{1B}\\\u{1B}[?;;;c", "\u{1B}]11;rgb:zz/zz/zz\u{1B}\\\u{1B}[?1c", "\u{1B}[?1;0;0S\u{1B}[?1c",
  ])
  func wrongAnswersAreNotTakenForKeys(answer: String) async throws {
    let session = try open()
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type(answer)
    try await wait(session, for: "▀", "an image of characters")
    try await expectNoKey(session)
    session.type("j")
    try await session.waitForText("2/36")
  }

  @Test func anOutputFormatCanBeForced() async throws {
    let session = try open("--pictures", "sixel")
    defer { session.close() }
    try await wait(session, for: "\u{1B}P0;0;0q", "a sixel")
  }

  @Test func aSixelUnderAnOpenPopupIsDrawnBeforeThePopupIsRestored() async throws {
    let session = try open("--pictures", "sixel")
    defer { session.close() }
    session.type(Self.sixel)
    try await session.waitForText(" 1/")
    // The help is open before the viewer's image arrives.
    session.type("v?")
    try await session.waitForText("Rotate clockwise")
    try await session.waitForOutput("the viewer's image, and the help behind it") { output in
      let parts = String(decoding: output, as: UTF8.self).components(separatedBy: "\u{1B}P0;0;0q\"1;1;")
      // The viewer's image is almost as wide as the screen.
      return parts.dropFirst().contains { part in
        (Int(part.prefix { $0.isNumber }) ?? 0) > 800 && part.contains("clockwise")
      }
    }
    #expect(session.screen.contains("Rotate clockwise"))
  }

  /// The background is 0x204060. Symbols give it as a 24-bit color, sixels in percent.
  @Test(arguments: [("\u{1B}[?64;1c", "\u{1B}[48;2;32;64;96m"), ("\u{1B}[?64;1;4c", ";2;13;25;38")])
  func showDrawsTransparentImagesOnTheBackground(attributes: String, color: String) async throws {
    // A GIF with one transparent pixel.
    let gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    let file = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).gif")
    try #require(Data(base64Encoded: gif)).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let session = try TerminalSession(
      Program.path, ["show", "--size", "8x4", file.path], size: Size(columns: 80, rows: 24),
      environment: Program.environment, answersQueries: false)
    defer { session.close() }
    session.type("\u{1B}]11;rgb:2020/4040/6060\u{1B}\\\u{1B}P>|XTerm(379)\u{1B}\\" + attributes)
    #expect(try await session.waitForExit() == .exited(0))
    #expect(String(decoding: session.output, as: UTF8.self).contains(color))
  }

  @Test func popupOverASixelIsNotDrawnOver() async throws {
    let session = try open("--pictures", "sixel")
    defer { session.close() }
    session.type(Self.sixel)
    try await session.waitForOutput("the images of the rows and of the detail") {
      String(decoding: $0, as: UTF8.self).components(separatedBy: "\u{1B}P0;0;0q").count > 9
    }
    session.type("?")
    try await session.waitForText("Toggle contact sheet")
    let count = session.output.count
    session.type("jk")
    try await session.waitForText("No command matches “jk”.")
    // Escape clears the text first.
    session.type("\u{1B}")
    try await session.waitForText("Toggle contact sheet")
    session.type("\u{1B}")
    try await session.wait(for: "the help to be gone") { !$0.contains("Toggle contact sheet") }
    try await session.waitForOutput("the detail's image again") {
      $0[count...].firstRange(of: Array("\u{1B}P0;0;0q".utf8)) != nil
    }
  }
}
