import Foundation
import Harness
import TestLimit
import Testing

/// Where the layers draw images of different shapes, in characters.
@Suite(.fewAtOnce, .limited) final class ImageSnapshotTests {
  private let home = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { home.appending(path: "photos/shapes") }

  /// Writes images whose corners are white, in plain colors.
  init() throws {
    Leftovers.removeAtEnd(home)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    try write("square.ppm", [0, 255, 0], 240, 240)
    try write("tall.ppm", [0, 0, 255], 60, 480)
    try write("wide.ppm", [255, 0, 0], 480, 60)
  }

  private func write(_ name: String, _ color: [UInt8], _ width: Int, _ height: Int) throws {
    var pixels = Array(repeating: color, count: width * height)
    let corner = min(width, height) / 3
    for y in 0..<corner { for x in 0..<corner { pixels[y * width + x] = [255, 255, 255] } }
    let file = photos.appending(path: name)
    try (Data("P6\n\(width) \(height)\n255\n".utf8) + Data(pixels.joined())).write(to: file)
    // The list shows the day.
    let noon = Date(timeIntervalSince1970: 1_767_268_800)
    try FileManager.default.setAttributes([.modificationDate: noon], ofItemAtPath: file.path)
  }

  static let layers = [
    ("list", ""), ("large-rows", "t"), ("sheet", "c"), ("whole", "cz"),
    ("justified", "cJ"), ("viewer", "v"), ("tall", "vn"), ("zoomed", "vz"),
    ("filled", "vZ"), ("larger", "v++"),
    ("moved", "vnnZ\u{1B}[C"), ("compared", "*C"),
  ]

  @Test(arguments: layers, [ScreenSize.common, .small])
  func imagesAreInTheirPlaces(layer: (name: String, keys: String), size: ScreenSize) async throws {
    let session = try TerminalSession(
      Program.path, [photos.path, "--pictures", "symbols", "--glyphs", "blocks"],
      size: Size(columns: size.columns, rows: size.rows),
      environment: Program.environment.merging(Program.changes(home: home).compactMapValues(\.self)) { $1 })
    defer { session.close() }
    try await session.wait(for: "the photos") { $0.contains("1/3") && $0.contains("file") }
    session.type(layer.keys)
    try await session.waitForSnapshot("images-\(layer.name)-\(size.rawValue)")
  }
}
