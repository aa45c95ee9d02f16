import Foundation
import Harness
import TestLimit
import Testing

/// The map of the photos.
@Suite(.fewAtOnce, .limited) struct MapScreenTests {
  private let catalog: TemporaryCatalog

  /// Three photos of Lisbon, and one each of Oslo, Athens, and an unknown place.
  init() throws {
    let places = [(38.7139, -9.1394), (38.7, -9.14), (38.72, -9.15), (59.9075, 10.753), (37.9755, 23.7348)]
    let photos = places.enumerated().map { number, place in
      #"{"id": \#(number), "name": "Photo \#(number)", "created_at": "2026-01-0\#(number + 1)T00:00:00Z", "#
        + #""image_url": "\#(number).jpg", "latitude": \#(place.0), "longitude": \#(place.1)}"#
    }
    let other = #"{"id": 9, "name": "Elsewhere", "created_at": "2026-02-01T00:00:00Z", "image_url": "9.jpg"}"#
    catalog = try TemporaryCatalog("[\((photos + [other]).joined(separator: ","))]")
  }

  private func open(columns: Int, rows: Int, changes: [String: String?] = [:], options: [String] = []) async throws
    -> TerminalSession
  {
    let session = try Program.start(
      Program.path, options + [catalog.path], size: Size(columns: columns, rows: rows), changes: changes)
    try await session.waitForText("1/6")
    session.type("gm")
    return session
  }

  @Test(arguments: [(80, 24), (120, 36), (40, 12)])
  func theMapShowsThePhotosOfTheList(columns: Int, rows: Int) async throws {
    let session = try await open(columns: columns, rows: rows)
    defer { session.close() }
    try await session.waitForTexts("◎3", "km wide")
    try await session.waitForSnapshot("map-\(columns)x\(rows)")
  }

  /// A locale without Unicode has no Braille.
  @Test func theMapIsDrawnInASCII() async throws {
    let session = try await open(columns: 80, rows: 24, changes: ["LANG": "C", "LC_ALL": "C"])
    defer { session.close() }
    try await session.waitForText("5 photos")
    try await session.waitForSnapshot("map-ascii")
  }

  /// A screen reader gets the numbers and the names, and no lines.
  @Test func aPlainMapHasNoLines() async throws {
    let session = try await open(columns: 80, rows: 24, options: ["--plain"])
    defer { session.close() }
    try await session.waitForText("5 photos")
    session.press(.tab)
    try await session.waitForText("1 photo near Oslo, Norway")
    try await session.waitForSnapshot("map-plain")
  }

  @Test func keysMoveAndZoom() async throws {
    let session = try await open(columns: 80, rows: 24)
    defer { session.close() }
    let all = try await session.waitForTexts(" 5 photos ·", "km wide", "Madrid")
    session.type("+++")
    try await session.waitForTexts("0 of 5 photos", "Vienna")
    session.press(.enter)
    try await session.waitForText("No photo is in this part of the map.")
    // To the west, where Lisbon is, and back.
    session.type("--hhj")
    try await session.waitForText("3 of 5 photos")
    session.type("a")
    try await session.wait(for: "all photos") { $0.lines.prefix(22) == all.lines.prefix(22) }
    session.press(.escape)
    try await session.waitForText("1/6")
  }

  @Test func aChosenDotBecomesASearch() async throws {
    let session = try await open(columns: 160, rows: 36)
    defer { session.close() }
    try await session.waitForText("◎3")
    session.press(.tab)
    try await session.waitForText("1 photo near Oslo, Norway")
    session.press(.tab)
    try await session.waitForText("3 photos near Lisbon, Portugal")
    session.press(.enter)
    try await session.waitForTexts("latitude:38.7..38.7201", "longitude:-9.1", "3 of 6 photos")
    // The map of the found photos, and what is added to the search.
    session.type("gm")
    try await session.waitForText(" 3 photos ·")
    session.press(.enter)
    try await session.waitForTexts("3 of 6 photos", "Photo 0")
  }

  @Test func aSecondClickOnADotListsItsPhotos() async throws {
    let session = try await open(columns: 80, rows: 24)
    defer { session.close() }
    let screen = try await session.waitForText("◎3")
    let dot = try #require(screen.position(of: "◎3"))
    session.click(column: dot.column, row: dot.row)
    try await session.waitForText("3 photos near Lisbon, Portugal")
    session.scroll(.up, column: dot.column, row: dot.row)
    try await session.waitForText("◎3")
    session.scroll(.down, column: dot.column, row: dot.row)
    try await session.wait(for: "the first frame") { $0.position(of: "◎3").map { $0 == dot } ?? false }
    session.click(column: dot.column, row: dot.row)
    try await session.waitForText("3 photos near Lisbon, Portugal")
    session.click(column: dot.column, row: dot.row)
    try await session.waitForText("3 of 6 photos")
  }

  @Test func photosAreFoundByTheNearestCity() async throws {
    let session = try Program.start(catalog.path, columns: 120, rows: 24)
    defer { session.close() }
    try await session.waitForText("1/6")
    session.type("/city:lisbon\r")
    try await session.waitForTexts("3 of 6 photos", "Location  near Lisbon, Portugal")
    session.press(.escape)
    try await session.waitForText("1/6")
    session.type("/country:no\r")
    try await session.waitForTexts("1 of 6 photos", "Location  near Oslo, Norway")
  }

  @Test func aListWithoutPositionsHasNoMap() async throws {
    let session = try Program.start(catalog.path, columns: 80, rows: 24)
    defer { session.close() }
    try await session.waitForText("1/6")
    session.type("/elsewhere\r")
    try await session.waitForText("1 of 6 photos")
    session.type("gm")
    try await session.wait(for: "the reason") {
      $0.contains("No listed photo has a position.") && $0.contains("Elsewhere")
    }
  }

  /// Without the bundled files, the gallery opens, and says once what is missing.
  @Test func damagedFilesOfPlacesAreReportedOnce() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundle = "tintype_Resources.resources"
    try FileManager.default.createDirectory(
      at: folder.appending(path: "\(bundle)/places"), withIntermediateDirectories: true)
    let program = folder.appending(path: "tintype").path
    try FileManager.default.linkItem(
      atPath: URL(filePath: Program.path).resolvingSymlinksInPath().path, toPath: program)
    let resources = URL(filePath: Program.path).deletingLastPathComponent().appending(path: bundle)
    for name in try FileManager.default.contentsOfDirectory(atPath: resources.path) where name != "places" {
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "\(bundle)/\(name)"), withDestinationURL: resources.appending(path: name))
    }
    try Data("TTCITY1\n?".utf8).write(to: folder.appending(path: "\(bundle)/places/cities.bin"))
    let session = try Program.start(program, [catalog.path], size: Size(columns: 160, rows: 24), changes: [:])
    defer { session.close() }
    try await session.waitForTexts("1/6", "cities.bin is damaged.")
    session.type("gm")
    try await session.waitForTexts("5 photos", "Can't read", "lines.bin")
    session.press(.tab)
    try await session.wait(for: "a dot without a city") { $0.contains("1 photo · ") && !$0.contains("lines.bin") }
  }
}
