import Foundation
import Gallery
import ImageWire
import TestPhotos
import Testing

@testable import Images

/// Photos that are stored rotated or mirrored. Those that the tests write show a patchwork in which no two patches are alike.
extension ImageLoaderTests {
  /// The colors of six by four patches, of 80x80 pixels each.
  private static let patches: [[BlockJPEG.Color]] = (0..<4).map { row in
    (0..<6).map { column in (red: 40 + column * 40, green: 40 + row * 60, blue: column == 0 ? 200 : 60) }
  }

  private static let upright: [[BlockJPEG.Color]] = patches.flatMap { row in
    Array(repeating: row.flatMap { Array(repeating: $0, count: 10) }, count: 10)
  }

  /// Calls `body` with the path of a file that stores the patchwork for an orientation.
  private func withFile(orientation: Int?, _ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).jpg").path
    defer { unlink(path) }
    let image = BlockJPEG(Self.upright, storedFor: orientation ?? 1)
    try Data(image.bytes(orientation: orientation)).write(to: URL(filePath: path))
    try await body(path)
  }

  @Test(arguments: [nil, 1, 2, 3, 4, 5, 6, 7, 8] as [Int?])
  func photosOfAllOrientationsAreUpright(orientation: Int?) async throws {
    try await withFile(orientation: orientation) { path in
      // A patch has four columns and two rows.
      let image = try await cells(path, columns: 24, rows: 20)
      #expect((image.columns, image.rows) == (24, 8))
      for (row, colors) in Self.patches.enumerated() {
        for (column, wanted) in colors.enumerated() {
          let color = image.cells[(2 * row) * 24 + 4 * column + 1].color
          let difference = max(
            abs(color.red - wanted.red), abs(color.green - wanted.green), abs(color.blue - wanted.blue))
          #expect(difference < 16, "patch \(column), \(row): \(color), not \(wanted)")
        }
      }
    }
  }

  @Test(arguments: 1...8) func aZoomedPartIsTheSameForAllOrientations(orientation: Int) async throws {
    func part(_ path: String) async throws -> CellImage {
      let specification = RenditionSpecification(
        .file("\(path)"), columns: 20, rows: 8,
        as: ImagePresentation(view: .zoomed(scale: 32_768, centerX: 16_384, centerY: 40_000)), on: Self.screen)
      guard case .cells(let image) = await Self.rendition(of: specification, with: loader) else {
        throw Unexpected(rendition: "\(orientation)")
      }
      return image
    }
    try await withFile(orientation: nil) { path in
      let wanted = try await part(path)
      try await withFile(orientation: orientation) { path in
        let image = try await part(path)
        #expect((image.columns, image.rows) == (wanted.columns, wanted.rows))
        let difference = zip(image.cells, wanted.cells).reduce(0) { $0 + $1.0.difference(from: $1.1) }
        #expect(difference / image.cells.count < 12)
      }
    }
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: TestPhotos.corpora), "SKIPPED: no test corpora; set TINTYPE_CORPORA"))
  func allOrientationsComeOutUpright() async throws {
    for name in ["Landscape", "Portrait"] {
      let wanted = try await cells("\(TestPhotos.corpora)/orientation/\(name)_1.jpg", columns: 30, rows: 20)
      for orientation in 0...8 {
        let image = try await cells(
          "\(TestPhotos.corpora)/orientation/\(name)_\(orientation).jpg", columns: 30, rows: 20)
        #expect((image.columns, image.rows) == (wanted.columns, wanted.rows), "\(name)_\(orientation)")
        let error = zip(image.cells, wanted.cells).reduce(0) { $0 + $1.0.difference(from: $1.1) }
        #expect(error / wanted.cells.count < 24, "\(name)_\(orientation) differs by \(error / wanted.cells.count)")
      }
    }
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: TestPhotos.corpora), "SKIPPED: no test corpora; set TINTYPE_CORPORA"))
  func aZoomedPartIsTheSameInEveryOrientation() async throws {
    var screen = Self.screen
    screen.format = .symbols(.truecolor, .blocks)
    for kind in ["Landscape", "Portrait"] {
      var first: CellImage?
      for orientation in 1...8 {
        let specification = RenditionSpecification(
          .file("\(TestPhotos.corpora)/orientation/\(kind)_\(orientation).jpg"), columns: 20, rows: 8,
          as: ImagePresentation(view: .zoomed(scale: 32_768, centerX: 16_384, centerY: 40_000)), on: screen)
        guard case .cells(let image) = await Self.rendition(of: specification, with: loader) else {
          throw Unexpected(rendition: "\(kind) \(orientation)")
        }
        let wanted = first ?? image
        first = wanted
        #expect((image.columns, image.rows) == (wanted.columns, wanted.rows))
        let difference = zip(image.cells, wanted.cells).reduce(0) { $0 + $1.0.difference(from: $1.1) }
        #expect(difference / image.cells.count < 12, "\(kind) \(orientation)")
      }
    }
  }
}
