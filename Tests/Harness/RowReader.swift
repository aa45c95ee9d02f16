import CVTerm

/// Reads rows of cells from libvterm.
struct RowReader {
  let screen: OpaquePointer
  let columns: Int
  let widths: WidthTable

  /// Returns the cells of a row.
  ///
  /// If one half of a wide character is overwritten, libvterm keeps the other half. Here it is blank, as in a terminal.
  func cells(inRow row: Int) -> [Cell] {
    let raw = [CVTermCell](unsafeUninitializedCapacity: columns) { buffer, count in
      cvterm_read_row(screen, Int32(row), Int32(columns), buffer.baseAddress)
      count = columns
    }
    var result: [Cell] = []
    result.reserveCapacity(columns)
    for cell in raw {
      if cell.is_continuation != 0 {
        if let previous = result.last, previous.width == 2 {
          result.append(Cell(text: "", width: 0, style: previous.style))
        } else {
          result.append(Cell(text: " ", width: 1, style: style(of: cell)))
        }
      } else if widths.isWide(cell.chars.0) {
        let isWhole = cell.is_followed != 0
        result.append(Cell(text: isWhole ? text(of: cell) : " ", width: isWhole ? 2 : 1, style: style(of: cell)))
      } else {
        result.append(Cell(text: text(of: cell), width: 1, style: style(of: cell)))
      }
    }
    return result
  }

  private func text(of cell: CVTermCell) -> String {
    if cell.char_count == 0 { return " " }
    var text = String.UnicodeScalarView()
    withUnsafeBytes(of: cell.chars) { bytes in
      for value in bytes.bindMemory(to: UInt32.self).prefix(Int(cell.char_count)) {
        text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
      }
    }
    return String(text)
  }

  private func style(of cell: CVTermCell) -> Style {
    var style = Style()
    style.foreground = Color(cell.foreground)
    style.background = Color(cell.background)
    style.bold = cell.bold != 0
    // `ControlSequenceFilter` turns dim into the first alternative font.
    style.dim = cell.font == 1
    style.italic = cell.italic != 0
    style.underline = Style.Underline(rawValue: Int(cell.underline)) ?? .none
    style.blink = cell.blink != 0
    style.reverse = cell.reverse != 0
    style.strike = cell.strike != 0
    return style
  }
}
