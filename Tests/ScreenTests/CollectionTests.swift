import Foundation
import Harness
import TestLimit
import Testing

/// Collections, as the gallery and the command line make, order and export them.
@Suite(.fewAtOnce, .limited) final class CollectionTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(folder)
    for name in ["oslo/a", "oslo/b", "rome/c"] {
      let file = photos.appending(path: "\(name).jpg")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Program.photo("chelsea.jpg"), toPath: file.path)
    }
  }

  private var photos: URL { folder.appending(path: "photos") }

  private var changes: [String: String?] { Program.changes(home: folder) }

  private func path(_ name: String) -> String { photos.appending(path: name).path }

  private func run(_ arguments: String...) async throws -> (output: String, status: Int32) {
    let script = "\"$0\" " + arguments.map(\.shellWord).joined(separator: " ")
    let result = try await Script.run(script, in: folder, changes: changes.compactMapValues(\.self))
    return (result.output, Int32(result.code))
  }

  @Test func photosAreCollectedOrderedAndTakenOut() async throws {
    let session = try Program.start(photos.path, columns: 110, rows: 30, changes: changes)
    defer { session.close() }
    try await session.waitForTexts("1/3", "3 photos")
    session.type("*&Best of\r")
    try await session.waitForText("Done: Add 3 photos to Best of")
    // In the viewer, the key is about the photo that is shown.
    session.type("v&")
    try await session.waitForTexts("─ Add a.jpg to ─", "Type a name, also a new one", "3 files")
    session.type("\r")
    try await session.waitForText("In Best of already: 1 photo")
    session.type("q")
    try await session.waitForTexts("1/3", "3 photos")
    session.type("gkBest\r")
    try await session.waitForTexts("Best of", "1/3", "Reorder", "Take out")
    session.type("G")
    try await session.waitForTexts("3/3", "rome/c.jpg")
    session.type("\u{1B}[1;3A")
    try await session.waitForTexts("Done: Move c.jpg in Best of", "2/3")
    session.type("\u{1B}k")
    try await session.waitForTexts("1/3", "rome/c.jpg")
    session.type("j\u{1B}&")
    let two = try await session.waitForTexts("Take a.jpg out of Best of", "2 photos")
    #expect(two.contains("c.jpg") && two.contains("b.jpg"))
    session.type("u")
    try await session.waitForTexts("Undone: Take a.jpg out of Best of", "3 photos")
    session.type("/in:be")
    try await session.waitForText("in:\"Best of\"")
    session.type("\u{1B}")
    try await session.wait(for: "all photos") { !$0.contains("in:be") && $0.contains("3 photos") }
    // A collection that is deleted from a folder comes back with the undo of that folder.
    session.type("gl")
    try await session.waitForTexts("photos", "3 photos", "by file name")
    session.type("gk")
    try await session.waitForTexts("─ Collections ─", "Best of")
    session.press(.delete)
    try await session.waitForText("Delete the collection “Best of”?")
    session.type("y")
    try await session.waitForText("No collection yet.")
    session.press(.escape)
    try await session.wait(for: "the list") { !$0.contains("─ Collections ─") }
    session.type("u")
    try await session.waitForText("Undone: Delete the collection Best of")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    let list = try await run("collection", "show", "best of")
    #expect(list.output == ["rome/c.jpg", "oslo/a.jpg", "oslo/b.jpg"].map { path($0) + "\n" }.joined())
  }

  @Test func aCollectionFollowsWhatTheGalleryRenamesAndKeepsWhatIsMissing() async throws {
    #expect(try await run("collection", "add", "Best", path("oslo/a.jpg"), path("rome/c.jpg")).status == 0)
    let session = try Program.start(path("oslo"), columns: 110, rows: 30, changes: changes)
    defer { session.close() }
    try await session.waitForTexts("1/2", "a.jpg")
    session.type("\u{1B}OQ\u{15}first\r")
    try await session.waitForTexts("Done: Rename", "first.jpg")
    try FileManager.default.removeItem(atPath: path("rome"))
    session.type("gfBest\r")
    let list = try await session.waitForTexts("2 photos", "first.jpg", "c.jpg", "1 problem")
    #expect(list.contains("first.jpg"))
    session.type("u")
    try await session.waitForTexts("Undone: Rename", "a.jpg")
    #expect(
      try await run("collection", "show", "Best").output == "\(path("oslo/a.jpg"))\n\(path("rome/c.jpg"))\n")
  }

  @Test func theCommandMakesAndExportsCollections() async throws {
    #expect(try await run("collection", "add", "Best", path("oslo")).output == "2 added, 0 in it already\n")
    #expect(
      try await run("collection", "add", "best", path("rome"), path("oslo/a.jpg")).output
        == "1 added, 1 in it already\n")
    #expect(try await run("collection").output == "3\tBest\n")
    let list = try await run("collection", "export", "Best", "--relative-to", photos.path).output
    #expect(
      list == """
        #EXTM3U
        #PLAYLIST:Best
        #EXTINF:-1,a.jpg
        oslo/a.jpg
        #EXTINF:-1,b.jpg
        oslo/b.jpg
        #EXTINF:-1,c.jpg
        rome/c.jpg

        """)
    #expect(try await run("collection", "remove", "Best", path("oslo")).output == "2 removed\n")
    #expect(try await run("list", photos.path, "in:best", "--format", "tsv").output.contains("c.jpg"))
    #expect(try await run("list", "collection://Best", "--format", "tsv").output.split(separator: "\n").count == 2)
    #expect(try await run("collection", "rename", "Best", "Rome").status == 0)
    #expect(try await run("collection", "show", "Best").status == 1)
    #expect(try await run("collection", "delete", "Rome").status == 0)
    #expect(try await run("collection").output == "")
  }
}
