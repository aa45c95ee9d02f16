import Gallery
import ImageWire
import Images
import Terminal

// The words about an image: why there is none, and how fast the line is.
extension ImageLayer {
  /// The narrowest place with room for the reason why there is no image, in columns.
  private static let narrowestNote = 20

  /// Draws the corners of an image, as a viewfinder marks them, with the reason in between why there is no image. If no
  /// images are shown, there are no corners either.
  func drawPlace(on surface: Surface, note: String = "") {
    let (columns, rows) = (surface.bounds.columns, surface.bounds.rows)
    surface.clear()
    guard columns >= 4, rows >= 2 else { return }
    if areShown {
      surface.put("┌", .faint)
      surface.put("┐", column: columns - 1, .faint)
      surface.put("└", row: rows - 1, .faint)
      surface.put("┘", column: columns - 1, row: rows - 1, .faint)
    }
    // If there is no room for words, the detail has them.
    let note = columns < Self.narrowestNote && !note.isEmpty ? "!" : note
    let lines = CellText(note).wrapped(to: columns - 4).prefix(rows - 2)
    for (index, line) in lines.enumerated() {
      surface.put(line, column: (columns - line.width) / 2, row: (rows - lines.count) / 2 + index, .secondary)
    }
  }

  /// The last measurement of the line to the terminal, and its estimated speed; nil before the first one.
  var lineText: String? {
    guard let last = display.line.last, let throughput = display.line.throughput else { return nil }
    let tenths = Int(last.time / .milliseconds(100))
    let seconds = "\(tenths / 10)\(Language.decimalSign)\(tenths % 10)"
    return localized("\(last.bytes.bytesText) in \(seconds) s, \(Int(throughput).bytesText)/s")
  }
}

extension Int {
  /// This number of bytes in words.
  fileprivate var bytesText: String {
    if self < 1000 { return localized("\(self) byte", plural: "\(self) bytes", count: self) }
    let tenths = self / 100_000
    return self < 1_000_000 ? "\(self / 1000) kB" : "\(tenths / 10)\(Language.decimalSign)\(tenths % 10) MB"
  }
}
