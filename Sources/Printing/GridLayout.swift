import Terminal

/// The division of an area of the screen into boxes for images, side by side and in rows, with a line for a title above
/// each.
public struct GridLayout: Hashable, Sendable {
  /// The number of images side by side.
  public let columns: Int
  /// The box that each image is fitted in, in cells.
  public let box: Size
  /// Whether there is a title above each image.
  public let hasTitles: Bool
  /// Whether there are several images side by side, or rows of them that belong together.
  public let isGrid: Bool

  /// The blank columns between two images.
  private static let gap = 2

  /// Creates a grid that fits in an area, or as much of it as there is room for. Its rows are separated by their titles, or
  /// else by a blank line.
  /// - Parameters:
  ///   - columns: The number of images side by side.
  ///   - rows: The number of rows.
  public init(columns: Int, rows: Int, in area: Size, hasTitles: Bool = false) {
    let fitting = max(1, min(columns, (area.columns + Self.gap) / (1 + Self.gap)))
    self.columns = fitting
    self.hasTitles = hasTitles
    isGrid = true
    let height = (area.rows + (hasTitles ? 0 : 1)) / max(1, rows) - 1
    box = Size(columns: max(1, (area.columns + Self.gap) / fitting - Self.gap), rows: max(1, height))
  }

  /// Creates a layout of one image after another. Each has the whole area.
  public init(singlesIn area: Size, hasTitles: Bool = false) {
    columns = 1
    box = Size(columns: area.columns, rows: max(1, area.rows - (hasTitles ? 1 : 0)))
    self.hasTitles = hasTitles
    isGrid = false
  }

  /// Returns the first column of the box with an index in its row.
  func start(ofBox index: Int) -> Int { index * (box.columns + Self.gap) }
}
