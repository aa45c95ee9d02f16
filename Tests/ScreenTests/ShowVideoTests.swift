import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// `tintype show` with a video that is black for two tenths of a second, and then red, green, and blue up to 3, 6, and 9 s.
@Suite(.fewAtOnce, .limited) struct ShowVideoTests {
  private func show(_ arguments: String) throws -> TerminalSession {
    try TerminalSession(
      "/bin/sh",
      ["-c", #""$0" show --pictures symbols --size 8x4 \#(arguments); echo code-$?"#, Program.path],
      size: Size(columns: 80, rows: 24), environment: Program.environment,
      workingDirectory: URL(filePath: TestPhotos.path("film.mp4")).deletingLastPathComponent().path)
  }

  private static func color(_ screen: Screen, row: Int = 1) -> Character? {
    guard case .rgb(let red, let green, let blue) = screen.cells[row][3].style.background else { return nil }
    let parts = [red, green, blue]
    let most = parts.max() ?? 0
    return most < 60 ? "k" : parts.firstIndex(of: most).map { Array("rgb")[$0] }
  }

  @Test func aVideoPlaysOnce() async throws {
    let session = try show("film.mp4")
    defer { session.close() }
    // On a busy machine, most frames are left out.
    try await session.wait(for: "red") { Self.color($0) == "r" && !$0.cursor.visible }
    let screen = try await session.waitForText("code-0")
    #expect(Self.color(screen) == "b" && screen.position(of: "code-0")?.row == 3)
    try await session.expectGivenBack()
  }

  @Test func aVideoBeginsAtATimeAndStopsWithAKey() async throws {
    let session = try show("--loops forever --seek 0:08.5 film.mp4")
    defer { session.close() }
    for color in "brg" {
      try await session.wait(for: "\(color)") { Self.color($0) == color }
    }
    session.type("q")
    try await session.waitForText("code-0")
    try await session.expectGivenBack()
  }

  /// Where a video is not played, it is shown by the frame that stands for it, or by that of a time.
  @Test(arguments: [("--loops 0 film.mp4", "r"), ("--seek 7 film.mp4 | cat", "b"), ("film.webm | cat", "r")])
  func oneFrameIsShown(arguments: String, color: Character) async throws {
    let session = try show(arguments)
    defer { session.close() }
    let screen = try await session.waitForText("code-0")
    #expect(Self.color(screen) == color)
    #expect(!String(decoding: session.output, as: UTF8.self).contains("\u{1B}[?25l"))
  }

  @Test(arguments: ["x", "-1", "1:2:3:4", "1::2"]) func aTimeThatIsNoneIsRefused(time: String) async throws {
    let session = try show("--seek=\(time) film.mp4")
    defer { session.close() }
    try await session.waitForText("code-64")
  }
}
