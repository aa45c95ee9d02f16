import Harness
import TestLimit
import TestPhotos
import Testing

/// The viewer's tools for looking closely.
@Suite(.limited, .fewAtOnce) struct PixelToolTests {
  private func open() async throws -> TerminalSession {
    let session = try Program.start("--pictures", "symbols", TestPhotos.path("coffee.jpg"), columns: 100, rows: 30)
    try await session.waitForText("coffee.jpg")
    session.type("v")
    try await session.waitForText("Esc Back")
    try await session.wait(for: "the photo") { Self.color($0) != nil }
    return session
  }

  /// The color in the middle of the photo; nil until it is there.
  private static func color(_ screen: Screen) -> [Int]? {
    guard case .rgb(let red, let green, let blue) = screen.cells[14][50].style.background else { return nil }
    return [red, green, blue].map(Int.init)
  }

  @Test func tonesChangeStayAndAreReset() async throws {
    let session = try await open()
    defer { session.close() }
    session.type("]]]")
    try await session.waitForText("Brightness +3")
    session.type("((")
    try await session.waitForTexts("Brightness +3", "Contrast −2")
    session.type("B")
    try await session.wait(for: "a gray photo") { screen in
      screen.contains("Gray") && Self.color(screen).map { Set($0).count } == 1
    }
    session.type("|")
    try await session.wait(for: "its own colors") { screen in
      !screen.contains("Gray") && !screen.contains("Brightness")
        && Self.color(screen).map { Set($0).count != 1 } == true
    }
  }

  @Test func pixelsAreInspectedOneByOne() async throws {
    let session = try await open()
    defer { session.close() }
    session.type("I")
    let first = try await session.wait(for: "the pixel in the middle") {
      $0.text.contains(#/ 300,200  #[0-9A-F]{6}  \d+ \d+ \d+/#)
    }
    #expect(first.contains("1200 %"))
    session.press(.right)
    session.press(.down)
    try await session.wait(for: "the pixel next to it") { $0.text.contains(#/ 301,201  #[0-9A-F]{6}/#) }
    session.press(.escape)
    try await session.wait(for: "no pixel") { !$0.contains("301,201") && $0.contains("Esc Back") }
  }
}
