import Photos
import Terminal
import ViewModels

/// A list: a heading with the position, and the rows in their sections. Each kind of row has its own kind of cell.
///
/// The heading of the first row's section stays at the top while its rows scroll below it.
@MainActor
final class ListWindow {
  /// The highlighted row and the rows in view, as numbers.
  var position = ListPosition()
  private let title: String
  private let kinds: CellKinds
  private var context: CellContext
  private var pool: CellPool
  private var rows: any RowList = [any RowViewModel]()
  private var layout = ListPosition.Layout()
  /// Whether there is room for the headings of sections.
  private var hasHeadings = false
  /// The places of the last frame's rows on the screen.
  private var places: [(row: RowIndex, rect: Rect)] = []

  init(title: String, kinds: CellKinds, context: CellContext) {
    self.title = title
    self.kinds = kinds
    self.context = context
    pool = CellPool(kinds: kinds, context: context)
  }

  /// The least height of a list with blank lines between its rows, and of one with headings, in lines.
  private static let (airyLines, sectionLines) = (24, 8)

  /// The size of rows that have several.
  var rowSize: RowSize {
    get { context.rowSize }
    set {
      release()
      context.rowSize = newValue
      pool = CellPool(kinds: kinds, context: context)
      measure()
    }
  }

  private func setThumbnailHeight(_ height: Int) {
    guard height != context.thumbnailHeight else { return }
    release()
    context.thumbnailHeight = height
    pool = CellPool(kinds: kinds, context: context)
    measure()
  }

  var highlightedRow: (any RowViewModel)? { row(highlighted) }

  var highlighted: RowIndex { RowIndex(position.highlighted) }

  func row(_ index: RowIndex) -> (any RowViewModel)? { rows.contains(row: index) ? rows.row(at: index) : nil }

  /// Replaces the rows. The highlighted row stays highlighted if it is among the new ones.
  func setRows(_ rows: any RowList) {
    let (old, place) = (highlightedRow, highlighted)
    self.rows = rows
    measure()
    position.setCount(rows.count, layout: layout)
    guard let old, row(place)?.id != old.id, let moved = rows.index(of: old) else { return }
    position.highlight(moved.value)
  }

  /// Unbinds all cells, as when the list leaves the screen.
  func release() { pool.show([]) }

  /// Returns the row at a cell of the screen.
  func row(atColumn column: Int, row: Int) -> RowIndex? {
    places.first { $0.rect.contains(column: column, row: row) }?.row
  }

  /// Draws the rows. If there are none, draws `notice`, or the outlines of rows if that is nil.
  func draw(notice: [String]?, status: String? = nil, hasFocus: Bool, isDimmed: Bool, on surface: Surface) {
    let (heading, body) = surface.bounds.split(rows: surface.bounds.rows > 4 ? 1 : 0)
    layout.air = body.rows >= Self.airyLines ? 1 : 0
    if hasHeadings != (body.rows >= Self.sectionLines) {
      hasHeadings.toggle()
      measure()
    }
    // Texts alone need no more lines in a higher window.
    setThumbnailHeight(RowSize.thumbnailHeight(inWindowOf: context.images.areShown ? body.rows : 0))
    position.setRoom(body.rows, layout: layout)
    let visible = position.visible
    drawHeading(status ?? count, hasFocus: hasFocus, on: surface.clipped(to: heading))
    pool.show(visible.map { rows.row(at: RowIndex($0)) })
    places = []
    if rows.count == 0 {
      let body = surface.clipped(to: body)
      return notice.map { draw($0, on: body) } ?? drawOutlines(on: body)
    }
    var line = body.row
    for number in visible {
      let row = RowIndex(number)
      if number > visible.lowerBound { line += layout.air(above: number) }
      if layout.beginsSection(number) || number == visible.lowerBound && layout.isInSection(number) {
        surface.clipped(to: body.line(at: line).inset(columns: 1)).drawSection(rows.section(ofRow: row))
        line += 1
      }
      let place = Rect(column: body.column, row: line, columns: body.columns, rows: layout.height(number)).intersection(
        body)
      places.append((row, place))
      draw(row, hasFocus: hasFocus, on: surface.clipped(to: place).dimmed(isDimmed))
      line += place.rows
    }
  }

