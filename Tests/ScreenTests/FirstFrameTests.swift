import TestLimit
import Testing

@testable import Harness

/// The answer to a key is drawn before images that take longer.
@Suite(.fewAtOnce, .limited) struct FirstFrameTests {
  private static let size = Size(columns: 120, rows: 36)

  @Test func theHighlightedRowComesBeforeALargeImage() async throws {
    let session = try Program.start("--delay", "0", "--pictures", "symbols")
    defer { session.close() }
    // Both images have been rendered, so only the order of drawing matters.
    let first = try await image(of: "1/36", in: session)
    session.type("j")
    let second = try await image(of: "2/36", in: session, unlike: first)
    session.type("k")
    let again = try await image(of: "1/36", in: session, unlike: second)
    let start = session.output.count
    session.type("j")
    _ = try await image(of: "2/36", in: session, unlike: again)

    let (before, answer) = try framesAroundAnswer("2/36", session.output, from: start)
    let (left, shown) = (try #require(Picture(cells: before.image)), try #require(Picture(cells: answer.image)))
    let isImageLeft = !Self.areUnlike(left, shown)
    #expect(isImageLeft, "the frame that answers the key draws the image, too")
  }

  /// Returns the first frame after `start` that has a text, and the screen before it.
  private func framesAroundAnswer(
    _ text: String, _ output: [UInt8], from start: Int
  ) throws -> (before: Screen, answer: Screen) {
    let terminal = Emulator(size: Self.size)
    _ = terminal.feed(output[..<start])
    var (before, place) = (terminal.screen(), start)
    while let end = output[place...].firstRange(of: Array("\u{1B}[?2026l".utf8))?.upperBound {
      _ = terminal.feed(output[place..<end])
      let screen = terminal.screen()
      if screen.contains(text) { return (before, screen) }
      (before, place) = (screen, end)
    }
    throw HarnessError(kind: .timedOut, description: "no frame has \(text)")
  }

  /// Waits for a row's detail with a large image. The image may be one that a sharper one of the same photo follows, or the
  /// other photo's, which stays until the photo's own is drawn; so images are told apart by what they show.
  private func image(
    of row: String, in session: TerminalSession, unlike other: Picture? = nil
  ) async throws -> Picture {
    let screen = try await session.wait(for: "the image of \(row)") { screen in
      guard screen.contains(row), let image = Picture(cells: screen.image) else { return false }
      return Set(screen.image.joined().map(\.background)).count > 100 && other.map { Self.areUnlike(image, $0) } ?? true
    }
    return try #require(Picture(cells: screen.image))
  }

  /// Returns whether two images show different photos.
  private static func areUnlike(_ first: Picture, _ second: Picture) -> Bool { first.distance(to: second) > 25 }
}

extension Screen {
  /// The rectangle of the detail's image.
  fileprivate var image: ArraySlice<[Cell]> { cells[5..<24].map { Array($0[50..<119]) }[...] }
}
