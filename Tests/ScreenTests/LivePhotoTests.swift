import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// Photos with a movie, in characters. The movies are black for two tenths of a second, and then red, green, and blue up to 3, 6, and
/// 9 s.
@Suite(.limited, .fewAtOnce) struct LivePhotoTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { folder.appending(path: "photos") }

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
  }

  private func copy(_ name: String, as other: String) throws {
    try FileManager.default.copyItem(atPath: TestPhotos.path(name), toPath: photos.appending(path: other).path)
  }

  private func start() throws -> TerminalSession {
    try Program.start(
      "--pictures", "symbols", photos.path, columns: 100, rows: 30,
      changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
  }

  private static func isGreen(_ screen: Screen) -> Bool {
    guard case .rgb(let red, let green, let blue) = screen.cells[14][50].style.background else { return false }
    return green > 100 && red < 60 && blue < 60
  }

  /// The movie takes the place of the photo, and Escape shows the photo again.
  private func expectMovie(_ session: TerminalSession, sign: String) async throws {
    try await session.waitForTexts("1/1", sign)
    session.type("v")
    try await session.waitForText("p Play")
    session.type("p")
    try await session.waitForText("Videos have no sound here. o plays them")
    try await session.wait(for: "green") { Self.isGreen($0) && $0.contains("/ 0:09") }
    // Its first frames are smaller than the window.
    session.type(" ")
    try await session.waitForText("‖")
    #expect(session.screen.cells[2][50].style.background == session.screen.cells[20][50].style.background)
    session.press(.escape)
    try await session.wait(for: "the photo again") {
      !Self.isGreen($0) && $0.cells[14][50].style.background != .default && $0.contains("p Play") && !$0.contains("‖")
    }
  }

  @Test func theVideoBesideAPhotoPlays() async throws {
    try copy("chelsea.jpg", as: "IMG_1.JPG")
    try copy("film.mp4", as: "IMG_1.MOV")
    let session = try start()
    defer { session.close() }
    try await expectMovie(session, sign: "▶ Live")
  }

  @Test func theMovieInsideOfAPhotoPlays() async throws {
    var photo = try Data(contentsOf: URL(filePath: TestPhotos.path("chelsea.jpg")))
    let movie = try Data(contentsOf: URL(filePath: TestPhotos.path("film.mp4")))
    let packet = Data(
      "http://ns.adobe.com/xap/1.0/\0<rdf:Description GCamera:MicroVideoOffset=\"\(movie.count)\"/>".utf8)
    photo.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(packet.count + 2)] + packet, at: 2)
    try (photo + movie).write(to: photos.appending(path: "PXL.MP.jpg"))
    let session = try start()
    defer { session.close() }
    try await expectMovie(session, sign: "▶ 0:09")
    session.type("q/is:live\r")
    try await session.waitForText("1 of 1")
  }
}
