import Testing

@testable import Terminal

/// The cells behind which kitty shows an image: each one has its part of the image, also beside a popup.
@Suite(.fewAtOnce) struct PlaceholderTests {
  @Test func partsKeepTheirPlacesBesideAPopup() async throws {
    let session = try TerminalSession(
      Program.path, ["--delay", "0", "--pictures", "kitty"], size: Size(columns: 120, rows: 36),
      environment: Program.environment, graphics: .kitty)
    defer { session.close() }
    let before = try await session.wait(for: "the images") { Self.images(on: $0).count > 10 }
    let images = Self.images(on: before)
    session.type("?")
    let covered = try await session.wait(for: "a popup over the images") {
      $0.contains("Keys") && Self.cellCount(of: $0) < Self.cellCount(of: before)
    }
    // Where the popup hides all of an image, the others are as before.
    #expect(Self.images(on: covered).isSubset(of: images))
    session.type("q")
    try await session.wait(for: "the images again") { Self.cellCount(of: $0) == Self.cellCount(of: before) }
    #expect(Self.images(on: session.screen) == images)
  }

  /// An image by its id and the cell in which its first part is, or would be.
  private struct Image: Hashable {
    let color: Color
    let column: Int
    let row: Int
  }

  /// Returns the images of a screen. An image with a part at a wrong place is returned twice.
  private static func images(on screen: Screen) -> Set<Image> {
    var images: Set<Image> = []
    for (row, cells) in screen.cells.enumerated() {
      var left: (image: Image, column: Int)?
      for (column, cell) in cells.enumerated() {
        let scalars = Array(cell.text.unicodeScalars)
        guard scalars.first == Picture.placeholder else {
          left = nil
          continue
        }
        let marks = scalars.dropFirst().compactMap { Placeholder.marks.firstIndex(of: $0) }
        if marks.count == 2 {
          left = (Image(color: cell.foreground, column: column - marks[1], row: row - marks[0]), column)
        } else if left?.image.color != cell.foreground {
          left = (Image(color: cell.foreground, column: -1, row: -1), column)
        }
        if let left { images.insert(left.image) }
      }
    }
    return images
  }

  private static func cellCount(of screen: Screen) -> Int {
    screen.cells.joined().count { $0.text.unicodeScalars.first == Picture.placeholder }
  }
}
