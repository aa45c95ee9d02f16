import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// Metadata templates in the shell and in the gallery.
@Suite(.fewAtOnce, .timeLimit(.minutes(10)), .limited) final class TemplateTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    let photos = folder.appending(path: "in")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["chelsea.jpg", "coffee.jpg"] {
      try FileManager.default.copyItem(
        at: URL(filePath: TestPhotos.path(name)), to: photos.appending(path: name))
    }
    let configuration = folder.appending(path: "config/tintype")
    try FileManager.default.createDirectory(at: configuration, withIntermediateDirectories: true)
    let text = """
      [template.press]
      creator = "Ana Silva"
      caption = "{name} in {folder}"
      city = "Lisbon"
      keywords = ["press"]
      """
    try Data(text.utf8).write(to: configuration.appending(path: "config.toml"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var changes: [String: String] {
    [
      "XDG_CACHE_HOME": folder.appending(path: "cache").path, "XDG_STATE_HOME": folder.appending(path: "state").path,
      "XDG_CONFIG_HOME": folder.appending(path: "config").path,
    ]
  }

  private func run(_ script: String) async throws -> Script {
    try await Script.run(script, in: folder, changes: changes)
  }

  private func sidecar(_ name: String) -> String? {
    try? String(contentsOf: folder.appending(path: "in/\(name).xmp"), encoding: .utf8)
  }

  private func start() async throws -> TerminalSession {
    let session = try Program.start(
      folder.appending(path: "in").path, "--pictures", "none", columns: 120, rows: 36, changes: changes)
    // The photos have been read.
    for text in ["1/2", "451×300", "600×400"] { try await session.waitForText(text) }
    return session
  }

  @Test func theShellAppliesATemplateAndTheGalleryUndoesIt() async throws {
    let dry = try await run("\"$0\" apply press in/coffee.jpg --dry-run")
    #expect(
      dry.output == """
        \(folder.path)/in/coffee.jpg
          Keywords: press
          Caption: coffee in in
          Creator: Ana Silva
          City: Lisbon

        """, "\(dry)")
    #expect(dry.code == 0 && sidecar("coffee.jpg") == nil)
    let first = try await run("\"$0\" apply press in")
    #expect(first.code == 0 && first.output == "2 photos changed\n", "\(first)")
    let again = try await run("\"$0\" apply press in")
    #expect(again.code == 0 && again.output == "0 photos changed, 2 had it all\n", "\(again)")
    #expect(sidecar("coffee.jpg")?.contains("coffee in in") == true)
    let found = try await run("\"$0\" list in 'city:lisbon creator:ana'")
    #expect(found.output.contains("in/chelsea.jpg\n") && found.output.contains("in/coffee.jpg\n"), "\(found)")
    let session = try await start()
    defer { session.close() }
    session.type("u")
    try await session.waitForText("Undone: Template press: 2 photos")
    session.type("q")
    _ = try await session.waitForExit()
    #expect(sidecar("coffee.jpg") == nil && sidecar("chelsea.jpg") == nil)
  }

  @Test func theGalleryShowsWhatATemplateChanges() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("*M")
    try await session.waitForText("Template for 2 photos")
    session.type("1")
    try await session.waitForText("Apply “press” to 2 photos?")
    try await session.waitForText("Caption: chelsea in in")
    session.type("y")
    try await session.waitForText("Creator")
    try await session.waitForText("Ana Silva")
    try await session.waitForText("Lisbon")
    session.type("M1")
    try await session.waitForText("Nothing changes: the photos have all of it.")
    session.type("q")
    _ = try await session.waitForExit()
    #expect(sidecar("coffee.jpg")?.contains("coffee in in") == true)
    #expect(sidecar("chelsea.jpg")?.contains("Ana Silva") == true)
  }

  @Test func anUnknownTemplateIsNamed() async throws {
    let missing = try await run("\"$0\" apply pres in")
    #expect(
      missing.code == 64 && missing.errors.contains("There is no template “pres”. There are press."), "\(missing)")
  }
}
