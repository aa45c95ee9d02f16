import Foundation
import Testing
import Torture

/// Images over slow lines of many kinds: what the user sees on the way, and at the end.
@Suite(.fewAtOnceAndFirst) struct LineTortureTests {
  /// A line and a terminal at its other end.
  struct Link: CustomTestStringConvertible {
    var line: Line
    var kind: GraphicsTerminal.Kind
    var isInTmux = false

    var testDescription: String { "\(kind)\(isInTmux ? " in tmux" : ""), \(line)" }

    /// All formats over one line.
    static func all(_ line: Line) -> [Link] {
      GraphicsTerminal.Kind.allCases.map { Link(line: line, kind: $0) }
        + (LineGallery.hasTmux ? [Link(line: line, kind: .kitty, isInTmux: true)] : [])
    }
  }

  private static let usual = Line(bytesPerSecond: 200_000, roundTrip: .milliseconds(100), jitter: .milliseconds(20))
  private static let slow = Line(bytesPerSecond: 20_000, roundTrip: .milliseconds(100))

  static let links: [Link] =
    !Torture.isLong
    ? Link.all(usual)
    : [20_000, 200_000, 2_000_000].flatMap { rate in
      [20, 100, 600, 2000].flatMap { trip in
        Link.all(Line(bytesPerSecond: rate, roundTrip: .milliseconds(trip), jitter: .milliseconds(trip / 5)))
      }
    }

  /// Something recognizable comes first, and the last image is the sharp one. A key is answered while an image is on its
  /// way, and the photo that it leaves is not sent to the end.
  @Test(arguments: links) func photosBecomeSharpAndKeysAreAnsweredTorture(link: Link) async throws {
    let gallery = try await LineGallery(link.kind, line: link.line, isInTmux: link.isInTmux)
    try await gallery.enterViewer()
    try await gallery.waitForSharpPhoto(0)
    gallery.session.type("n")
    try await gallery.waitForRecognizablePhoto(1)
    try await gallery.waitForSharpPhoto(1)
    gallery.session.type("n")
    try await gallery.waitUntilImageArrives(orPhotoIsSharp: 2)
    gallery.session.type("n")
    let count = try await gallery.waitForCaption(of: 3)
    try await gallery.waitForSharpPhoto(3)
    let later = gallery.session.graphics?.images.dropFirst(count) ?? []
    // Once the photo is sharp, its neighbors are sent ahead.
    let last = later.lastIndex { gallery.resembles($0, 3) } ?? later.startIndex
    let old = later[..<last].filter { gallery.resembles($0, 2) }.map(\.byteCount)
    #expect(old == [], "photo 2 was sent after the key")
    try await gallery.expectCleanScreen()
  }

  /// For some seconds in the middle of an image nothing moves.
  @Test(arguments: Link.all(usual)) func aStallLosesNothing(link: Link) async throws {
    let gallery = try await LineGallery(link.kind, line: link.line, isInTmux: link.isInTmux)
    try await gallery.enterViewer()
    try await gallery.waitUntilImageArrives(orPhotoIsSharp: 0)
    gallery.session.stallLine(for: .seconds(3))
    gallery.session.type("n")
    try await gallery.waitForSharpPhoto(1)
    gallery.session.stallLine(for: .seconds(3))
    gallery.session.type("n")
    try await gallery.waitForSharpPhoto(2)
    try await gallery.expectCleanScreen()
  }

  /// Characters can't be cut off. So an image of them is spread over frames, none of which keeps a key waiting for long.
  @Test func imagesOfCharactersAreSentInSmallFrames() async throws {
    let gallery = try await LineGallery(.symbols, line: Self.slow, size: Size(columns: 80, rows: 24))
    try await gallery.enterViewer()
    gallery.session.type("n")
    try await gallery.waitForSharpPhoto(1)
    let frames = gallery.session.output.split(separator: Array("\u{1B}[?2026h".utf8)).map(\.count)
    // Until the line has been measured, a frame ends after the row of 4 kB with which it gets larger than 12.5 kB. The whole
    // image has some 60 kB.
    #expect(frames.filter { $0 > 17_000 } == [])
    #expect(frames.reduce(0, +) > 40_000)
    try await gallery.expectCleanScreen()
  }

  /// The sharp image would take half a minute, so that also a busy machine answers the key long before its end.
  @Test(arguments: [GraphicsTerminal.Kind.kitty, .sixel])
  func whatTheUserHasLeftIsCutOff(kind: GraphicsTerminal.Kind) async throws {
    let line = Line(bytesPerSecond: 6000, roundTrip: .milliseconds(100))
    let gallery = try await LineGallery(kind, line: line, size: Size(columns: 80, rows: 24))
    try await gallery.enterViewer()
    let session = gallery.session
    // From now on the line is measured.
    try await gallery.waitForRecognizablePhoto(0)
    // More bytes than a readable image may take.
    let (before, _) = try await session.waitForGraphics("the beginning of a large image") { graphics, _ in
      graphics.arrivingByteCount > 30_000
    }
    let arrived = session.output.count
    session.type("n")
    _ = try await gallery.waitForCaption(of: 1)
    #expect(session.output.count - arrived < 48_000)
    let (after, _) = try await session.waitForGraphics("the end of the image") { graphics, _ in
      graphics.cutCount > before.cutCount
        || graphics.images.dropFirst(before.images.count).contains { gallery.resembles($0, 0) }
    }
    let rest = after.images.dropFirst(before.images.count).first { gallery.resembles($0, 0) }.map {
      $0.byteCount - before.arrivingByteCount
    }
    // What little was missing may have been in the line's buffers.
    #expect(after.cutCount == before.cutCount + 1 || rest.map { $0 < 24_000 } == true)
    try await gallery.waitForRecognizablePhoto(1)
    #expect(gallery.faults == [])
  }
}
