import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// Videos on the screen, in characters: black for two tenths of a second, and then red, green, and blue up to 3, 6, and 9 s.
@Suite(.limited, .fewAtOnce) struct VideoScreenTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(folder)
    let photos = folder.appending(path: "photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["chelsea.jpg", "film.mp4"] {
      try FileManager.default.copyItem(atPath: TestPhotos.path(name), toPath: photos.appending(path: name).path)
    }
  }

  private func start() async throws -> TerminalSession {
    let session = try Program.start(
      "--pictures", "symbols", folder.appending(path: "photos").path, columns: 100, rows: 30,
      changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
    try await session.waitForTexts("1/2", "film.mp4")
    return session
  }

  private func waitForFrame(_ color: Character, _ text: String, _ session: TerminalSession) async throws {
    try await session.wait(for: "\(color) at \(text)") { $0.colorInTheMiddle == color && $0.contains(text) }
  }

  /// The end of such a video is not known, so frames would be requested without one.
  @Test func aVideoThatCannotBeShownPauses() async throws {
    let film = folder.appending(path: "photos/film.mp4")
    let head = try Data(contentsOf: film).prefix(64)
    try (head + Data(count: 1 << 16)).write(to: film)
    let session = try await start()
    defer { session.close() }
    session.type("j")
    try await session.waitForText("2/2")
    session.type("v")
    try await session.waitForText("p Play")
    session.type("p")
    try await session.waitForText("‖ 0:00")
    session.type(" ")
    try await session.waitForTexts("‖ 0:00", "2/2")
    session.press(.escape)
    try await session.waitForText("p Play")
  }

  @Test func aVideoPlaysPausesAndWinds() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("j")
    try await session.waitForTexts("2/2", "▶")
    session.type("v")
    try await session.waitForTexts("p Play", "film.mp4")
    try await session.wait(for: "the still") { $0.colorInTheMiddle == "r" }
    session.type("p")
    try await waitForFrame("g", "▶ 0:03 / 0:09", session)
    // The key that has begun the video stops it, too.
    session.type("p")
    try await session.waitForTexts("‖ 0:0", "2/2")
    session.type(" ")
    try await session.wait(for: "the film") { $0.contains("▶ 0:0") }
    session.type(" ")
    try await session.waitForText("‖ 0:0")
    session.press(.right)
    try await session.wait(for: "blue") { $0.colorInTheMiddle == "b" }
    for _ in 0..<2 { session.press(.left) }
    // Back to the first seconds, and by single frames to the black ones.
    for _ in 0..<2 { session.press(.left) }
    try await waitForFrame("k", "‖ 0:00 / 0:09", session)
    session.type("...")
    try await waitForFrame("r", "‖ 0:00 / 0:09", session)
    session.type("+")
    try await session.waitForText("×1.5")
    session.press(.escape)
    try await session.wait(for: "the still") { $0.contains("p Play") && $0.colorInTheMiddle == "r" }
    session.press(.escape)
    try await session.waitForText("1-5 Rate")
  }

  @Test func aVideoThatHasEndedStartsAgain() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("jvp")
    try await session.waitForText("/ 0:09")
    session.press(.right)
    session.press(.right)
    try await waitForFrame("b", "‖ 0:08 / 0:09", session)
    session.type("p")
    try await session.waitForText("▶ 0:00 / 0:09")
    // Another photo ends the playback.
    session.type("gg")
    try await session.wait(for: "the photo") { $0.contains("chelsea.jpg") && !$0.contains("▶ 0:0") }
  }

  @Test func aVideoIsFoundSortedAndRated() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("/is:video\r")
    try await session.wait(for: "the video alone") { $0.contains("1/1") && !$0.contains("chelsea.jpg") }
    session.type("4")
    try await session.waitForText("4 stars on film.mp4")
    let sidecar = folder.appending(path: "photos/film.mp4.xmp")
    try waitForFiles(in: folder, "the sidecar") { FileManager.default.fileExists(atPath: sidecar.path) }
  }
}
