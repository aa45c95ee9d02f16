import CJPEG
import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// Stacks of a burst, and photos side by side.
@Suite(.fewAtOnce, .limited) final class LightTableTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  /// Writes a burst of four shots, of which c.jpg is the sharpest and the others are blurred more and more, and a photo of
  /// another day.
  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for (name, blur, second) in [("a", 2, 1), ("b", 1, 1), ("c", 0, 2), ("d", 3, 2)] {
      try write(name, blur: blur, time: "2026:05:01 10:00:0\(second)")
    }
    try write("e", blur: 4, time: "2026:06:01 10:00:00")
  }

  private var photos: URL { folder.appending(path: "photos") }

  private func write(_ name: String, blur: Int, time: String, bias: Int = 0) throws {
    var tiff = TIFF(isBigEndian: false)
    tiff.add([.text(0x010F, "Maker"), .text(0x0110, "Model"), .directory(0x8769)])
    tiff.add([.text(0x9003, time), .raw(0x9204, type: 10, count: 1, Self.bytes(bias) + Self.bytes(1))])
    let image = try Self.images.get()[blur]
    try Data(image.prefix(2) + SamplePhoto.exif(tiff) + image.dropFirst(2))
      .write(to: photos.appending(path: "\(name).jpg"))
  }

  /// Returns the bytes of a number in a structure of TIFF, the lowest one first.
  private static func bytes(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: Int32(number).littleEndian) { Array($0) }
  }

  /// The images of the burst by their blur, and that of the other photo. They take a second to make.
  private static let images = Result { try (0...3).map { try jpeg(blur: $0, seed: 1) } + [jpeg(blur: 0, seed: 99)] }

  /// Returns a JPEG of 640x480 pixels with squares of different sizes, which are blurred.
  private static func jpeg(blur: Int, seed: Int) throws -> [UInt8] {
    let (width, height) = (640, 480)
    var gray = [Int](repeating: 60, count: width * height)
    var random = UInt32(truncatingIfNeeded: seed)
    func next(_ limit: Int) -> Int {
      random = random &* 1_664_525 &+ 1_013_904_223
      return Int(random >> 8) % limit
    }
    for _ in 0..<400 {
      let (x, y, side, tone) = (next(width - 30), next(height - 30), 3 + next(25), next(255))
      for row in y..<y + side { for column in x..<x + side { gray[row * width + column] = tone } }
    }
    for _ in 0..<blur { for step in [1, width] { gray = smoothed(gray, step) } }
    let pixels = gray.map { UInt32($0) * 0x10101 }
    var count = 0
    let bytes = try #require(pixels.withUnsafeBufferPointer { cjpeg_encode($0.baseAddress, 640, 480, 95, &count) })
    defer { free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Returns the means of each value and its neighbors at a distance.
  private static func smoothed(_ gray: [Int], _ step: Int) -> [Int] {
    var smooth = gray
    gray.withUnsafeBufferPointer { gray in
      smooth.withUnsafeMutableBufferPointer { smooth in
        var index = step
        while index < gray.count - step {
          smooth[index] = (gray[index - step] + gray[index] + gray[index + step]) / 3
          index += 1
        }
      }
    }
    return smooth
  }

  private func start(
    _ arguments: String..., columns: Int = 120, rows: Int = 36,
    waitingFor texts: [String] = ["1/2", "c.jpg", "4 shots", "e.jpg"]
  ) async throws -> TerminalSession {
    let session = try TerminalSession(
      Program.path, arguments + [photos.path], size: Size(columns: columns, rows: rows),
      environment: Program.environment.merging([
        "XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache",
      ]) { $1 })
    // The first row is the sharpest shot of the burst.
    try await session.wait(for: "\(texts)") { screen in texts.allSatisfy { screen.contains($0) } }
    return session
  }

  @Test func aBurstIsAStackWithTheSharpestShotFirst() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("s")
    try await session.waitForTexts("1/5", "1/4", "4/4")
    let lines = session.screen.lines
    let order = ["c.jpg", "b.jpg", "a.jpg", "d.jpg", "e.jpg"].map { name in
      lines.firstIndex { $0.prefix(50).contains(name) } ?? -1
    }
    #expect(order == order.sorted() && order[0] > 0)
    session.type("js")
    try await session.waitForTexts("1/2", "4 shots")
    session.type("W")
    try await session.waitForTexts("Each photo is listed.", "/5")
    session.type("W")
    try await session.waitForTexts("Similar photos are stacked.", "4 shots")
  }

  @Test func theRowsOfAnOpenStackSayHowSharpTheShotsAre() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("s")
    let screen = try await session.waitForTexts("1/5", "▤ 1/4  ◈ Sharpest", "▤ 4/4  ◈ ")
    let percents = screen.lines.compactMap { $0.firstMatch(of: #/▤ \d/4  ◈ (\d+) %/#).flatMap { Int($0.1) } }
    #expect(percents.count == 3 && percents == percents.sorted(by: >) && percents.allSatisfy { $0 < 100 })
    session.type("s")
    try await session.waitForText("1/2")
    #expect(!session.screen.contains("◈"))
  }

  /// A number alone would not say what it counts.
  @Test func aPlainContactSheetSaysHowManyShotsAStackHas() async throws {
    let session = try await start("--plain")
    defer { session.close() }
    session.type("c")
    try await session.waitForTexts("c List", "c.jpg 4 shots")
  }

  /// Other programs often give all photos of a series one title.
  @Test func theNamesOfFilesTellShotsWithTheSameTitleApart() async throws {
    for name in ["a", "b", "c", "d"] {
      let sidecar = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>
        <rdf:li xml:lang="x-default">Regatta</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>
        """
      try Data(sidecar.utf8).write(to: photos.appending(path: "\(name).jpg.xmp"))
    }
    let session = try await start("--pictures", "none", waitingFor: ["Regatta", "4 shots", "e.jpg"])
    defer { session.close() }
    session.type("s")
    try await session.waitForTexts("◈ Sharpest  c.jpg", "%  b.jpg", "%  a.jpg", "%  d.jpg")
    session.type("C")
    try await session.waitForTexts("1-4 of 4", "Regatta")
    for name in ["a", "b", "c", "d"] { #expect(session.screen.contains("\(name).jpg")) }
    // In rows of one line, the name of the file is in place of the title.
    session.type("\u{1B}")
    try await session.waitForText("/5")
    session.type("tt")
    try await session.wait(for: "the names of the files") { screen in
      ["a", "b", "c", "d"].allSatisfy { name in screen.lines.contains { $0.prefix(40).contains("\(name).jpg") } }
    }
  }

  @Test func theMarksSayWhichPhotoWasKept() async throws {
    let session = try await start("--pictures", "none")
    defer { session.close() }
    session.type("W")
    try await session.waitForText("3/5")
    session.type("*")
    try await session.waitForText("5 marked")
    session.type("C")
    try await session.waitForTexts("1-4 of 5", "✓")
    // The cursor begins at the highlighted photo.
    session.type("\t\t\t\r")
    try await session.waitForText("2, 5 of 5")
    session.type("\r")
    try await session.waitForTexts("Kept b.jpg (1 of 5)", "b.jpg is kept", "It has beaten 4 photos.")
    session.type("cU")
    try await session.waitForText("2, 5 of 5")
    session.type("\r")
    try await session.waitForTexts("Kept b.jpg (1 of 5)", "b.jpg is kept")
    session.type("l")
    try await session.waitForTexts("1 marked", "Left as they are: 4 photos · x rejects them")
  }

  @Test(arguments: ["auto", "none"])
  func aPaneKeepsTheNameOfAFileThatIsGone(pictures: String) async throws {
    let session = try await start("--pictures", pictures)
    defer { session.close() }
    session.type("C")
    try await session.waitForTexts("1-4 of 4", "d.jpg")
    try FileManager.default.removeItem(at: photos.appending(path: "d.jpg"))
    try await session.waitForTexts("The file is gone.", "d.jpg")
  }

  @Test func theArrowsMoveTheCursorWithoutImages() async throws {
    let session = try await start("--pictures", "none")
    defer { session.close() }
    session.type("C")
    try await session.waitForText("1-4 of 4")
    session.type("\u{1B}[C\r")
    try await session.waitForText("Kept b.jpg (1 of 4)")
  }

  @Test func oneKeyRejectsTheBeatenPhotosAndAsksOnce() async throws {
    let session = try await start("--pictures", "none")
    defer { session.close() }
    session.type("Cx")
    try await session.waitForTexts("1-4 of 4", "No photo is beaten yet.")
    session.type("\r")
    try await session.waitForTexts("Kept c.jpg (1 of 4)", "c.jpg is kept")
    session.type("cx")
    try await session.waitForTexts(
      "Reject 3 photos?", "You have kept other photos in their place.", "Leave them as they are", "Reject them")
    session.type("n")
    try await session.wait(for: "the comparison") { !$0.contains("Reject 3 photos?") && $0.contains("x Reject beaten") }
    session.type("x")
    try await session.waitForText("Reject 3 photos?")
    session.type("y")
    try await session.waitForText("Rejected: 3 photos")
    session.type("x")
    try await session.waitForText("The beaten photos are rejected already.")
    session.type("U")
    try await session.waitForText("Undone: Rejected: 3 photos")
    session.type("\u{1B}")
    try await session.waitForText("1/2")
    session.type("s")
    try await session.wait(for: "the open stack") { $0.contains("4/4") && !$0.contains("✗ Rejected") }
    // After the next comparison, and without another question.
    session.type("C\r")
    try await session.waitForTexts("Kept c.jpg (1 of 4)", "c.jpg is kept")
    session.type("l")
    try await session.waitForTexts("1/5", "Left as they are: 3 photos · x rejects them")
    session.type("x")
    try await session.waitForText("Rejected: 3 photos")
    try await session.wait(for: "the rejected shots") { screen in
      screen.lines.count { $0.contains("✗ Rejected") } >= 3
    }
    session.type("U")
    try await session.waitForText("Undone: Rejected: 3 photos")
  }

  /// The order that was kept comes after the first rows.
  @Test func theFirstRowIsHighlightedUntilTheUserMoves() async throws {
    do {
      let session = try await start()
      defer { session.close() }
      session.type("Sd")
      try await session.waitForTexts("by date ↓", "1/2")
      session.type("q")
      #expect(try await session.waitForExit() == .exited(0))
    }
    let session = try await start(waitingFor: ["by date ↓", "c.jpg", "4 shots"])
    defer { session.close() }
    try await session.waitForText("1/2")
    session.type("j")
    try await session.waitForText("2/2")
    session.type("Sd")
    try await session.waitForTexts("by date ↑", "1/2")
  }

  @Test func aCullOffersTheNextSharpestShotOfAStack() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("Q")
    try await session.waitForTexts("1 of 2 · 0 picked", "c.jpg", "▤ 1 of 4, sharpest first")
    session.type("X")
    try await session.waitForTexts("1 of 2 · 0 picked · 1 rejected", "b.jpg", "▤ 2 of 4, sharpest first")
    session.type("5")
    try await session.waitForTexts("2 of 2 · 1 picked · 1 rejected", "e.jpg")
    session.type("p")
    try await session.waitForTexts("1 of 2", "b.jpg", "★★★★★")
    session.type("\r")
    try await session.waitForTexts(
      "Cull summary", "1 picked · 1 rejected · 3 undecided", "2 shots inside stacks were skipped.")
    session.type("c")
    try await session.waitForTexts("1 of 2", "Enter Finish")
    // The shot that was rejected by mistake comes back.
    session.type("UU")
    try await session.waitForTexts("1 of 2 · 0 picked · 0 rejected", "c.jpg", "▤ 1 of 4")
  }

  @Test func aCullOfAnOpenStackShowsEachShot() async throws {
    let session = try await start(columns: 80, rows: 24)
    defer { session.close() }
    session.type("s")
    try await session.waitForText("1/5")
    session.type("Q")
    try await session.waitForTexts("1 of 5 · 0 picked", "1/4")
    session.type("\r")
    let summary = try await session.waitForText("0 picked · 0 rejected · 5 undecided")
    #expect(!summary.contains("not shown"))
  }

  /// The brightest exposure of a bracket is often the sharpest one, but the others belong to it.
  @Test func aBracketIsKeptAsOne() async throws {
    for (name, bias) in [("k", 0), ("l", -2), ("m", 2)] {
      try write(name, blur: 2 - bias / 2, time: "2026:07:01 10:00:00", bias: bias)
    }
    let session = try TerminalSession(
      Program.path, [photos.path, "--pictures", "none"], size: Size(columns: 120, rows: 36),
      environment: Program.environment.merging([
        "XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache",
      ]) { $1 })
    defer { session.close() }
    try await session.waitForTexts("1/3", "c.jpg", "4 shots", "k.jpg", "bracket of 3")
    session.type("GX")
    try await session.waitForText("Rejected: 3 photos")
    session.type("U")
    try await session.waitForText("Undone: Rejected: 3 photos")
    session.type("s4")
    try await session.waitForText("4 stars on k.jpg")
    session.type("q")
    _ = try await session.waitForExit()
    let sidecars = try FileManager.default.contentsOfDirectory(atPath: photos.path).filter { $0.hasSuffix(".xmp") }
    #expect(sidecars == ["k.jpg.xmp"])
  }

  @Test func theStackIsComparedAtItsActualSizeAndTheChosenShotStays() async throws {
    let session = try await start("--pictures", "symbols")
    defer { session.close() }
    session.type("C")
    try await session.waitForTexts("c.jpg", "b.jpg", "a.jpg", "d.jpg", "1-4 of 4", "100 %", "Sharpness")
    for (row, column) in [(2, 2), (2, 63), (19, 2), (19, 63)] {
      try await session.wait(for: "the image of the pane at \(row), \(column)") {
        colors(of: $0, rows: row..<row + 10, columns: column..<column + 40).count > 20
      }
    }
    // The cursor goes through the panes. A rejected shot leaves its pane.
    session.type("\t4")
    try await session.waitForText("★★★★")
    session.type("\tX")
    try await session.wait(for: "three panes") { $0.contains("1, 2, 4 of 4") }
    session.type("U")
    try await session.waitForTexts("1-4 of 4", "★★★★", "Undone: Rejected: a.jpg")
    // Without a sidecar the photo's own stars count, which are read again.
    try await session.wait(for: "the photo without the sign") { !$0.contains("✗ Rejected") }
    session.type("X")
    try await session.wait(for: "three panes") { $0.contains("1, 2, 4 of 4") }
    session.type("\r")
    try await session.waitForTexts("Kept d.jpg (1 of 4)", "d.jpg is kept")
    session.type("cU")
    try await session.waitForTexts("1, 2, 4 of 4")
    session.type("\r")
    try await session.waitForTexts("Kept d.jpg (1 of 4)", "d.jpg is kept")
    // The kept shot represents the stack, and the rejected one is not compared again.
    session.type("l")
    try await session.wait(for: "the kept shot in the list") { screen in
      screen.lines.contains { $0.prefix(50).contains("d.jpg") } && screen.contains("4 shots")
    }
    session.type("C")
    try await session.waitForText("1-3 of 3")
  }

  /// When one shot is left, the comparison asks what becomes of the others.
  @Test func theOthersAreRejectedAtTheEndOfAComparison() async throws {
    let session = try await start("--pictures", "none")
    defer { session.close() }
    session.type("C\r")
    try await session.waitForTexts("c.jpg is kept", "It has beaten 3 photos.", "Reject the others")
    session.type("x")
    try await session.wait(for: "the list with what is decided behind the row") { screen in
      !screen.contains("is kept") && screen.lines.contains { $0.contains("4 shots  ◆ Kept  3 ✗") }
    }
    session.type("u")
    try await session.wait(for: "the shots as they were") { $0.contains("Undone") && !$0.contains("3 ✗") }
  }

  @Test func theKeptShotAndThePhotoOfTheLastSessionAreShownInTheNextOne() async throws {
    let first = try await start("--pictures", "none")
    first.type("C\t\r")
    try await first.waitForTexts("b.jpg is kept", "Reject the others")
    first.type("l")
    try await first.wait(for: "the kept shot") { screen in
      screen.lines.contains { $0.prefix(60).contains("b.jpg") } && screen.contains("4 shots  ◆ Kept")
    }
    first.type("j")
    try await first.waitForText("2/2")
    first.type("q")
    #expect(try await first.waitForExit() == .exited(0))
    let second = try await start("--pictures", "none", waitingFor: ["2/2", "e.jpg"])
    defer { second.close() }
    try await second.wait(for: "the kept shot, and the last photo") { screen in
      screen.contains("2/2") && screen.lines.contains { $0.prefix(60).contains("b.jpg") }
        && screen.contains("4 shots  ◆ Kept")
    }
  }

  /// Tab shows the other file of a photo in the list, and goes to the next pane in a comparison.
  @Test func tabGoesToTheNextPaneIfAPhotoHasTwoFiles() async throws {
    for name in ["a", "b", "c", "d"] {
      try FileManager.default.copyItem(
        at: photos.appending(path: "\(name).jpg"), to: photos.appending(path: "\(name).cr2"))
    }
    let session = try await start("--pictures", "none")
    defer { session.close() }
    session.type("C")
    try await session.waitForText("1-4 of 4")
    session.type("\t3")
    try await session.waitForText("3 stars on b.jpg")
    // The last photo stays, however long the key is held.
    session.type("XXXXXX")
    try await session.waitForText("The last photo is rejected already.")
    try await session.waitForText("All of 4 are rejected.")
  }

  @Test func theViewerShowsThePhotoAtTheCursorAfterAComparison() async throws {
    let session = try await start("--pictures", "none")
    defer { session.close() }
    session.type("W")
    try await session.waitForTexts("3/5", "Photos")
    session.type("vC")
    try await session.waitForText("1, 2 of 3")
    session.type("\t\u{1B}")
    try await session.wait(for: "the next photo in the viewer") { $0.contains("4/5") && !$0.contains("of 3") }
    session.type("q")
    try await session.waitForTexts("4/5", "Photos")
  }

  @Test func theHelpOfAComparisonHasItsCommands() async throws {
    let session = try await start("--pictures", "none")
    defer { session.close() }
    session.type("C")
    try await session.waitForTexts("1-4 of 4", "Keep")
    session.type("?")
    try await session.waitForTexts("Keep the photo", "Go to next pane", "Next candidate", "Change pane count")
    session.type("\u{1B}")
    try await session.wait(for: "the comparison") { !$0.contains("Change pane count") }
    // A popup of the photo at the cursor, and what it changes.
    session.type("T")
    try await session.waitForText("Caption")
    session.type("Sea\r")
    try await session.waitForText("Caption: c.jpg")
  }

  @Test func aComparisonIsAnnounced() async throws {
    let session = try await start("--pictures", "none", "--plain")
    defer { session.close() }
    session.type("C3")
    try await session.waitForText("c.jpg, 3 stars · 1-4 of 4")
  }

  @Test func aDamagedPhotoIsNotJudgedByItsSharpness() async throws {
    let path = photos.appending(path: "b.jpg")
    let bytes = try Data(contentsOf: path)
    try bytes.prefix(bytes.count / 2).write(to: path)
    let session = try await start("--pictures", "symbols")
    defer { session.close() }
    session.type("C")
    try await session.waitForTexts("Incomplete file", "Sharpness")
    #expect(session.screen.lines.count { $0.contains("Incomplete file") } == 1)
  }

  @Test func panesMoveTogetherUntilTheyAreUnlinked() async throws {
    let session = try await start("--pictures", "symbols")
    defer { session.close() }
    session.type("C")
    try await session.waitForTexts("1-4 of 4", "100 %", "Sharpness")
    /// Returns the images in the panes of the first row.
    @Sendable func panes(_ screen: Screen) -> [[[Cell]]] {
      [2, 63].map { column in screen.cells[2..<14].map { Array($0[column..<column + 30]) } }
    }
    /// Returns the images once they stay the same, as they are drawn in frames after that of the key.
    func settledPanes() async throws -> [[[Cell]]] {
      var (last, repetitions) = (panes(session.screen), 0)
      while repetitions < 3 {
        session.type("A")
        try await session.waitForText("The photo stays after a rating.")
        session.type("A")
        try await session.waitForText("The next photo follows after a rating.")
        let next = panes(session.screen)
        (last, repetitions) = (next, next == last ? repetitions + 1 : 0)
      }
      return last
    }
    /// Types a key, and returns whether each of the panes has changed.
    func move(_ key: String) async throws -> [Bool] {
      let before = try await settledPanes()
      session.type(key)
      try await session.wait(for: "what \(key) moves") { panes($0) != before }
      return zip(try await settledPanes(), before).map { $0 != $1 }
    }
    #expect(try await move("l") == [true, true])
    session.type("a")
    try await session.waitForTexts("Each photo moves alone.", "Unlinked")
    #expect(try await move("h") == [true, false])
    session.type("a")
    try await session.wait(for: "linked panes") { !$0.contains("Unlinked") }
    #expect(try await move("k") == [true, true])
    session.type("z")
    try await session.waitForText("Whole photos")
    // Of whole photos, the arrow keys move the cursor.
    session.type("lz")
    try await session.waitForText("100 %")
    session.type("F")
    try await session.waitForText("Focus peaking")
    session.type("O")
    try await session.waitForText("Clipping")
    session.type("f")
    try await session.waitForText("The focus point is unknown.")
  }

  /// Down to the smallest window, nothing is drawn over anything else.
  @Test(arguments: [(40, 12), (60, 20), (200, 50)])
  func panesFitInAnyWindow(columns: Int, rows: Int) async throws {
    let session = try await start("--pictures", "none", columns: columns, rows: rows)
    defer { session.close() }
    session.type("C")
    try await session.waitForTexts("c.jpg", "b.jpg", "a.jpg", "d.jpg", "1-4 of 4")
    session.type("C")
    try await session.wait(for: "two panes") { $0.contains("1, 2 of 4") && !$0.contains("d.jpg") }
    session.type("q")
    try await session.waitForText("4 shots")
  }
}