  /// Prepares the images of the rows just above and below the ones in view.
  func prepareNeighbors(on surface: Surface) {
    let cell = surface.clipped(to: surface.bounds.split(columns: 1).1)
    for row in [position.visible.upperBound, position.visible.lowerBound - 1] {
      guard let row = self.row(RowIndex(row)), let image = row as? any Imaged,
        kinds.height(of: row, context) > 1
      else { continue }
      ThumbnailRow.prepare(image, context, on: cell)
    }
  }

  private var count: String {
    position.count > 0 ? "\((position.highlighted + 1).grouped)/\(position.count.grouped)" : ""
  }

  private func draw(_ row: RowIndex, hasFocus: Bool, on surface: Surface) {
    let isHighlighted = row == highlighted
    let surface = surface.on(isHighlighted ? (hasFocus ? .selection : .idleSelection) : .window)
    surface.clear()
    if isHighlighted {
      for line in 0..<surface.bounds.rows { surface.on(.window).put("▌", row: line, .accent) }
      if hasFocus { surface.placeCursor() }
    }
    pool.cell(of: rows.row(at: row))?.draw(isHighlighted, surface.clipped(to: surface.bounds.split(columns: 1).1))
  }

  private func measure() {
    layout.isInSection = { [rows, hasHeadings] in hasHeadings && rows.isInSection(RowIndex($0)) }
    layout.beginsSection = { [rows, hasHeadings] in hasHeadings && rows.beginsSection(RowIndex($0)) }
    if rows.areAlike {
      let height = row(0).map { max(1, kinds.height(of: $0, context)) } ?? 1
      layout.height = { _ in height }
    } else {
      let heights = (0..<rows.count).map { kinds.height(of: rows.row(at: RowIndex($0)), context) }
      layout.height = { heights.indices.contains($0) ? heights[$0] : 1 }
    }
  }

  private func drawHeading(_ status: String, hasFocus: Bool, on surface: Surface) {
    let inside = surface.clipped(to: surface.bounds.inset(columns: 1))
    let start = inside.putRight(status, .secondary)
    inside.put(CellText(title, truncatedTo: start - 1), hasFocus ? .heading : .idleHeading)
  }

  /// Draws the rule beside the list, which shows the part of the list in view.
  func drawScrollBar(on surface: Surface) {
    surface.verticalRule(column: 0)
    let (visible, count) = (position.visible.count, position.count)
    guard count > visible else { return }
    let rows = surface.bounds.rows
    let length = max(1, rows * visible / count)
    let start = (rows - length) * position.top / (count - visible)
    for row in start..<min(rows, start + length) { surface.put("┃", row: row, .secondary) }
  }

  /// Draws the outlines of rows that are still loading.
  private func drawOutlines(on surface: Surface) {
    let height = context.rowHeight
    let step = height > 1 ? height + layout.air : height
    let (_, inside) = surface.bounds.split(columns: 1)
    for index in 0..<(inside.rows + layout.air) / step {
      let place = Rect(column: inside.column, row: inside.row + index * step, columns: inside.columns, rows: height)
      ThumbnailRow.drawOutline(index, context, on: surface.clipped(to: place))
    }
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

extension Surface {
  /// Draws the heading of a section on a line, with a rule behind it; nothing if there is no heading.
  func drawSection(_ heading: String?) {
    guard let heading else { return }
    let end = put(CellText(heading, truncatedTo: bounds.columns), .secondary) + 1
    put(String(repeating: "─", count: max(0, bounds.columns - end)), column: end, .faint)
  }
}

extension Rect {
  /// Returns one line of the rectangle, by the screen's row.
  fileprivate func line(at row: Int) -> Rect { Rect(column: column, row: row, columns: columns, rows: 1) }
}
