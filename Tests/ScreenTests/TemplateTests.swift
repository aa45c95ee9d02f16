import Foundation
import Harness
import TestLimit
import Testing

/// Metadata templates in the shell and in the gallery.
@Suite(.fewAtOnce, .timeLimit(.minutes(10)), .limited) struct TemplateTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder(
      configuration: """
        [template.press]
        creator = "Ana Silva"
        caption = "{name} in {folder}"
        city = "Lisbon"
        keywords = ["press"]
        """)
  }

  @Test func theShellAppliesATemplateAndTheGalleryUndoesIt() async throws {
    let dry = try await folder.run("\"$0\" apply press in/coffee.jpg --dry-run")
    #expect(
      dry.output == """
        \(folder.url.path)/in/coffee.jpg
          Keywords: press
          Caption: coffee in in
          Creator: Ana Silva
          City: Lisbon

        """, "\(dry)")
    #expect(dry.code == 0 && folder.sidecar("coffee.jpg") == nil)
    let first = try await folder.run("\"$0\" apply press in")
    #expect(first.code == 0 && first.output == "2 photos changed\n", "\(first)")
    let again = try await folder.run("\"$0\" apply press in")
    #expect(again.code == 0 && again.output == "0 photos changed, 2 had it all\n", "\(again)")
    #expect(folder.sidecar("coffee.jpg")?.contains("coffee in in") == true)
    let found = try await folder.run("\"$0\" list in 'city:lisbon creator:ana'")
    #expect(found.output.contains("in/chelsea.jpg\n") && found.output.contains("in/coffee.jpg\n"), "\(found)")
    let session = try await folder.start()
    defer { session.close() }
    session.type("u")
    try await session.waitForText("Undone: Template press: 2 photos")
    session.type("q")
    _ = try await session.waitForExit()
    #expect(folder.sidecar("coffee.jpg") == nil && folder.sidecar("chelsea.jpg") == nil)
  }

  @Test func theGalleryShowsWhatATemplateChanges() async throws {
    let session = try await folder.start()
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
    #expect(folder.sidecar("coffee.jpg")?.contains("coffee in in") == true)
    #expect(folder.sidecar("chelsea.jpg")?.contains("Ana Silva") == true)
  }

  @Test func anUnknownTemplateIsNamed() async throws {
    let missing = try await folder.run("\"$0\" apply pres in")
    #expect(
      missing.code == 64 && missing.errors.contains("There is no template “pres”. There are press."), "\(missing)")
  }
}
