import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// Animations beside the list.
@Suite(.limited, .fewAtOnce) struct AnimatedDetailTests {
  /// Starts the gallery in a folder with an animation of three frames of a plain color.
  private func start(
    _ name: String = "a.gif", _ configuration: String = "", line: Line? = nil
  ) async throws -> TerminalSession {
    let folder = try ColorFolder()
    if name == "a.gif" {
      try folder.writeGIF(name, [.red, .green, .blue], delay: 10)
    } else {
      try FileManager.default.copyItem(atPath: TestPhotos.path(name), toPath: folder.url.appending(path: name).path)
    }
    let home = folder.url.appending(path: "home/tintype")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    try Data(configuration.utf8).write(to: home.appending(path: "config.toml"))
    let session = try Program.start(
      "--pictures", "symbols", folder.url.path + "/home/..", columns: 100, rows: 30,
      changes: [
        "XDG_CONFIG_HOME": folder.url.path + "/home", "XDG_STATE_HOME": folder.url.path + "/state",
        "XDG_CACHE_HOME": folder.url.path + "/cache",
        "SSH_CONNECTION": line.map { _ in "192.0.2.1 1 192.0.2.2 22" },
      ], line: line)
    try await session.waitForText(name)
    return session
  }

  private static func color(_ screen: Screen) -> Color? { screen.cells[9][70].plainColor }

  @Test(arguments: ["a.gif", "colors.apng", "colors.jxl"])
  func anAnimationPlaysInTheDetails(name: String) async throws {
    let session = try await start(name)
    defer { session.close() }
    for color in [Color.red, .green, .blue, .red] {
      try await session.wait(for: "\(color)") { Self.color($0) == color }
    }
    #expect(String(decoding: session.output, as: UTF8.self).contains("48:2::0:255:0"))
  }

  @Test func animationsStandStillIfTheUserWantsThat() async throws {
    try await expectStill(start("a.gif", "animations = false\n"))
  }

  @Test func animationsStandStillOverASlowLine() async throws {
    try await expectStill(start("a.gif", line: Line(bytesPerSecond: 50_000, roundTrip: .milliseconds(100))))
  }

  /// Expects that only the first frame is shown in the details and in the viewer. The list has the same one.
  private func expectStill(_ session: TerminalSession) async throws {
    defer { session.close() }
    try await session.wait(for: "the first frame") { Self.color($0) == .red }
    session.type("v")
    try await session.waitForText("Esc Back")
    try await session.wait(for: "the first frame") { $0.cells[14][50].plainColor == .red }
    for key in "iiii" {
      session.type(String(key))
      try await session.waitForText("a.gif")
    }
    // No frame but the first one was drawn, in the details or in the viewer.
    #expect(!String(decoding: session.output, as: UTF8.self).contains("48:2::0:255:0"))
  }
}
