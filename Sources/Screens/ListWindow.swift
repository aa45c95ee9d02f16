import Terminal
import ViewModels

/// The list of photos: a heading with the position, and the rows.
@MainActor
final class ListWindow {
  var position = ListPosition()
  var isTall = true
  private let pictures: PictureLayer
  private var rowsBounds = Rect(column: 0, row: 0, columns: 0, rows: 0)

  init(pictures: PictureLayer) { self.pictures = pictures }

  private var rowHeight: Int { isTall ? PhotoRowCell.tallHeight : 1 }

  /// Draws the rows, or `notice` where there are none.
  func draw(_ rows: [PhotoRow], notice: [String], hasFocus: Bool, isDimmed: Bool, on surface: Surface) {
    let (heading, body) = surface.bounds.split(rows: surface.bounds.rows > 4 ? 1 : 0)
    rowsBounds = body
    position.setCapacity(body.rows / rowHeight)
    drawHeading(hasFocus: hasFocus, on: surface.clipped(to: heading))
    if rows.isEmpty { return draw(notice, on: surface.clipped(to: body)) }
    for row in position.visible {
      let isHighlighted = row == position.highlighted
      let ground: Ground = isHighlighted ? (hasFocus ? .selection : .idleSelection) : .window
      let cell = Rect(
        column: body.column, row: body.row + (row - position.top) * rowHeight, columns: body.columns, rows: rowHeight)
      PhotoRowCell.draw(
        rows[row], isTall: isTall, isHighlighted: isHighlighted, pictures: pictures,
        on: surface.clipped(to: cell).on(ground).dimmed(isDimmed))
    }
  }

  /// The row at a cell of the screen.
  func row(atColumn column: Int, row: Int) -> Int? {
    guard rowsBounds.contains(column: column, row: row) else { return nil }
    let index = position.top + (row - rowsBounds.row) / rowHeight
    return position.visible.contains(index) ? index : nil
  }

  private func drawHeading(hasFocus: Bool, on surface: Surface) {
    let inside = surface.clipped(to: surface.bounds.inset(columns: 1))
    inside.put("Photos", hasFocus ? .heading : .idleHeading)
    if position.count > 0 { inside.putRight("\(position.highlighted + 1)/\(position.count)", .secondary) }
  }

  private func draw(_ notice: [String], on surface: Surface) {
    let lines = notice.flatMap { CellText($0).wrapped(to: surface.bounds.columns - 4) }
    for (index, line) in lines.enumerated() {
      surface.put(
        line, column: (surface.bounds.columns - line.width) / 2, row: max(0, surface.bounds.rows / 2 - 1) + index,
        .secondary)
    }
  }
}
