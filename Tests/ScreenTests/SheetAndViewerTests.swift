import Foundation
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct SheetAndViewerTests {
  private func open() async throws -> TerminalSession {
    let session = try TerminalSession(
      Program.path, ["--delay", "0", "--pictures", "symbols"], size: Size(columns: 120, rows: 36),
      environment: Program.environment)
    try await session.waitForTexts("36 photos")
    return session
  }

  @Test func theMetadataIsShownOverTheImageUponRequest() async throws {
    let session = try await open()
    defer { session.close() }
    try await session.waitForText("Six hikers climb")
    session.type("v")
    try await session.wait(for: "the photo alone") { $0.contains("Esc Back") && !$0.contains("Six hikers") }
    session.type("i")
    try await session.waitForTexts("Six hikers climb", "Camera", "Canon EOS 600D", "1600×1067", "CC0-1.0", "Esc Back")
    session.type("i")
    try await session.wait(for: "the metadata to be gone") { !$0.contains("Six hikers") && $0.contains("Esc Back") }
  }

  @Test func movesInTheContactSheetAreTwoDimensional() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("c")
    let sheet = try await session.waitForTexts("Dune in the", "Inside a", "Esc Back")
    assertSnapshot(sheet, named: "sheet-120x36")
    // Right, down and left lead seven photos further, with six in a row.
    session.type("l\u{1B}[Bh\r")
    try await session.wait(for: "the photo alone") {
      $0.contains("Amidst the tea gardens") && !$0.contains("Inside a")
    }
    session.type("\u{1B}")
    try await session.waitForText("Inside a")
    session.type("+")
    @Sendable func areSixSideBySide(_ screen: Screen) -> Bool {
      screen.lines.contains { $0.contains("Dune in the") && $0.contains("Matador") }
    }
    try await session.wait(for: "larger places, fewer side by side") { !areSixSideBySide($0) && $0.contains("Dune in") }
    session.type("---")
    try await session.wait(for: "smaller places, more side by side") { screen in
      screen.lines.contains { $0.contains("Dune") && $0.contains("Amid") }
    }
    session.type("\u{1B}")
    try await session.waitForTexts("7/36", "by ")
  }

  @Test func theContactSheetCanBeClicked() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("c")
    let sheet = try await session.waitForTexts("Humpback", "Esc Back")
    let whale = try #require(sheet.position(of: "Humpback"))
    session.click(column: whale.column, row: whale.row)
    session.click(column: whale.column, row: whale.row)
    try await session.waitForText("This item is not for sale")
  }

  @Test func draggingOverTheContactSheetMarks() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("c")
    let sheet = try await session.waitForTexts("Humpback", "Esc Back")
    let (first, last) = (try #require(sheet.position(of: "Fushimi")), try #require(sheet.position(of: "Dragonfly")))
    session.drag(from: (first.column, first.row), to: (last.column, last.row))
    let marked = try await session.waitForTexts("3 marked", "✓ Fushimi", "✓ Humpback", "✓ Dragonfly")
    #expect(!marked.contains("✓ Dune"))
    // A click alone marks nothing.
    session.click(column: first.column, row: first.row)
    try await session.wait(for: "the frame of the clicked photo") {
      $0.cells[first.row - 1][first.column - 1].text == "╭" && $0.contains("3 marked")
    }
  }

  /// The text of a link is on the screen all the time, and the terminal gets its address in between.
  @Test func thePathOfAPhotoIsALink() async throws {
    let session = try await Program.open(rows: 50)
    defer { session.close() }
    @Sendable func links(_ output: ArraySlice<UInt8>) -> [String] {
      String(decoding: output, as: UTF8.self).matches(of: /\u{1B}\]8;;([^\u{1B}]+)\u{1B}\\/).map { String($0.1) }
    }
    try await session.waitForOutput("the link") { links($0[...]).contains { $0.hasSuffix("/photos/dune-hikers.jpg") } }
    let count = session.output.count
    session.type("j")
    try await session.waitForText("by Peter Gabas")
    try await session.waitForOutput("the next link") {
      links($0[count...]).contains { $0.hasSuffix("/photos/torii.jpg") }
    }
    #expect(session.screen.contains("photos/torii.jpg"))
    #expect(!links(session.output[count...]).contains { $0.hasSuffix("dune-hikers.jpg") })
  }

  /// Shows the first photo in the viewer as a whole, and then a part at the left of its middle, each of them sharp. The
  /// preview has 2,877 different pairs of colors, the sharp image 3,290, and its parts 3,626 and 3,669.
  private func zoomIn(_ session: TerminalSession) async throws -> (whole: Screen, part: Screen) {
    session.type("v")
    let whole = try await session.wait(for: "the whole image") {
      $0.contains("Esc Back") && colors(of: $0, rows: 0..<34, columns: 0..<120) > 3200
    }
    session.type("z")
    let middle = try await session.wait(for: "the middle") {
      $0.contains("100 %") && colors(of: $0, rows: 0..<34, columns: 0..<120) > 3500
    }
    session.type("h")
    let part = try await session.wait(for: "a part further left") {
      $0.cells[10].map(\.style) != middle.cells[10].map(\.style)
        && colors(of: $0, rows: 0..<34, columns: 0..<120) > 3500
    }
    return (whole, part)
  }

  @Test func theViewerZoomsAndPans() async throws {
    let session = try await open()
    defer { session.close() }
    let (whole, _) = try await zoomIn(session)
    session.type("z")
    try await session.wait(for: "the whole image again") {
      !$0.contains("100 %") && $0.cells[10].map(\.style) == whole.cells[10].map(\.style)
    }
    session.type("j")
    try await session.waitForText("The whole image is visible.")
  }

  @Test func theViewerTakesKeysBeforeItsImageIsThere() async throws {
    let session = try await open()
    defer { session.close() }
    session.type("vzR")
    try await session.wait(for: "the middle of the rotated photo") {
      $0.contains("100 %") && colors(of: $0, rows: 0..<34, columns: 50..<70) > 500
    }
    session.type("+")
    try await session.waitForText("150 %")
  }

  @Test func photosAreComparedAtTheSameZoom() async throws {
    let session = try await open()
    defer { session.close() }
    let (_, first) = try await zoomIn(session)
    session.type("n")
    // The frame that answers the key still has the first photo.
    let second = try await session.wait(for: "a part of the next photo") {
      $0.contains("2/36") && colors(of: $0, rows: 0..<34, columns: 0..<120) > 1000
        && $0.cells[10].map(\.style) != first.cells[10].map(\.style)
    }
    #expect(second.contains("100 %"))
    session.type("p")
    try await session.wait(for: "the same part of the first photo") {
      $0.contains("100 %") && $0.contains("1/36") && $0.cells[10].map(\.style) == first.cells[10].map(\.style)
    }
    session.type("z")
    try await session.wait(for: "all of the first photo") { !$0.contains("100 %") && $0.contains("1/36") }
    session.type("n")
    try await session.wait(for: "all of the next photo") { !$0.contains("100 %") && $0.contains("2/36") }
  }

  @Test func aSlideshowShowsWholePhotos() async throws {
    let session = try await open()
    defer { session.close() }
    session.type("v")
    try await session.wait(for: "the whole image") {
      $0.contains("Esc Back") && colors(of: $0, rows: 0..<34, columns: 0..<120) > 1000
    }
    session.type("zP")
    try await session.waitForTexts("100 %", "▶", "1/36")
    try await session.wait(for: "all of the next photo") { $0.contains("2/36") && !$0.contains("100 %") }
  }

  @Test func aSlideshowTurnsByItself() async throws {
    let session = try Program.start("--delay", "0", "--slideshow", "0.2")
    defer { session.close() }
    try await session.waitForTexts("▶", "2/36")
    try await session.waitForTexts("▶", "3/36")
    session.type("P")
    try await session.wait(for: "the slideshow's pause") { $0.contains("‖") && !$0.contains("▶") }
  }

  @Test func aSlideshowIsPausedAndContinued() async throws {
    let session = try Program.start("--delay", "0", "--slideshow", "0.2")
    defer { session.close() }
    try await session.waitForTexts("▶", "2/36")
    session.type(" ")
    let paused = try await session.waitForTexts("‖ Paused", "Space Continue")
    session.type("n")
    try await session.wait(for: "the next photo") {
      $0.contains("Paused") && $0.lines.suffix(3) != paused.lines.suffix(3)
    }
    session.type("P")
    try await session.waitForTexts("▶", "5/36", "Space Pause")
    #expect(!session.screen.contains("Marked"))
  }

  /// The image is 113 of 120 columns wide. Rotated, it takes less than half of them.
  @Test func theViewerRotatesAPhotoUntilTheUserTurns() async throws {
    let session = try await open()
    defer { session.close() }
    session.type("v")
    try await session.wait(for: "the image") {
      $0.contains("Esc Back") && colors(of: $0, rows: 0..<34, columns: 10..<30) > 100
    }
    session.type("R")
    let rotated = try await session.wait(for: "the rotated image") {
      colors(of: $0, rows: 0..<34, columns: 10..<30) == 1 && colors(of: $0, rows: 0..<34, columns: 50..<70) > 500
    }
    session.type("RR")
    try await session.wait(for: "the image rotated the other way round") {
      colors(of: $0, rows: 0..<34, columns: 10..<30) == 1 && $0.cells[10].map(\.style) != rotated.cells[10].map(\.style)
        && colors(of: $0, rows: 0..<34, columns: 50..<70) > 500
    }
    session.type("np")
    try await session.wait(for: "the upright image") {
      $0.contains("1/36") && colors(of: $0, rows: 0..<34, columns: 10..<30) > 100
    }
  }

  @Test func thePhotoHasTheWholeScreenUntilThereIsSomethingToSay() async throws {
    let session = try await open()
    defer { session.close() }
    session.type("v")
    try await session.waitForTexts("Dune in the wind", "Esc Back")
    session.type("H")
    try await session.wait(for: "the photo in the last row") {
      !$0.contains("Dune in the wind") && !$0.contains("Esc Back")
        && colors(of: $0, rows: 35..<36, columns: 10..<110) > 50
    }
    session.type("j")
    let refused = try await session.waitForText("The whole image is visible.")
    // The text, the hints beside it, and the background.
    #expect(colors(of: refused, rows: 35..<36, columns: 0..<120) == 3)
    session.type("?")
    try await session.waitForTexts("Commands", "Esc Back")
    session.type("\u{1B}")
    try await session.wait(for: "the help to be gone") { !$0.contains("─ Commands ─") }
    session.type("H")
    try await session.waitForTexts("Dune in the wind", "Esc Back")
  }

  @Test func imagesAreShownAfterAWorkerWasKilled() async throws {
    let session = try await open()
    defer { session.close() }
    try await session.wait(for: "the image") { colors(of: $0, rows: 5..<24, columns: 50..<119) > 200 }
    for process in session.sessionProcessIDs where process != session.processID { kill(process, SIGKILL) }
    session.type("G")
    try await session.wait(for: "the last image") {
      $0.contains("36/36") && colors(of: $0, rows: 5..<24, columns: 50..<119) > 200
    }
  }
}

