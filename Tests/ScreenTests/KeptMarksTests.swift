import Foundation
import Harness
import TestLimit
import Testing

/// Marks in the next session.
@Suite(.fewAtOnce, .limited) struct KeptMarksTests {
  @Test func marksAreThereAfterTheNextStart() async throws {
    let home = try Home()
    let first = try home.enter("photos")
    defer { first.close() }
    try await first.waitForText("36 photos")
    first.type("j  ")
    try await first.waitForText("2 marked")
    // The marks are stored on quitting, before the pause is over.
    first.type("q")
    #expect(try await first.waitForExit() == .exited(0))

    let second = try home.enter("photos")
    defer { second.close() }
    try await second.waitForText("2 marked")
    second.type("/is:marked\r")
    try await second.waitForText("2 of 36")
    second.type(" ")
    try await second.waitForTexts("1 marked", "2 of 36")
    second.type("\u{1B}")
    try await second.wait(for: "all photos") { !$0.contains("is:marked") }
    second.type("q")
    #expect(try await second.waitForExit() == .exited(0))

    let third = try home.enter("photos")
    defer { third.close() }
    try await third.waitForText("1 marked")
  }

  /// Only what is marked now is printed.
  @Test func printingBeginsWithoutMarksAndKeepsNone() async throws {
    let home = try Home()
    let first = try home.enter("photos")
    defer { first.close() }
    try await first.waitForText("36 photos")
    first.type(" q")
    #expect(try await first.waitForExit() == .exited(0))

    let printing = try home.enter("photos", options: ["--print"])
    defer { printing.close() }
    try await printing.waitForText("36 photos")
    printing.type("jj ")
    try await printing.waitForText("1 marked")
    printing.type(" ")
    try await printing.waitForText("2 marked")
    printing.type("q")
    #expect(try await printing.waitForExit() == .exited(0))

    let last = try home.enter("photos")
    defer { last.close() }
    try await last.waitForText("1 marked")
  }

  /// The photos of the folder alone are another source than the folder with its subfolders.
  @Test func marksInSubfoldersStayWhenAPhotoIsOpened() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: folder.appending(path: "sub"), withIntermediateDirectories: true)
    for name in ["a.jpg", "sub/b.jpg", "sub/c.jpg"] {
      try FileManager.default.copyItem(atPath: Program.photo("coffee.jpg"), toPath: folder.appending(path: name).path)
    }
    let home = try Home()
    let first = try home.enter("photos", options: [folder.path])
    defer { first.close() }
    try await first.waitForTexts("3 photos", "c.jpg")
    first.type("j  ")
    try await first.waitForText("2 marked")
    first.type("q")
    #expect(try await first.waitForExit() == .exited(0))

    let second = try home.enter("photos", options: [folder.appending(path: "a.jpg").path])
    defer { second.close() }
    try await second.waitForTexts("a.jpg", "1/1")
    second.type(" q")
    try await second.waitForText("1 marked")
    second.type("q")
    #expect(try await second.waitForExit() == .exited(0))

    let last = try home.enter("photos", options: [folder.path])
    defer { last.close() }
    try await last.waitForTexts("3 photos", "2 marked")
  }
}
