import Foundation
import TestLimit
import Testing

@testable import Harness

/// What is shown of an image while the workers have not answered: here they are stopped.
@Suite(.fewAtOnce, .limited) struct StandInScreenTests {
  private func open(_ kind: GraphicsTerminal.Kind) async throws -> TerminalSession {
    let session = try TerminalSession(
      Program.path, ["--delay", "0", "--pictures", kind.isKitty ? "kitty" : kind.rawValue],
      size: Size(columns: 120, rows: 36), environment: Program.environment, pixelsPerCell: (10, 20), graphics: kind)
    try await session.waitForTexts("1/36", "Dune in the wind")
    return session
  }

  /// Opens the first photo, and waits until it is sharp: its image is the last one that comes.
  private func enterViewer(_ kind: GraphicsTerminal.Kind, _ session: TerminalSession) async throws {
    session.type("v")
    try await session.waitForGraphics("the whole photo") { graphics, screen in
      guard screen.contains("Esc Back"), let picture = Picture(kind, graphics, screen) else { return false }
      return kind == .symbols ? Self.colors(of: screen) > 3200 : picture.width > 900
    }
  }

  private func stop(_ session: TerminalSession, _ signal: Int32 = SIGSTOP) {
    for process in session.sessionProcessIDs where process != session.processID { kill(process, signal) }
  }

  private static func colors(of screen: Screen) -> Int {
    Set(screen.cells.dropLast(2).joined().map { [$0.style.foreground, $0.style.background] }).count
  }

  /// kitty shows the part of the image that it has, scaled by itself.
  @Test func kittyEnlargesWhatItHas() async throws {
    let session = try await open(.kitty)
    defer { session.close() }
    try await enterViewer(.kitty, session)
    stop(session)
    session.type("z")
    try await session.waitForGraphics("the enlarged middle") { graphics, screen in
      guard screen.contains("100 %"), graphics.placements.ids.count == 1, let id = graphics.placements.ids.first,
        let crop = graphics.placements.crop(of: id), let whole = graphics.stored[id]?.pixels
      else { return false }
      // The photo has 1600x1067 pixels, of which 1200x680 are in the window.
      let (left, width) = (crop.x * 1600 / whole.width, crop.width * 1600 / whole.width)
      let (top, height) = (crop.y * 1067 / whole.height, crop.height * 1067 / whole.height)
      return abs(left - 200) < 4 && abs(width - 1200) < 4 && abs(top - 193) < 4 && abs(height - 680) < 4
        && graphics.placements.image(row: 0, column: 0) == id && graphics.placements.image(row: 33, column: 119) == id
    }
    // It gives way to the part itself.
    stop(session, SIGCONT)
    try await session.waitForGraphics("the sharp middle") { graphics, screen in
      graphics.placements.ids.isEmpty && Picture(.kitty, graphics, screen)?.width == 1200
    }
  }

  /// Characters become a mosaic.
  @Test func charactersAreEnlarged() async throws {
    let session = try await open(.symbols)
    defer { session.close() }
    try await enterViewer(.symbols, session)
    let whole = session.screen
    stop(session)
    session.type("z")
    try await session.wait(for: "the enlarged middle") {
      $0.contains("100 %") && (500..<3000).contains(Self.colors(of: $0))
        && $0.cells[10].map(\.style) != whole.cells[10].map(\.style)
    }
    stop(session, SIGCONT)
    try await session.wait(for: "the sharp middle") { $0.contains("100 %") && Self.colors(of: $0) > 3200 }
  }

  /// A terminal that can't enlarge what it was sent shows the whole photo, and the caption does not claim anything else.
  @Test func theScaleIsThatOfWhatIsShown() async throws {
    let session = try await open(.sixel)
    defer { session.close() }
    try await enterViewer(.sixel, session)
    stop(session)
    let count = session.output.count
    session.type("z")
    try await session.wait(for: "the footer of a zoomed photo") { $0.contains("z Fit") }
    #expect(!session.screen.contains("100 %"))
    #expect(session.output[count...].firstRange(of: Array("100 %".utf8)) == nil)
    stop(session, SIGCONT)
    try await session.waitForText("100 %")
  }

  /// The viewer shows the image of the details in its own size. A scaled one would delay the next frame.
  @Test func theViewerShowsWhatTheDetailsHave() async throws {
    let session = try await open(.kitty)
    defer { session.close() }
    try await session.waitForGraphics("the image of the details") { graphics, screen in
      screen.cells.joined().contains { cell in
        Picture.id(of: cell).flatMap { graphics.stored[$0]?.pixels }.map { $0.width > 500 } ?? false
      }
    }
    stop(session)
    session.type("v")
    try await session.waitForGraphics("the same image in the viewer") { graphics, screen in
      screen.contains("Esc Back") && graphics.placements.ids.isEmpty
        && (Picture(.kitty, graphics, screen).map { (500..<900).contains($0.width) } ?? false)
    }
  }

  /// The tiles of a contact sheet show the thumbnails of the list's rows.
  @Test(arguments: [GraphicsTerminal.Kind.kitty, .symbols])
  func tilesShowWhatTheListHas(kind: GraphicsTerminal.Kind) async throws {
    let session = try await open(kind)
    defer { session.close() }
    // Images of characters are beside large rows only.
    try await session.waitForText("1/36")
    if kind == .symbols { session.type("t") }
    try await session.waitForGraphics("the rows") { _, screen in
      // Most of the cells at the left of the rows belong to images.
      let cells = screen.cells[3..<33].flatMap { $0[2..<10] }
      return cells.count {
        kind == .kitty
          ? $0.text.unicodeScalars.first == Picture.placeholder : $0.style.background != .default
      } > 120
    }
    stop(session)
    session.type("c")
    try await session.waitForGraphics("tiles") { graphics, screen in
      guard screen.contains("Esc Back") else { return false }
      // The first row of tiles has the photos of the first rows of the list.
      return [10, 30, 50].allSatisfy { column in
        kind == .kitty
          ? graphics.placements.image(row: 4, column: column) != nil
          : screen.cells[4][column].style.background != .default
      }
    }
  }
}