@Suite(.fewAtOnce, .limited) struct ShellTests {
  @Test func showPrintsIntoAPipe() async throws {
    let session = try TerminalSession(
      "/bin/sh", ["-c", #""$0" show --size 20x6 "$1" | cat; echo end"#, Program.path, Program.photo("chelsea.jpg")],
      size: Size(columns: 80, rows: 24), environment: Program.environment)
    defer { session.close() }
    let screen = try await session.waitForText("end")
    #expect(colors(of: screen, rows: 0..<6, columns: 0..<18) > 50)
    #expect(screen.position(of: "end")?.row == 6)
  }

  @Test func showReportsAnInvalidFileAndGoesOn() async throws {
    let session = try TerminalSession(
      "/bin/sh",
      [
        "-c", #""$0" show --pictures symbols --size 20x6 /no/such.jpg "$1"; echo code-$?"#, Program.path,
        Program.photo("chelsea.jpg"),
      ], size: Size(columns: 120, rows: 24), environment: Program.environment)
    defer { session.close() }
    let screen = try await session.waitForTexts("/no/such.jpg: File not found", "code-1")
    #expect(screen.lines.filter { $0.contains("▀") || $0.contains("▂") || $0.contains("▅") }.count > 2)
  }

  @Test func showQueriesTheTerminalAndRestoresIt() async throws {
    let session = try TerminalSession(
      Program.path, ["show", "--size", "20x6", Program.photo("chelsea.jpg")], size: Size(columns: 80, rows: 24),
      environment: Program.environment)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(0))
    #expect(session.attributes == session.initialAttributes)
  }

