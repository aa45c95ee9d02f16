import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing
import Torture

/// Photos that use up what a worker may have: the user reads why they can't be shown, and the next photo is.
@Suite(.fewAtOnce, .limited) struct UsedUpLimitsTests {
  /// An interlaced PNG of 20,000 by 20,000 pixels of 8 bytes, which are decoded at once. Nearly all of them are missing.
  private static let memory = Data(
    base64Encoded: """
      iVBORw0KGgoAAAANSUhEUgAATiAAAE4gEAYAAAHE56rsAAAAeElEQVR4nO3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA4avAAHErhCqAAAAAElFTkSuQmCC
      """)

  /// A drawing that takes a minute, although it is within all limits of librsvg.
  private static let time = Data(
    """
    <svg xmlns='http://www.w3.org/2000/svg' width='800' height='600'><defs><filter id='f' x='-9' y='-9' width='20' \
    height='20'>\(String(
      repeating: "<feGaussianBlur stdDeviation='90'/><feMorphology operator='dilate' radius='60'/>", count: 40))\
    </filter></defs>\(String(repeating: "<rect width='800' height='600' filter='url(#f)'/>", count: 100))</svg>
    """.utf8)

  /// The time takes ten seconds of a processor for the list and for the details.
  @Test(arguments: Torture.isLong ? ["memory.png", "time.svg"] : ["memory.png"])
  func aPhotoThatUsesUpALimitSaysSoTorture(name: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    let photos = folder.appending(path: "photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    try #require(name == "memory.png" ? Self.memory : Self.time).write(to: photos.appending(path: name))
    try FileManager.default.copyItem(
      atPath: TestPhotos.path("chelsea.jpg"), toPath: photos.appending(path: "z.jpg").path)
    let session = try Program.start(
      "--pictures", "symbols", photos.path, columns: 100, rows: 30, changes: Program.changes(home: folder))
    defer { session.close() }
    let texts = name == "memory.png" ? ["needs more memory"] : ["Timed out"]
    try await session.wait(for: "the reason", timeout: .seconds(300)) { screen in
      screen.contains("1/2") && texts.allSatisfy { screen.contains($0) }
    }
    session.type("j")
    try await session.wait(for: "the other photo") { screen in
      screen.contains("2/2") && screen.contains("Pixels    451×300") && !texts.contains { screen.contains($0) }
    }
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }
}
