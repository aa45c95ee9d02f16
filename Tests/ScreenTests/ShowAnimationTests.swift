import Foundation
import Harness
import TestLimit
import Testing

/// `tintype show` with animations.
@Suite(.fewAtOnce, .limited) struct ShowAnimationTests {
  /// A GIF of three frames of a plain color, for a tenth of a second each.
  private func folder() throws -> ColorFolder {
    let folder = try ColorFolder(["last.ppm": .green])
    try folder.writeGIF("a.gif", [.red, .green, .blue], delay: 10)
    return folder
  }

  /// Starts the program in a folder, in a shell that prints its exit code.
  private func show(_ arguments: String, in folder: ColorFolder) throws -> TerminalSession {
    try TerminalSession(
      "/bin/sh", ["-c", #""$0" show --pictures symbols --size 8x4 \#(arguments); echo code-$?"#, Program.path],
      size: Size(columns: 80, rows: 24), environment: Program.environment, workingDirectory: folder.url.path)
  }

  @Test(arguments: ["q", "\u{1B}", " ", "\u{1B}[A"]) func anAnimationPlaysUntilAKeyIsPressed(key: String) async throws {
    let session = try show("a.gif", in: try folder())
    defer { session.close() }
    for color in [Color.red, .blue, .red] {
      try await session.wait(for: "a frame") { $0.box(of: color) == [0, 0, 7, 3] && !$0.cursor.visible }
    }
    session.type(key)
    let screen = try await session.waitForText("code-0")
    #expect(screen.position(of: "code-0")?.row == 4)
    try await session.expectGivenBack()
  }

  @Test func anAnimationEndsWithItsLastFrame() async throws {
    let session = try show("--loops 2 --title %b --align center a.gif", in: try folder())
    defer { session.close() }
    let screen = try await session.waitForTexts("code-0", " a.gif")
    #expect(screen.box(of: .blue) == [1, 1, 6, 3])
    #expect(screen.position(of: "code-0")?.row == 4)
    try await session.expectGivenBack()
  }

  @Test func afterAnAnimationTheNextImageIsShown() async throws {
    let session = try show("a.gif last.ppm a.gif", in: try folder())
    defer { session.close() }
    let screen = try await session.waitForText("code-0")
    #expect(screen.box(of: .green) == [0, 4, 7, 7])
    #expect((0...11).map { screen.cells[$0][0].plainColor == .blue } == (0...11).map { !(4...7).contains($0) })
  }

  @Test func aKeyStopsOneAnimationAndTheNextOnePlays() async throws {
    let session = try show("--loops forever a.gif a.gif", in: try folder())
    defer { session.close() }
    for row in [0, 4] {
      for color in [Color.red, .blue, .red] {
        try await session.wait(for: "a frame in row \(row)") { $0.cells[row][0].plainColor == color }
      }
      session.type("q")
    }
    try await session.waitForText("code-0")
    try await session.expectGivenBack()
  }

  @Test func controlCEndsTheCommand() async throws {
    let session = try show("--loops forever a.gif last.ppm", in: try folder())
    defer { session.close() }
    try await session.wait(for: "a frame") { $0.box(of: .blue) != nil }
    session.type("\u{3}")
    let screen = try await session.waitForText("code-130")
    #expect(screen.position(of: "code-130")?.row == 4)
    try await session.expectGivenBack()
  }

  @Test func aSignalGivesTheTerminalBackBelowTheImage() async throws {
    let folder = try folder()
    let session = try TerminalSession(
      Program.path, ["show", "--pictures", "symbols", "--size", "8x4", "a.gif"], size: Size(columns: 80, rows: 24),
      environment: Program.environment, workingDirectory: folder.url.path)
    defer { session.close() }
    try await session.wait(for: "a frame") { $0.box(of: .blue) != nil }
    kill(session.processID, SIGTERM)
    #expect(try await session.waitForExit() == .signalled(SIGTERM))
    #expect(session.screen.cursor.row == 4 && session.screen.cursor.column == 0)
    try await session.expectGivenBack()
  }

  @Test(arguments: ["--loops 0 a.gif", "--grid 2 a.gif a.gif", "a.gif | cat"])
  func onlyTheFirstFrameIsShown(arguments: String) async throws {
    let session = try show(arguments, in: try folder())
    defer { session.close() }
    let screen = try await session.waitForText("code-0")
    #expect(screen.cells[0][0].plainColor == .red)
    #expect(!String(decoding: session.output, as: UTF8.self).contains("\u{1B}[?25l"))
  }

  @Test func aFrameWaitsUntilTheTerminalHasDrawnTheLast() async throws {
    let folder = try folder()
    let session = try TerminalSession(
      Program.path, ["show", "--pictures", "symbols", "--size", "8x4", "a.gif"], size: Size(columns: 80, rows: 24),
      environment: Program.environment, workingDirectory: folder.url.path, answersQueries: false)
    defer { session.close() }
    @Sendable func count(_ text: String, in output: [UInt8]) -> Int {
      output.split(separator: Array(text.utf8), omittingEmptySubsequences: false).count - 1
    }
    // The answer to the first questions.
    session.type("\u{1B}[?62;c")
    for asked in 1...6 {
      let output = try await session.waitForOutput("the question after frame \(asked)") {
        count("\u{1B}[?2026l\u{1B}[c", in: $0) == asked
      }
      #expect(count("\u{1B}[?2026h", in: output) == asked)
      session.type("\u{1B}[?62;c")
    }
    session.type("q")
    session.type("\u{1B}[?62;c")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// The way to the terminal and back takes time whatever a frame has, so coarser frames would be no faster.
  @Test func aLongWayToTheTerminalMakesNoFrameCoarser() async throws {
    let folder = try ColorFolder()
    var numbers = Numbers(seed: 1)
    let frames = (0..<2).map { _ in (0..<64 * 64).map { _ in Int.random(in: 0..<3, using: &numbers) } }
    try folder.writeGIF("a.gif", [.red, .green, .blue], side: 64, frames: frames, delay: 10)
    try folder.writeGIF("last.gif", [.red, .green, .blue], side: 64, frames: [frames[1]], delay: 10)
    func show(_ name: String, delays: Int) async throws -> [[Cell]] {
      let session = try TerminalSession(
        Program.path, ["show", "--pictures", "symbols", "--size", "40x15", "--fit", "enlarge", "--loops", "1", name],
        size: Size(columns: 80, rows: 36), environment: Program.environment, workingDirectory: folder.url.path,
        answersQueries: false)
      defer { session.close() }
      try await session.waitForOutput("the first questions") { $0.firstRange(of: Array("\u{1B}[c".utf8)) != nil }
      session.type("\u{1B}[?62;c")
      for asked in 0..<delays {
        try await session.waitForOutput("question \(asked)") {
          $0.ranges(of: Array("\u{1B}[?2026l\u{1B}[c".utf8)).count > asked
        }
        session.answer("\u{1B}[?62;c", after: .seconds(1))
      }
      #expect(try await session.waitForExit() == .exited(0))
      return session.screen.cells
    }
    let sharp = try await show("last.gif", delays: 0)
    // The terminal is asked after the first frame, once more as its answer takes long, and after the last frame. On a busy
    // machine frames can take long, too, so the test tries again.
    for _ in 1...5 where try await show("a.gif", delays: 3) == sharp { return }
    Issue.record("The last frame is coarser.")
  }
}
