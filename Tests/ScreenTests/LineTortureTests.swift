import Foundation
import Harness
import TestLimit
import Testing
import Torture

@testable import struct Terminal.LineModel

/// Images over slow lines of many kinds: what the user sees on the way, and at the end.
@Suite(.fewAtOnceAndFirst, .limited) struct LineTortureTests {
  /// A line and a terminal at its other end.
  struct Link: CustomTestStringConvertible {
    var line: Line
    var kind: GraphicsTerminal.Kind
    var isInTmux = false

    var testDescription: String { "\(kind)\(isInTmux ? " in tmux" : ""), \(line)" }

    /// All formats over one line.
    static func all(_ line: Line) -> [Link] {
      GraphicsTerminal.Kind.allCases.map { Link(line: line, kind: $0) }
        + (Tmux.isInstalled ? [Link(line: line, kind: .kitty, isInTmux: true)] : [])
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

  /// The next photo's image is sent ahead, which takes several seconds. A key that asks for the photo doesn't wait for that.
  @Test func aPhotoIsRecognizableWhileItsImageIsOnItsWay() async throws {
    let gallery = try await LineGallery(.kitty, line: Self.usual, size: Size(columns: 80, rows: 24))
    try await gallery.enterViewer()
    try await gallery.waitForSharpPhoto(0)
    let least = 100_000
    try await gallery.session.waitForGraphics("a part of the next photo's image") { graphics, _ in
      graphics.arrivingByteCount > least
    }
    // On a busy machine, most of it has arrived already.
    let arrived = gallery.session.graphics?.arrivingByteCount ?? 0
    gallery.session.type("n")
    let count = try await gallery.waitForCaption(of: 1)
    try await gallery.waitForRecognizablePhoto(1)
    // The preview may have been sent ahead. What follows the first image of the photo may be the sharp one.
    let images = gallery.session.graphics?.images.dropFirst(count) ?? []
    let later = images[..<(images.firstIndex { gallery.resembles($0, 1) }.map { $0 + 1 } ?? images.endIndex)]
    #expect(later.allSatisfy { $0.byteCount < arrived + least }, "\(arrived), then \(later.map(\.byteCount))")
  }

  /// A popup over images makes the terminal place them again, by commands that may not come in the middle of another image.
  /// The one in transmission is ended for them, and the next ones have to wait, too.
  @Test func popupsCutNoImages() async throws {
    let gallery = try await LineGallery(.oldKitty, line: Self.usual, size: Size(columns: 160, rows: 40))
    let session = gallery.session
    try await session.waitForTexts("1/4")
    session.type("c")
    try await session.waitForGraphics("the first tile") { graphics, _ in !graphics.stored.isEmpty }
    for _ in 1...20 {
      for key in ["?", "\u{1B}"] {
        let count = session.output.count
        session.type(key)
        try await session.waitForGraphics("the answer, and a part of an image") { _, screen in
          screen.contains("╭─ Commands") == (key == "?") && session.output.count > count
        }
      }
    }
    #expect(gallery.faults == [])
  }

  /// The line stands still for some seconds, in the middle of an image.
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
    let session = gallery.session
    try await gallery.enterViewer()
    try await gallery.waitForSharpPhoto(0)
    let count = session.output.count
    session.type("n")
    try await gallery.waitForSharpPhoto(1)
    func frames(_ output: ArraySlice<UInt8>) -> [Int] {
      output.split(separator: Array("\u{1B}[?2026h".utf8)).map(\.count)
    }
    // A frame ends after the row with which it is full. It may be larger before the line has been measured.
    let row = 80 * "\u{1B}[38;2;255;255;255m\u{1B}[48;2;255;255;255m\u{1FB00}".utf8.count
    let (first, later) = (frames(session.output[..<count]), frames(session.output[count...]))
    #expect(first.filter { $0 > Self.largestFrame(isMeasured: false) + row } == [])
    #expect(later.filter { $0 > Self.largestFrame(isMeasured: true) + row } == [])
    // The whole image has some 60 kB.
    #expect(later.reduce(0, +) > 40_000)
    try await gallery.expectCleanScreen()
  }

  /// The number of bytes with which a frame is full on the slow line.
  private static func largestFrame(isMeasured: Bool) -> Int {
    var model = LineModel(environment: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"])
    if isMeasured {
      let start = ContinuousClock.now
      model.write(slow.bytesPerSecond, at: start)
      model.ask(at: start)
      model.receiveAnswer(at: start + .seconds(1))
    }
    return model.mostBytesOfFrame ?? 0
  }

  /// The key is pressed while more of the sharp image is missing than the buffers of the line and of the kernel hold. Even on a
  /// busy machine a part of it has not left then.
  @Test(arguments: [(GraphicsTerminal.Kind.kitty, 80), (.oldKitty, 80), (.sixel, 120)])
  func whatTheUserHasLeftIsCutOff(kind: GraphicsTerminal.Kind, columns: Int) async throws {
    let line = Line(bytesPerSecond: 6000, roundTrip: .milliseconds(100))
    let gallery = try await LineGallery(kind, line: line, size: Size(columns: columns, rows: columns * 3 / 10))
    try await gallery.enterViewer()
    let session = gallery.session
    // More bytes than any image but the exact one may take, which has more than 250 kB.
    let (before, _) = try await session.waitForGraphics("the beginning of the sharp image", timeout: .seconds(120)) {
      graphics, _ in
      graphics.arrivingByteCount > 70_000
    }
    let arrived = session.output.count
    session.type("n")
    _ = try await gallery.waitForCaption(of: 1)
    #expect(session.output.count - arrived < 48_000)
    let (after, _) = try await session.waitForGraphics("the end of the image") { graphics, _ in
      graphics.cutCount > before.cutCount
        || graphics.images.dropFirst(before.images.count).contains { gallery.resembles($0, 0) }
    }
    #expect(after.cutCount == before.cutCount + 1)
    try await gallery.waitForRecognizablePhoto(1)
    #expect(gallery.faults == [])
  }

  /// Until the image in transmission has ended, kitty would take the next program's image for its rest.
  @Test(arguments: [GraphicsTerminal.Kind.kitty, .oldKitty], [nil, SIGTERM])
  func theImageInTransmissionEndsWithTheProgram(kind: GraphicsTerminal.Kind, signal: Int32?) async throws {
    let line = Line(bytesPerSecond: 6000, roundTrip: .milliseconds(100))
    let gallery = try await LineGallery(kind, line: line, size: Size(columns: 120, rows: 36))
    let session = gallery.session
    try await session.waitForGraphics("a part of an image") { graphics, _ in graphics.arrivingByteCount > 16_000 }
    if let signal { session.kill(signal) } else { session.type("q") }
    #expect(try await session.waitForExit() == signal.map { .signalled($0) } ?? .exited(0))
    let (graphics, _) = try await session.waitForGraphics("the deletion of all images") { graphics, _ in
      graphics.arrivingByteCount == 0 && graphics.stored.isEmpty
    }
    #expect(graphics.faults == [])
  }
}
