import ImageWire
import Terminal
import ViewModels

/// A strip of a video's stills, which say more about it than one.
struct FilmStrip {
  /// The height of the strip.
  let rows: Int
  private let place: Rect
  private let columns: Int

  private static let count = 8
  private static let gap = 1
  /// The least size of a still.
  private static let least = Size(columns: 6, rows: 2)
  /// The least height of a still that is drawn with characters.
  private static let leastRowsInCharacters = 4
  /// The share of the place that the strip may take.
  private static let share = 4

  /// Creates the strip in the last rows of a place; nil if there is no room for it.
  init?(in place: Rect) {
    self.place = place
    columns = (place.columns + Self.gap) / Self.count - Self.gap
    // Most videos are 16 to 9, and cells about twice as high as wide.
    rows = min(max(Self.least.rows, columns * 9 / 32), place.rows / Self.share)
    if columns < Self.least.columns || rows < Self.least.rows { return nil }
  }

  /// Whether its stills can be recognized if characters draw them.
  var isLarge: Bool { rows >= Self.leastRowsInCharacters }

  /// Draws the stills, of which each is that of the middle of an equal part of the video.
  @MainActor
  func draw(_ detail: PhotoDetail, _ images: ImageLayer, on surface: Surface) {
    let left = place.column + (place.columns - Self.count * (columns + Self.gap) + Self.gap) / 2
    for index in 0..<Self.count {
      let share = (Double(index) + 0.5) / Double(Self.count)
      let position = max(1, Int((detail.videoDuration ?? 0) * 1000 * share))
      let still = Rect(
        column: left + index * (columns + Self.gap), row: place.endRow - rows, columns: columns, rows: rows)
      _ = images.draw(
        detail.image,
        as: ImagePresentation(view: .filling, rotation: ImageRotation(quarters: detail.quarters), frame: -position),
        on: surface.clipped(to: still))
    }
  }
}
