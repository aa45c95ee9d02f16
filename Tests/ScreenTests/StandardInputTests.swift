import Foundation
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct StandardInputTests {
  /// Starts the program at the end of a pipe that a shell command writes to.
  private func start(_ command: String, _ arguments: String...) throws -> TerminalSession {
    let call = ["-c", "\(command) | exec \"$0\" \"$@\"", Program.path, "--pictures", "none"] + arguments
    return try TerminalSession("/bin/sh", call, size: Size(columns: 80, rows: 24), environment: Program.environment)
  }

  @Test func aCatalogIsReadFromAPipe() async throws {
    let catalog = try TemporaryCatalog.named(["One", "Two"])
    for packed in ["cat", "gzip -c"] {
      let session = try start("\(packed) \(catalog.path.shellWord)", "-")
      defer { session.close() }
      try await session.waitForTexts("standard input", "1/2", "Two")
      session.type("r")
      try await session.waitForTexts("1/2", "Two")
    }
  }

  @Test func pathsAreReadFromAPipe() async throws {
    let photos = URL(filePath: Program.bundledPhoto("whale-calf.jpg")).deletingLastPathComponent().path
    let session = try start("find \(photos.shellWord) -name '*.jpg' -print0", "-0", "-")
    defer { session.close() }
    try await session.waitForTexts("1/36", ".jpg")
  }

  @Test func aTerminalAtTheStandardInputIsRejected() async throws {
    let session = try Program.start("-")
    defer { session.close() }
    try await session.waitForText("Pipe a catalog or a list of paths into it.")
  }
}
