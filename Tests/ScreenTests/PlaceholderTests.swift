import TestLimit
import Testing

@testable import Harness
@testable import Terminal

/// The cells behind which kitty shows an image: each one has its part of the image, also beside a popup.
@Suite(.fewAtOnce, .limited) struct PlaceholderTests {
  @Test func partsKeepTheirPlacesBesideAPopup() async throws {
    let session = try TerminalSession(
      Program.path, ["--delay", "0", "--pictures", "kitty"], size: Size(columns: 120, rows: 36),
      environment: Program.environment, graphics: .kitty)
    defer { session.close() }
    let before = try await session.wait(for: "the images") { Self.places(on: $0).count > 8 }
    let places = Self.places(on: before)
    session.type("?")
    let covered = try await session.wait(for: "a popup over the images") {
      $0.contains("Commands") && Self.cellCount(of: $0) < Self.cellCount(of: before)
    }
    // Where the popup hides all of an image, the others are as before.
    #expect(Self.places(on: covered).isSubset(of: places))
    session.type("\u{1B}")
    let after = try await session.wait(for: "the images again") { Self.cellCount(of: $0) == Self.cellCount(of: before) }
    #expect(Self.places(on: after) == places)
  }

  /// The cell in which the first part of an image is, or would be. Its id is left out: a preview becomes another image there.
  private struct Place: Hashable {
    let column: Int
    let row: Int
  }

  /// Returns the places of the images of a screen. An image with a part at a wrong place has two.
  private static func places(on screen: Screen) -> Set<Place> {
    var places: Set<Place> = []
    for (row, cells) in screen.cells.enumerated() {
      var left: (place: Place, color: Harness.Color)?
      for (column, cell) in cells.enumerated() {
        let scalars = Array(cell.text.unicodeScalars)
        guard scalars.first == Picture.placeholder else {
          left = nil
          continue
        }
        let marks = scalars.dropFirst().compactMap { Placeholder.marks.firstIndex(of: $0) }
        if marks.count == 2 {
          left = (Place(column: column - marks[1], row: row - marks[0]), cell.foreground)
        } else if left?.color != cell.foreground {
          left = (Place(column: -1, row: -1), cell.foreground)
        }
        if let left { places.insert(left.place) }
      }
    }
    return places
  }

  private static func cellCount(of screen: Screen) -> Int {
    screen.cells.joined().count { $0.text.unicodeScalars.first == Picture.placeholder }
  }
}
