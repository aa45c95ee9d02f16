import Foundation
import Harness
import TestLimit
import Testing

/// Faults that a user found in marking and searching, which must not come back.
@Suite(.fewAtOnce, .limited) struct ChoosingReviewTests {
  /// Over a slow line, all keys arrive at once.
  @Test(arguments: ["/friends\r*", "/friends\r ", "/friends\rVV"])
  func keysTypedAfterASearchApplyToItsResults(keys: String) async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type(keys)
    let found = try await session.waitForTexts("1 of 36", "1 marked", "✓ Marked")
    #expect(found.contains("Two friends"))
    session.type("\u{1B}")
    try await session.waitForTexts("1 marked", "/36")
    session.type("gg")
    let all = try await session.waitForTexts("1/36", "Dune in the wind")
    #expect(!all.contains("✓ Marked"))
  }

  @Test func photosCanBeMarkedInTheSheetAndInTheViewer() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("c  ")
    let sheet = try await session.waitForTexts("2 marked", "✓ Dune", "✓ Fushimi")
    #expect(!sheet.contains("✓ Humpback"))
    session.type("ggv")
    try await session.waitForTexts("✓ Marked", "1/36")
    session.type(" ")
    try await session.waitForTexts("✓ Marked", "2/36")
    session.type("n ")
    try await session.waitForTexts("4/36", "Dragonfly")
    session.type("\u{1B}")
    let after = try await session.waitForTexts("2 marked", "✓ Fushimi", "✓ Humpback")
    #expect(!after.contains("✓ Dune"))
  }

  @Test func aCommandAppliesToARangeThatWasBegun() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("Vjjy")
    try await session.waitForTexts("3 marked", "Copied: 3 paths")
  }

  @Test func escapeEndsTheInnermostModeFirst() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("/friends\rV")
    try await session.waitForTexts("1 of 36", "Marking a range – V to finish")
    session.type("\u{1B}")
    let searching = try await session.wait(for: "the range to be given up") {
      !$0.contains("Marking a range – V to finish")
    }
    #expect(searching.contains("1 of 36"))
    session.type("\u{1B}")
    // The highlighted photo stays highlighted.
    let all = try await session.waitForText("36/36")
    #expect(all.contains("Two friends"))
  }

  @Test func anExistingFileIsReplacedOnlyIfTheUserAgrees() async throws {
    let catalog = try TemporaryCatalog.named(["One", "Two"])
    let folder = URL(filePath: catalog.path).deletingLastPathComponent()
    let photo = folder.appending(path: "photo.jpg")
    try Data([0xFF, 0xD8, 0xFF]).write(to: photo)
    let session = try Program.start(catalog.path)
    defer { session.close() }
    try await session.waitForText("1/2")
    func write(_ name: String, choice: String) async throws {
      session.type("e\u{15}\(folder.path)/\(name)\r")
      try await session.waitForTexts("File already exists", "Keep it")
      session.type(choice)
    }
    try await write("photo.jpg", choice: "o")
    try await session.waitForText("is not a catalog")
    session.type("\r")
    #expect(try Data(contentsOf: photo) == Data([0xFF, 0xD8, 0xFF]))
    let before = try Data(contentsOf: URL(filePath: catalog.path))
    try await write("photos.json", choice: "k")
    try await session.wait(for: "the list") { !$0.contains("Keep it") }
    #expect(try Data(contentsOf: URL(filePath: catalog.path)) == before)
    try await write("photos.json", choice: "o")
    try await session.waitForText("Saved 1 photo in")
  }

  @Test func theNextPhotoFollowsAShownPhotoThatWasRemoved() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["a.jpg", "b.jpg", "c.jpg"] {
      try FileManager.default.copyItem(atPath: Program.photo("coffee.jpg"), toPath: folder.appending(path: name).path)
    }
    let session = try Program.start(folder.path, changes: ["XDG_CACHE_HOME": folder.path + "/.cache"])
    defer { session.close() }
    try await session.waitForTexts("1/3", "c.jpg")
    session.type("jv")
    try await session.waitForTexts("b.jpg", "2/3")
    try FileManager.default.removeItem(at: folder.appending(path: "b.jpg"))
    try await session.wait(for: "its place to be gone") { !$0.contains("2/3") }
    session.type("n")
    try await session.waitForTexts("c.jpg", "2/2")
  }
}
