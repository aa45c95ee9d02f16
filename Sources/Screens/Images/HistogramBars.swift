import ImageWire
import Terminal

/// A histogram drawn with blocks: a bar in each column, and a mark at an end where pixels are clipped.
@MainActor
enum HistogramBars {
  /// The width in columns, with the marks.
  static let columns = ToneHistogram.barCount + 2

  private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Whether the terminal's characters have blocks.
  static var isSupported: Bool { CellText("▁").string == "▁" }

  /// Draws a histogram on a surface of ``columns`` columns.
  static func draw(_ histogram: ToneHistogram, on surface: Surface) {
    let rows = surface.bounds.rows
    for row in 0..<rows {
      // The part of the height that the row adds, in eighths. The first is the base line, which shows the width.
      let line = histogram.bars.map { bar in
        let height = max(1, Int(bar) * rows * 8 / 255)
        return blocks[min(8, max(0, height - (rows - 1 - row) * 8))]
      }
      surface.put(String(line), column: 1, row: row, .secondary)
    }
    if histogram.clipsShadows { surface.put("◂", row: rows - 1, .accent) }
    if histogram.clipsHighlights { surface.put("▸", column: columns - 1, row: rows - 1, .accent) }
  }
}