  @Test func doctorReportsTheOutputFormatAndTheReason() async throws {
    let session = try TerminalSession(
      Program.path, ["doctor"], size: Size(columns: 160, rows: 60), environment: Program.environment)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(0))
    let screen = try await session.waitForTexts(
      "TERM=xterm-256color", "Images", "by Landlock", "libvips", "JPEG, PNG", "HEIC, AVIF, JPEG XL", "because",
      "Test card")
    // Formats without a decoder are listed, but libvips reads the others.
    #expect(screen.lines.allSatisfy { !$0.contains("cannot read") || !$0.contains("HEIC") })
    for line in ["glyphs      blocks", "blocks    ▁▂▃", "sextants  🬀🬁", "octants   \u{1CD00}", "braille   ⠁⠃"] {
      #expect(String(decoding: session.output, as: UTF8.self).contains(line), "\(line)")
    }
    // The terminal is queried once, although doctor shows an image, too.
    #expect(session.output.split(separator: Array("\u{1B}[>0q".utf8), omittingEmptySubsequences: false).count == 2)
  }

  @Test func doctorReportsThatFewColorsRuleOutPlaceholders() async throws {
    let session = try TerminalSession(
      Program.path, ["doctor", "--pictures", "kitty", "--colors", "256"], size: Size(columns: 160, rows: 60),
      environment: Program.environment, answersQueries: false)
    defer { session.close() }
    session.type("\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c\u{1B}[?62;c")
    #expect(try await session.waitForExit() == .exited(0))
    // The emulator prints the letters of the image over the earlier output.
    let output = String(decoding: session.output, as: UTF8.self)
    for text in ["format      kitty", "24-bit colors", "Test card"] { #expect(output.contains(text), "\(text)") }
    #expect(!output.contains("kitty with placeholders"))
  }
}

/// Returns the number of different color pairs in a part of the screen.
private func colors(of screen: Screen, rows: Range<Int>, columns: Range<Int>) -> Int {
  Set(screen.cells[rows].flatMap { row in row[columns].map { [$0.style.foreground, $0.style.background] } }).count
}
