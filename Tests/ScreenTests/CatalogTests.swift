import Foundation
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct CatalogTests {
  @Test(
    arguments: [
      ("{\"photos\": [\n  {\"id\": 1,, }]}", "line 2, column 12"),
      ("{\"photos\": [{\"id\": \"one\"}]}", "(photo 1): id is not an integer"),
      (
        "{\"photos\": [{\"id\": 1, \"name\": \"a\", \"created_at\": \"yesterday\"}]}",
        "(photo 1): created_at must be an ISO 8601 date"
      ),
      ("{\"id\": 1, \"name\": \"a\", \"created_at\": \"yesterday\"}", "(photo 1): created_at must be an ISO 8601 date"),
      ("<!DOCTYPE html>", "line 1, column 1: this is a web page"),
      ("{}", "photos is missing"),
      ("", "line 1, column 1"),
    ] as [(String, String)])
  func aFaultIsReportedWithItsPlace(json: String, place: String) async throws {
    let catalog = try TemporaryCatalog(json)
    let session = try Program.start(catalog.path, columns: 120, rows: 36)
    defer { session.close() }
    let words = place.split(separator: " ").map(String.init)
    try await session.wait(for: "an alert naming \(place)") { screen in
      screen.contains(" Can't load photos ") && screen.contains("photos.json") && words.allSatisfy(screen.contains)
    }
    session.type("\r")
    try await session.waitForText("Press r to try again.")
    try catalog.write("{\"photos\": []}")
    session.type("r")
    try await session.waitForText("No photos in this catalog.")
  }

  @Test func aRemovedFileIsReported() async throws {
    let catalog = try TemporaryCatalog.named(["One"])
    let session = try Program.start(catalog.path)
    defer { session.close() }
    try await session.waitForText("1/1")
    try FileManager.default.removeItem(atPath: catalog.path)
    session.type("r")
    try await session.waitForTexts(" Can't load photos ", "There is no file at")
  }

  @Test func aFailedReloadKeepsTheRows() async throws {
    let catalog = try TemporaryCatalog.named(["One", "Two"])
    let session = try Program.start(catalog.path)
    defer { session.close() }
    try await session.waitForTexts("1/2", "Two")
    try catalog.write("[")
    session.type("r")
    try await session.waitForText(" Can't load photos ")
    session.type("\r")
    try await session.wait(for: "the rows still there") { !$0.contains(" Can't load photos ") && $0.contains("Two") }
  }

  @Test func aPhotoWithoutPriceTagHasNoBadge() async throws {
    let catalog = try TemporaryCatalog(
      """
      {"photos": [{"id": 1, "name": "Plain", "created_at": "2017-11-06T23:48:50-05:00", "image_url": "a.jpg"}]}
      """)
    let session = try Program.start(catalog.path, changes: ["TZ": "EST5"])
    defer { session.close() }
    let screen = try await session.waitForTexts("Plain", "2017-11-06")
    #expect(!screen.contains("sale"))
    session.type("\r")
    try await session.wait(for: "the viewer") { $0.contains("Esc Back") }
  }

  @Test func controlCharactersDoNotReachTheTerminal() async throws {
    let catalog = try TemporaryCatalog.named(["A\u{1B}[31mB\u{07}\u{9B}1mC\u{202E}D"])
    let session = try Program.start(catalog.path)
    defer { session.close() }
    try await session.waitForText("A�[31mB��1mC�D")
  }
}
