import Foundation
import ImageWire

@testable import Screens
@testable import Terminal

/// Cells in memory in place of a terminal's.
@MainActor
private final class StubCanvas: Canvas {
  let size: Size
  private(set) var cells: [[String]]
  /// The foreground and the background of each character of an image.
  private(set) var imageColors: [[Int32]] = []
  private(set) var cursor: [Int]?

  init(size: Size) {
    self.size = size
    cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
  }

  func put(_ cluster: Cluster, column: Int, row: Int, style _: Style) {
    cells[row][column] = String(String.UnicodeScalarView(cluster.scalars))
    // The second half of a wide character has no text of its own.
    if cluster.width == 2 { cells[row][column + 1] = "" }
  }

  func put(_ scalar: Unicode.Scalar, column: Int, row: Int, foreground: Int32, background: Int32) {
    cells[row][column] = String(scalar)
    imageColors.append([foreground, background])
  }

  func placeCursor(column: Int, row: Int) { cursor = [column, row] }
  func link(_: String, column _: Int, row _: Int, columns _: Int) {}
  func put(_: Graphic, column _: Int, row _: Int, style _: Style) {}
  func postpone(_: Rect) -> Bool { false }
  func spread(_: Rect) {}
  func hasArrived(_: Graphic) -> Bool { false }
  func prepare(_: Graphic, isLineFree: Bool) {}
}

/// The texts that were drawn on a screen.
struct Drawing {
  /// The rows without the blanks at their ends.
  let lines: [String]
  /// The foreground and the background of each character of an image, as ncurses knows them.
  let imageColors: [[Int32]]
  /// The column and the row of the cursor; nil if it has not been placed.
  let cursor: [Int]?

  /// Returns whether a row contains a text, spelled as this machine's terminal can show it.
  @MainActor func contains(_ text: String) -> Bool { line(with: text) != nil }

  /// Returns the index of the first row that contains a text.
  @MainActor func line(with text: String) -> Int? {
    let text = CellText(text).string
    return lines.firstIndex { $0.contains(text) }
  }

  /// The rows inside a box, without the blanks at their ends. Blank rows are left out.
  @MainActor var boxLines: [String] {
    let border = CellText("│").string
    return lines.compactMap { line in
      guard let start = line.range(of: border), let end = line.range(of: border, options: .backwards) else {
        return nil
      }
      let inside = line[start.upperBound...].prefix(upTo: max(start.upperBound, end.lowerBound))
      return inside.allSatisfy(\.isWhitespace) ? nil : inside.trimmingCharacters(in: .whitespaces)
    }
  }

  /// Draws on a screen of a size.
  @MainActor init(columns: Int = 100, rows: Int = 30, depth: ColorDepth = .truecolor, _ draw: (Surface) -> Void) {
    let canvas = StubCanvas(size: Size(columns: columns, rows: rows))
    draw(Surface(canvas, theme: Theme(brightness: .dark, depth: depth)))
    imageColors = canvas.imageColors
    cursor = canvas.cursor
    lines = canvas.cells.map { cells in
      let end = cells.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
      return cells[..<end].joined()
    }
  }
}

extension Layer {
  /// Draws the layer on a screen of its own, on which a list has no room for a detail next to it.
  func drawing(columns: Int = 70, rows: Int = 30) -> Drawing { Drawing(columns: columns, rows: rows, draw) }

  /// Returns whether the layer has a possible action for a command.
  func offers(_ command: Command) -> Bool { action(command)?.isPossible ?? false }

  /// Returns whether the layer has an action for a command, possible or not.
  func knows(_ command: Command) -> Bool { action(command) != nil }

  /// Returns the reason why the layer refuses a command.
  func refusal(of command: Command) -> String? { action(command)?.refusal }

  /// Returns the label that the layer gives a command.
  func label(of command: Command) -> String? { action(command)?.label }

  private func action(_ command: Command) -> Action? { actions.first { $0.command == command } }
}
