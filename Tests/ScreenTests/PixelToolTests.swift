import CJPEG
import Foundation
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
    try await session.wait(for: "the photo") { $0.partsInTheMiddle != nil }
    return session
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
      screen.contains("Gray") && screen.partsInTheMiddle.map { Set($0).count } == 1
    }
    session.type("|")
    try await session.wait(for: "its own colors") { screen in
      !screen.contains("Gray") && !screen.contains("Brightness")
        && screen.partsInTheMiddle.map { Set($0).count != 1 } == true
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

  /// The sensor has seen red, and the preview in the file is gray.
  @Test func theRawIsShownInPlaceOfItsPreview() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "a.dng")
    var dng = SampleDNG(width: 60, height: 30) { _, _ in (0.4, 0.02, 0.02) }
    var count = 0
    let preview = try #require(cjpeg_encode(Array(repeating: 0x808080, count: 40 * 20), 40, 20, 95, &count))
    defer { free(preview) }
    dng.preview = [UInt8](UnsafeRawBufferPointer(start: preview, count: count))
    try Data(dng.file).write(to: path)
    let session = try Program.start("--pictures", "symbols", path.path, columns: 100, rows: 30)
    defer { session.close() }
    try await session.wait(for: "the preview") { $0.contains("Esc Back") && $0.isGrayInTheMiddle }
    session.type("J")
    try await session.wait(for: "the raw") { $0.colorInTheMiddle == "r" && !$0.isGrayInTheMiddle }
    session.type("J")
    try await session.wait(for: "the preview again") { $0.isGrayInTheMiddle }
  }
}
