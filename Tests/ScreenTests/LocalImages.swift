import Foundation
import Harness
import TestPhotos
import Testing

/// The sharp images of photos in the viewer of a local terminal. Each is made once.
actor LocalImages {
  static let shared = LocalImages()

  private struct Key: Hashable {
    var names: [String]
    var kind: GraphicsTerminal.Kind
    var size: Size
  }

  private var tasks: [Key: Task<[Picture], any Error>] = [:]

  /// Returns the images of photos of the tests on a terminal of a size.
  func pictures(of names: [String], _ kind: GraphicsTerminal.Kind, _ size: Size) async throws -> [Picture] {
    let key = Key(names: names, kind: kind, size: size)
    let task = tasks[key] ?? Task { try await Self.make(key) }
    tasks[key] = task
    return try await task.value
  }

  private static func make(_ key: Key) async throws -> [Picture] {
    var pictures: [Picture] = []
    for name in key.names {
      // The photo is alone in a folder, so that nothing else is shown or prepared.
      let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let photo = folder.appending(path: "\(name).jpg").path
      try FileManager.default.createSymbolicLink(atPath: photo, withDestinationPath: TestPhotos.path("\(name).jpg"))
      // The first rendition is the sharp one, since the photo has no preview, and no thumbnail of it can be kept.
      let session = try TerminalSession(
        Program.path, ["--delay", "0", photo], size: key.size,
        environment: Program.environment.merging(["XDG_CACHE_HOME": "/proc/none"]) { $1 }, pixelsPerCell: (10, 20),
        graphics: key.kind)
      defer { session.close() }
      let (graphics, screen) = try await session.waitForGraphics("the image of \(name)") { graphics, screen in
        // A frame is shown when its synchronized update ends.
        screen.contains("1/1") && !screen.isModeSet(2026) && Picture(key.kind, graphics, screen) != nil
      }
      pictures.append(try #require(Picture(key.kind, graphics, screen)))
    }
    return pictures
  }
}
