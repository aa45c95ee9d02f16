import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// Files that end before their images do, as when a copy was interrupted.
@Suite(.fewAtOnce, .limited) struct IncompleteFileTests {
  /// Makes a folder of a whole photo and of the first part of another.
  private func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, source) in [("cut.jpg", "chelsea.jpg"), ("whole.jpg", "coffee.jpg")] {
      let bytes = try Data(contentsOf: URL(filePath: TestPhotos.path(source)))
      let part = name == "cut.jpg" ? bytes.prefix(bytes.count * 2 / 3) : bytes
      try part.write(to: folder.appending(path: name))
    }
    return folder.path
  }

  private func open(_ arguments: String..., columns: Int = 120) throws -> TerminalSession {
    try TerminalSession(
      Program.path, ["--delay", "0"] + arguments, size: Size(columns: columns, rows: 36),
      environment: Program.environment)
  }

  /// Returns the texts of a photo's row in a list with images.
  private func row(_ index: Int, on screen: Screen) -> String {
    screen.cells[(3 + 3 * index)..<(6 + 3 * index)].map { $0[..<48].map(\.text).joined() }.joined(separator: "\n")
  }

  @Test(arguments: ["symbols", "none"]) func theRowOfAnIncompleteFileHasASign(images: String) async throws {
    let session = try open("--pictures", images, try folder())
    defer { session.close() }
    let screen = try await session.wait(for: "the sign") { row(0, on: $0).contains("Incomplete file") }
    #expect(row(0, on: screen).contains("cut.jpg"))
    #expect(row(1, on: screen).contains("whole.jpg") && !row(1, on: screen).contains("Incomplete"))
    session.type("c")
    try await session.wait(for: "the sign in the sheet") { sheet in
      let names = sheet.lines.first { $0.contains("cut.jpg") } ?? ""
      return sheet.contains("Esc Back") && names.contains(/cut\.jpg ![ │]+whole\.jpg/)
        && !names.contains(/whole\.jpg +!/)
    }
  }

  /// The viewer's panel repeats the note of the caption, which the user may have hidden.
  @Test func theDetailAndTheViewerSayThatAFileIsIncomplete() async throws {
    let session = try open("--pictures", "symbols", try folder())
    defer { session.close() }
    try await session.wait(for: "the note in the detail") { screen in
      screen.cells[3..<34].contains { $0[50...].map(\.text).joined().contains("Incomplete file") }
    }
    session.type("v")
    try await session.wait(for: "the viewer's caption") { screen in
      screen.contains("Esc Back") && screen.lines.contains { $0.contains("cut.jpg") && $0.contains("Incomplete file") }
    }
    session.type("i")
    try await session.wait(for: "the panel") { $0.lines.contains { $0.contains(/File +Incomplete/) } }
  }

  /// The metadata of a catalog's photos are not read, but their images are decoded.
  @Test func theImageTellsThatAFileOfACatalogIsIncomplete() async throws {
    let catalog = try TemporaryCatalog("{}")
    let photos = try folder()
    let rows = ["cut", "whole"].enumerated().map { index, name in
      [
        "id": index + 1, "name": name, "description": "About \(name)", "created_at": "2017-11-06T14:48:50-05:00",
        "image_url": "\(photos)/\(name).jpg", "for_sale": true,
      ] as [String: Any]
    }
    let data = try JSONSerialization.data(withJSONObject: ["photos": rows])
    try catalog.write(String(decoding: data, as: UTF8.self))
    let session = try open("--pictures", "symbols", catalog.path)
    defer { session.close() }
    // Images of characters are beside large rows only.
    try await session.waitForText("1/2")
    session.type("t")
    @Sendable func row(_ index: Int, on screen: Screen) -> String {
      screen.lines[(3 + 7 * index)..<(9 + 7 * index)].map { String($0.prefix(48)) }.joined()
    }
    let screen = try await session.wait(for: "the sign") { row(0, on: $0).contains("Incomplete file") }
    #expect(!row(1, on: screen).contains("Incomplete"))
  }
}
