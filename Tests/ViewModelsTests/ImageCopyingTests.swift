import Foundation
import Gallery
import Synchronization
import TestLimit
import Testing

@testable import ViewModels

/// The image of a photo on its way to the clipboard.
@MainActor
@Suite(.limited) final class ImageCopyingTests {
  /// A terminal that gives fixed answers.
  private final class Clipboard: ImageClipboard {
    var takesImages = true
    var bytesPerSecond: Int?
    var answer = ClipboardAnswer.done
    private(set) var copied: [[UInt8]] = []

    func time(of count: Int) -> Duration? { bytesPerSecond.map { .seconds(count / $0) } }

    func copy(png: [UInt8], onAnswer: @escaping (ClipboardAnswer) -> Void) {
      copied.append(png)
      onAnswer(answer)
    }
  }

  private let fixture = PhotoListFixture()
  private let clipboard = Clipboard()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var history: [String] { fixture.history.entries }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: folder) }

  private func copy(_ path: String, metadata: PhotoMetadata? = nil) async throws {
    fixture.choosing.copyImage(of: PhotoRow([photo("A", at: .file(FilePath(path)), metadata: metadata)]), to: clipboard)
    try await end(of: fixture.choosing.copying.copying)
  }

  /// Writes a file that begins like a PNG.
  private func png(byteCount: Int) throws -> (path: String, bytes: [UInt8]) {
    let path = folder.appending(path: "a.png")
    let bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: byteCount - 8)
    try Data(bytes).write(to: path)
    return (path.path, bytes)
  }

  @Test func aPhotoBecomesAPNGWithoutMetadata() async throws {
    try await copy("/a.jpg")
    #expect(clipboard.copied.map { String(decoding: $0, as: UTF8.self) } == ["/a.jpg as png, longEdge(4096), none"])
    let sent = [
      "Copying the image: a.jpg", "Sending to the clipboard: a.jpg, 35 B", "Copied the image: a.jpg, 35 B",
    ]
    #expect(history == sent.map { "note \($0)" })
  }

  @Test func aPNGIsCopiedAsItIsUnlessItIsChangedOrLarge() async throws {
    let (path, bytes) = try png(byteCount: 20)
    try await copy(path)
    #expect(clipboard.copied == [bytes])
    var cropped = PhotoMetadata()
    cropped.crop = "0.1 0.1 0.9 0.9"
    try await copy(path, metadata: cropped)
    var turned = PhotoMetadata()
    turned.orientation = 6
    try await copy(path, metadata: turned)
    _ = try png(byteCount: 16 << 20 + 1)
    try await copy(path)
    #expect(clipboard.copied.dropFirst().map { $0.starts(with: path.utf8) } == [true, true, true])
  }

  @Test func anImageThatTakesLongOnTheLineIsNotSent() async throws {
    clipboard.bytesPerSecond = 1
    try await copy("/a.jpg")
    #expect(
      history.last
        == "alert Can't copy the image: The image has 35 B, which takes 35 s on this line. Export it in a smaller size."
    )
    #expect(clipboard.copied == [])
  }

  @Test func theTerminalsRefusalIsReported() async throws {
    clipboard.answer = .denied
    try await copy("/a.jpg")
    #expect(
      history.last == "alert Can't copy the image: The terminal doesn't let programs copy. Change that in its settings."
    )
    clipboard.answer = .failed("EIO")
    try await copy("/a.jpg")
    #expect(history.last == "alert Can't copy the image: The terminal reports an error (EIO). Try again.")
  }

  @Test func aProgramOfTheDesktopCopiesWhatTheTerminalDoesNotTake() async throws {
    clipboard.takesImages = false
    fixture.desktop.copiesImages.withLock { $0 = true }
    let (path, bytes) = try png(byteCount: 20)
    let ends = [Result<Void, APIError>.success(()), .failure(.commandFailed(.status(1, message: "no seat")))]
    for (number, result) in ends.enumerated() {
      async let copied: Void = copy(path)
      try await fixture.desktop.run.answer(number, result)
      try await copied
    }
    #expect(fixture.desktop.inputs.withLock(\.self) == [bytes, bytes])
    #expect(await fixture.desktop.run.requests == [["wl-copy"], ["wl-copy"]])
    let failure = "alert Can't copy the image: It ended with exit status 1: no seat"
    #expect(
      history == [
        "note Copying the image: a.png", "note Copied the image: a.png, 20 B", "note Copying the image: a.png",
        failure,
      ])
  }

  @Test func withoutAWayTheAlertNamesSome() async throws {
    clipboard.takesImages = false
    try await copy("/a.jpg")
    let alert = try #require(history.last)
    #expect(["kitty", "tmux with allow-passthrough", "wl-copy", "xclip"].allSatisfy(alert.contains), "\(alert)")
  }

  @Test func aFaultOfThePhotoIsReported() async throws {
    fixture.maker.fault.withLock { $0 = .noPreview }
    try await copy("/a.nef")
    #expect(history.last?.hasPrefix("alert Can't copy the image: ") == true && clipboard.copied == [])
  }
}
