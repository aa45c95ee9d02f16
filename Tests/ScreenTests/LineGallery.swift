import Foundation
import Harness
import TestPhotos
import Testing

/// The gallery with a few photos at the far end of a slow line, and the sharp images that a local terminal gets of them.
final class LineGallery: Sendable {
  private static let names = ["chelsea", "coffee", "dahlia", "rocket"]

  let session: TerminalSession
  private let kind: GraphicsTerminal.Kind
  private let folder: URL
  /// The sharp images, in the order of the photos.
  private let sharp: [Picture]

  /// - Parameter size: The size of the terminal; nil for one that is just large enough that thumbnails are not sharp in it.
  init(
    _ kind: GraphicsTerminal.Kind, line: Line, isInTmux: Bool = false, size: Size? = nil
  ) async throws {
    self.kind = kind
    let size = size ?? (kind == .symbols ? Size(columns: 80, rows: 24) : Size(columns: 44, rows: 13))
    folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    let photos = folder.appending(path: "photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in Self.names {
      try FileManager.default.copyItem(
        atPath: TestPhotos.path("\(name).jpg"), toPath: photos.appending(path: "\(name).jpg").path)
    }
    sharp = try await LocalImages.shared.pictures(of: Self.names, kind, size)
    var environment = Program.environment
    environment["SSH_CONNECTION"] = "192.0.2.1 1 192.0.2.2 22"
    environment["XDG_CACHE_HOME"] = folder.appending(path: "cache").path
    var command = [Program.path, "--delay", "0", photos.path]
    if isInTmux { command = try Tmux.command(in: folder) + ["new-session"] + command }
    session = try TerminalSession(
      command[0], Array(command.dropFirst()), size: size, environment: environment,
      pixelsPerCell: (10, 20), graphics: kind, line: line)
  }

  deinit { session.close() }

  // MARK: What the terminal shows

  func enterViewer() async throws {
    try await session.waitForTexts("1/4")
    session.type("v")
    _ = try await waitForCaption(of: 0)
  }

  func waitForSharpPhoto(_ index: Int) async throws {
    do {
      try await session.waitForGraphics("the sharp image of photo \(index)", timeout: Self.patience) { [self] in
        Picture(kind, $0, $1) == sharp[index]
      }
    } catch {
      if let graphics = session.graphics {
        let images = graphics.images.suffix(6).map { "\($0.id): \($0.byteCount) bytes, \($0.pixels?.width ?? 0) wide" }
        let picture = Picture(kind, graphics, session.screen)
        Issue.record("\(images), \(graphics.cutCount) cut, \(picture.map { $0.distance(to: sharp[index]) } ?? -1) off")
      }
      throw error
    }
  }

  /// A coarse line takes minutes for a few images.
  private static let patience = Duration.seconds(240)

  /// Waits until the terminal shows an image that resembles a photo more than the others.
  func waitForRecognizablePhoto(_ index: Int) async throws {
    try await session.waitForGraphics("an image of photo \(index)", timeout: Self.patience) { [self] in
      Picture(kind, $0, $1).map { mostAlike($0) == index } ?? false
    }
  }

  /// Waits until a part of an image has arrived, but not all of it. On a fast line there may be no such moment.
  func waitUntilImageArrives(orPhotoIsSharp index: Int) async throws {
    try await session.waitForGraphics("a part of an image", timeout: Self.patience) { [self] in
      $0.arrivingByteCount > 0 || Picture(kind, $0, $1) == sharp[index]
    }
  }

  /// Waits for a photo's caption, and returns the number of images that had arrived before it.
  func waitForCaption(of index: Int) async throws -> Int {
    let name = Self.names[index]
    return try await session.waitForGraphics("the caption of \(name)", timeout: Self.patience) { _, screen in
      screen.lines.contains { $0.contains(name) && $0.contains("\(index + 1)/4") } && screen.contains("Esc Back")
    }.0.images.count
  }

  /// Returns whether an image shows a photo rather than one of the others.
  func resembles(_ image: SentImage, _ index: Int) -> Bool {
    image.pixels.map { mostAlike(Picture($0)) == index } ?? false
  }

  /// Waits until the screen has nothing but the image and the texts of the viewer.
  func expectCleanScreen() async throws {
    try await session.waitForGraphics("a screen with nothing but the image") { [self] _, screen in
      !screen.contains("○") && screen.lines.last?.contains("Esc Back") == true
        && screen.cells.dropLast(2).joined().allSatisfy { isImage($0) || $0.text == " " }
    }
    #expect(faults == [])
  }

  /// The sequences that a terminal would not understand.
  var faults: [String] { session.graphics?.faults ?? [] }

  private func isImage(_ cell: Cell) -> Bool {
    kind == .symbols || cell.text.unicodeScalars.first == Picture.placeholder
  }

  private func mostAlike(_ picture: Picture) -> Int? {
    sharp.indices.min { picture.distance(to: sharp[$0]) < picture.distance(to: sharp[$1]) }
  }
}
