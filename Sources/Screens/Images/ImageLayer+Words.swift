import Gallery
import ImageWire
import Images
import Terminal

// The words about an image: why there is none, and what was sent of it.
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

  /// Returns what was sent to the terminal to show an image, in words, and the last measurement of the line; empty if the
  /// image is not there yet.
  func transfer(of image: ImageLocation, as presentation: ImagePresentation, on surface: Surface) -> [(
    label: String, value: String
  )] {
    guard let loader, let specification = specification(of: image, as: presentation, on: surface) else { return [] }
    let format = specification.screen.format.summary
    var texts: [(String, String)] = []
    switch loader.known(specification) {
    case .cells(let image):
      texts.append((localized("Shown"), localized("\(image.columns)×\(image.rows) cells, \(format)")))
    case .graphic(_, let image):
      texts.append((localized("Shown"), "\(image.width)×\(image.height), \(image.bytes.count.bytesText), \(format)"))
    case .loading, .failed, .notFetched, nil: return []
    }
    if let last = display.line.last, let throughput = display.line.throughput {
      let tenths = Int(last.time / .milliseconds(100))
      let seconds = "\(tenths / 10)\(Language.decimalSign)\(tenths % 10)"
      texts.append(
        (
          localized("Line", context: "to the terminal"),
          localized("\(last.bytes.bytesText) in \(seconds) s, \(Int(throughput).bytesText)/s")
        ))
    }
    return texts
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
