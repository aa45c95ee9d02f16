import Gallery
import ImageWire
import Terminal
import ViewModels

/// A photo in the list, in the size that the user has chosen.
@MainActor
final class PhotoRowCell: RowCell {
  private let context: CellContext
  private var row: PhotoRow?

  /// The column of the name in a row of one line, behind the characters of the signs.
  private static let nameColumn = PhotoSign.Slot.allCases.count + 1
  /// The least columns of a line with the name and the date.
  private static let datedColumns = 36
  /// The least columns in which an excerpt says why the search found a photo.
  private static let narrowestFinding = 12

  init(_ context: CellContext) { self.context = context }

  static func height(_ context: CellContext) -> Int { context.rowHeight }

  func bind(_ row: PhotoRow) { self.row = row }
  func release() { row = nil }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    if context.rowSize == .compact { drawLine(row, on: surface) } else { drawTall(row, on: surface) }
  }

  private func drawTall(_ row: PhotoRow, on surface: Surface) {
    let (text, info) = ThumbnailRow.draw(
      row.image, quarters: row.quarters, isFaded: row.decisions.isRejected, context.images, on: surface)
    if hasDate(row, on: text) { text.putRight(row.date, .secondary) }
    let name = CellText(row.name, truncatedTo: text.bounds.columns)
    text.put(name, .title, lighting: row.found(inName:))
    let lines = subtitle(of: row, on: text)
    let exposure = drawStatus(
      row.signs(isIncomplete: info?.isIncomplete ?? false), of: row, hasDate: !hasDate(row, on: text),
      on: text.clipped(to: text.bounds.split(rows: 1 + lines.count).1))
    let visible = (lines + [exposure]).map(\.string).joined(separator: " ")
    guard let finding = row.finding(besideName: name.string, subtitle: visible) else {
      for (index, line) in lines.enumerated() {
        text.put(line, row: 1 + index, .secondary, lighting: row.found(inSubtitle:))
      }
      return
    }
    // The match has a line of its own: that of the last line of the subtitle, or the one below the status without a subtitle.
    text.put(
      CellText(finding.text, truncatedTo: text.bounds.columns), row: lines.isEmpty ? 2 : 1, .secondary,
      lighting: finding.ranges(in:))
    for (index, line) in lines.dropLast().enumerated() {
      text.put(line, row: 2 + index, .secondary, lighting: row.found(inSubtitle:))
    }
  }

  /// Returns the lines of the subtitle: as many as leave room for the name and for the status. A photo of which little is
  /// known has the facts of its file there, so that no line is empty.
  private func subtitle(of row: PhotoRow, on text: Surface) -> [CellText] {
    let (columns, lines) = (text.bounds.columns, max(1, text.bounds.rows - 2))
    let subtitle = row.subtitle { CellText($0).width <= columns }
    // A long description is measured no further than it can be visible.
    return CellText(subtitle.isEmpty ? row.fileFacts : subtitle, truncatedTo: (columns + 1) * (lines + 1))
      .wrapped(to: columns, lines: lines)
  }

  /// Draws the line below the subtitle: the signs, the exposure and the folder.
  /// - Parameter hasDate: Whether the date is at its end if there is room, since the first line has none for it.
  /// - Returns: The part of the exposure that is in view.
  private func drawStatus(_ signs: [PhotoSign], of row: PhotoRow, hasDate: Bool, on line: Surface) -> CellText {
    let date = CellText(row.date)
    let width = signs.reduce(-1) { $0 + CellText($1.text).width + 2 }
    // The date takes no room from what tells photos of the same name apart.
    let name = row.distinctName.map { CellText(row.folder + $0).width + 2 } ?? 0
    let showsDate = hasDate && date.width > 0 && width + name + date.width <= line.bounds.columns
    let room = showsDate ? line.putRight(row.date, .secondary) - 1 : line.bounds.columns
    var end = 0
    for sign in signs {
      let text = CellText(sign.text)
      if end + text.width <= room { end = line.put(text, column: end, sign.role) + 2 }
    }
    // Photos of the same name have much the same exposure, so the names of their files say more.
    let exposure = CellText(row.distinctName == nil ? row.exposure { end + CellText($0).width <= room } : "")
    if exposure.width > 0 { end = line.put(exposure, column: end, .secondary, lighting: row.found(inSubtitle:)) + 2 }
    guard end < room else { return exposure }
    let path = CellText(row.folder + (row.distinctName ?? ""))
    if path.width == 0 {
      // The facts of the file fill the line. A part of them would say nothing.
      let facts = CellText(row.subtitle.isEmpty ? "" : row.fileFacts)
      if end + facts.width <= room { line.put(facts, column: end, .secondary) }
    } else {
      let shown = row.distinctName == nil ? path.truncated(to: room - end) : path.truncatedInMiddle(to: room - end)
      line.put(shown, column: end, .secondary)
    }
    return exposure
  }

  private func drawLine(_ row: PhotoRow, on surface: Surface) {
    let text = surface.clipped(to: surface.bounds.split(columns: surface.bounds.columns - 1).0)
    let signs = row.signs()
    for (column, slot) in PhotoSign.Slot.allCases.enumerated() {
      guard let sign = signs.first(where: { $0.slot == slot }) else { continue }
      text.put(sign.character, column: column, sign.role)
    }
    // A row of one line has no other place for the file's name.
    let name = row.distinctName ?? row.name
    let shown = CellText(name, truncatedTo: text.bounds.columns - Self.nameColumn)
    let end = text.put(shown, column: Self.nameColumn, lighting: row.found(inName:)) + 1
    // The date, or the match in its place, takes no room from the name.
    guard let finding = row.finding(besideName: shown.string) else {
      if end + CellText(row.date).width <= text.bounds.columns { text.putRight(row.date, .secondary) }
      return
    }
    guard text.bounds.columns - end >= Self.narrowestFinding else { return }
    text.put(
      CellText(finding.text, truncatedTo: text.bounds.columns - end - 1), column: end + 1, .secondary,
      lighting: finding.ranges(in:))
  }

  /// Returns whether the date is on the line of the name. It takes no room from the name, so that a wider window never shows
  /// less of it. In a narrow window, all dates are below.
  private func hasDate(_ row: PhotoRow, on text: Surface) -> Bool {
    let columns = text.bounds.columns
    return columns >= Self.datedColumns && CellText(row.name).width + 1 + CellText(row.date).width <= columns
  }
}

extension CellText {
  /// The characters of the text, as they are drawn.
  var string: String {
    var scalars = String.UnicodeScalarView()
    for cluster in clusters { scalars.append(contentsOf: cluster.scalars) }
    return String(scalars)
  }
}
