import Foundation
import Harness
import Synchronization
import TestLimit
import Testing
import WebServer

/// The hints of the footer: which are offered, which are dropped on a narrow screen, and that they can be clicked.
@Suite(.fewAtOnceAndFirst, .serialized, .limited) struct FooterTests {
  private func open(columns: Int = 120, rows: Int = 36) async throws -> TerminalSession {
    let catalog = try TemporaryCatalog.named((1...9).map { "Photo \($0)" })
    let session = try Program.start(catalog.path, columns: columns, rows: rows)
    try await session.waitForText("1/9")
    return session
  }

  private func footer(_ screen: Screen) -> String { screen.lines.last ?? "" }

  /// Clicks a hint of the footer, `offset` columns from its start.
  private func click(_ hint: String, offset: Int = 0, in session: TerminalSession) async throws {
    let screen = try await session.wait(for: "the hint \(hint)") { footer($0).contains(hint) }
    let place = try #require(footer(screen).range(of: hint))
    let column = footer(screen).distance(from: footer(screen).startIndex, to: place.lowerBound)
    session.click(column: column + offset, row: screen.lines.count - 1)
  }

  @Test func aClickOnAHintDoesTheSameAsItsKey() async throws {
    let session = try await open(columns: 220)
    defer { session.close() }
    try await click("↑↓ Move", offset: 4, in: session)
    try await session.waitForText("2/9")
    try await click("↑↓ Move", offset: 1, in: session)
    try await session.waitForText("3/9")
    try await click("↑↓ Move", in: session)
    try await session.waitForText("2/9")
    try await click("v View", in: session)
    try await click("n Next", offset: 3, in: session)
    try await session.waitForText("3/9")
    try await click("? Help", in: session)
    try await session.waitForText("─ Commands ─")
    try await click("Esc Back", in: session)
    try await session.wait(for: "the viewer") { !$0.contains("─ Commands ─") && $0.contains("3/9") }
    try await click("Esc Back", offset: 7, in: session)
    try await click("/ Search", in: session)
    session.type("name:4")
    try await session.waitForText("1 of 9")
    try await click("Enter Keep results", offset: 8, in: session)
    try await session.waitForText("Enter Open")
    try await click("Esc All photos", in: session)
    // The photo that was found stays highlighted. It is not for sale.
    try await click("Enter Open", in: session)
    try await session.waitForText("This item is not for sale")
    try await click("Enter Ok", in: session)
    try await session.wait(for: "the list") { !$0.contains("This item is not for sale") }
    try await click("q Quit", offset: 5, in: session)
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// On a narrow screen, the hints to quit and to show all keys are dropped last.
  @Test(arguments: [20, 30, 40, 60, 80, 120])
  func theHintsToQuitAndToShowTheKeysStay(columns: Int) async throws {
    let session = try await open(columns: columns, rows: 12)
    defer { session.close() }
    let list = footer(session.screen)
    #expect(list.hasSuffix("? Help  q Quit") || list.hasSuffix("? Help   q Quit"), "\(list)")
    session.type("v")
    let viewer = try await session.wait(for: "the viewer") { footer($0).contains("Esc Back") }
    #expect(footer(viewer).contains("? Help"), "\(footer(viewer))")
  }

  @Test func theCommandsForMarkedPhotosAreOffered() async throws {
    let session = try await open(columns: 80, rows: 24)
    defer { session.close() }
    session.type(" ")
    try await session.waitForTexts(
      "1 marked", "Space Mark", "* Unmark", "o Open in app", "y Copy path", "? Help", "q Quit")
  }

  @Test(arguments: [40, 80]) func theWallOffersToFollowAndToUnfollow(columns: Int) async throws {
    let home = try Home()
    let session = try home.enter("wall", columns: columns)
    defer { session.close() }
    try await session.wait(for: "the wall") { $0.contains("1/") && !$0.contains("Loading") }
    while !footer(session.screen).contains("Enter Follow") {
      let before = session.screen.text
      session.type("j")
      try await session.wait(for: "the next row") { $0.text != before }
    }
    try await click("Enter Follow", in: session)
    try await session.waitForText("✓ Following")
    try await click("Enter Unfollow", in: session)
    try await session.wait(for: "the offer to follow") { footer($0).contains("Enter Follow") }
  }

  @Test(arguments: [false, true])
  func aReloadRetriesImagesFromTheWeb(inViewer: Bool) async throws {
    let cache = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: cache) }
    let page = """
      {"photos": [{"id": 1, "name": "Far away", "created_at": "2017-11-06T23:48:50-05:00", "image_url": "/a.ppm"}]}
      """
    // An image of many colors.
    var pixels: [UInt8] = []
    for row in 0..<UInt8(48) { for column in 0..<UInt8(64) { pixels += [row * 5, column * 4, 128] } }
    let image = Data("P6 64 48 255\n".utf8) + Data(pixels)
    let isRefused = Flag()
    try await WebServer.run { question in
      question.target == "/a.ppm" ? isRefused.value ? .init(403) : .init(body: image) : .init(body: Data(page.utf8))
    } body: { server in
      let session = try Program.start(
        "--pictures", "symbols", server.address, changes: ["XDG_CACHE_HOME": cache.path])
      defer { session.close() }
      let (refusal, hint) = ("You don't have permission", "Press r to try again.")
      try await session.waitForTexts(refusal, hint)
      if inViewer {
        session.type("v")
        try await session.waitForTexts("Esc Back", "r Reload", refusal, hint)
      }
      isRefused.set(false)
      session.type("r")
      try await session.wait(for: "the image") {
        !$0.contains(refusal) && colors(of: $0, rows: 4..<20, columns: 50..<110).count > 20
      }
      #expect(server.questions.count { $0.target == "/a.ppm" } == 2)
    }
  }
}

private final class Flag: Sendable {
  private let isSet = Mutex(true)

  var value: Bool { isSet.withLock { $0 } }
  func set(_ value: Bool) { isSet.withLock { $0 = value } }
}
