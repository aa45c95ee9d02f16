import Photos
import Terminal
import ViewModels

/// The geometry of a contact sheet: its places for photos, the rows in view, and where a move leads.
///
/// Each section begins a row of its own. Only the rows in view are laid out, so that a million photos cost nothing.
struct SheetGrid {
  /// The photos of a sheet, by their rows in the list.
  struct Photos {
    let count: Int
    /// Returns the photos of the section that a photo belongs to; all photos if there are no sections.
    let section: (RowIndex) -> Range<RowIndex>
    /// Whether the photos have sections, whose headings take a line each.
    let hasSections: Bool
  }

  /// Photos side by side, with the first line of their places.
  struct Row: Equatable {
    let photos: Range<RowIndex>
    let line: Int
  }

  /// The number of places side by side.
  private(set) var columns = 1
  /// The rows in view from the top down.
  private(set) var rows: [Row] = []
  /// The index into ``widths`` that the user has chosen; nil until then.
  private var chosenStep: Int?
  private var photos = Photos(count: 0, section: { $0..<$0 }, hasSections: false)
  private var bounds = Rect(column: 0, row: 0, columns: 0, rows: 0)
  /// Whether the places have images above the names.
  private var hasImages = true
  /// The first photo of the first row in view.
  private var top: RowIndex = 0

  /// The least widths of a place, in cells. The height follows from the width.
  private static let widths = [10, 14, 18, 24, 32, 44, 60]
  /// The least width that the user need not choose, as an index into ``widths``, and the number of photos that are side by
  /// side in a window with room for more than that.
  private static let (usualStep, usualColumns) = (2, 5)

  /// An index into ``widths``.
  private var step: Int {
    chosenStep ?? Self.widths.lastIndex { (bounds.columns - 1) / $0 >= Self.usualColumns }
      .map { max($0, Self.usualStep) } ?? Self.usualStep
  }
  /// The lines from a row to the next one if a heading is in between: the row's own frame, and the heading.
  private static let headingLines = 2

  /// The distance from one place to the next in cells: a photo of about 4 to 3 if there are images, a line for its name, and
  /// one side of the frame, which neighbors share.
  private var pitch: Size {
    let width = max(4, (bounds.columns - 1) / columns)
    guard hasImages else { return Size(columns: width, rows: 2) }
    // Cells are twice as high as wide. The rows then share the whole height.
    let natural = max(3, (width - 1) * 3 / 8 + 2)
    let rows = max(1, (room - 1 + natural / 2) / natural)
    return Size(columns: width, rows: max(3, (room - 1) / rows))
  }

  /// The number of lines for places, below the heading at the top.
  private var room: Int { bounds.rows - (photos.hasSections ? 1 : 0) }

  func canResize(by step: Int) -> Bool { Self.widths.indices.contains(self.step + step) }

  /// Makes the places larger or smaller. They change with the next layout.
  mutating func resize(by step: Int) {
    if canResize(by: step) { chosenStep = self.step + step }
  }

  /// Makes the places larger, or as small as possible if they have the largest size.
  mutating func resizeInTurn() { chosenStep = (step + 1) % Self.widths.count }

  /// Takes note of the window's place, on which the number of ``columns`` depends.
  mutating func setBounds(_ bounds: Rect, hasImages: Bool = true) {
    self.bounds = bounds
    self.hasImages = hasImages
    columns = max(1, (bounds.columns - 1) / Self.widths[step])
  }

  /// Lays the places out, and scrolls to the highlighted one.
  mutating func layOut(_ photos: Photos, highlighted: RowIndex) {
    self.photos = photos
    guard photos.count > 0 else {
      rows = []
      top = 0
      return
    }
    scroll(to: row(of: min(highlighted, last)))
    rows = layOutRows(from: top)
  }

  /// The photos in view.
  var visible: Range<RowIndex> { (rows.first?.photos.lowerBound ?? 0)..<(rows.last?.photos.upperBound ?? 0) }

  /// The photos of the row below the ones in view.
  var next: Range<RowIndex> { row(below: visible.upperBound - 1) ?? visible.upperBound..<visible.upperBound }

  /// The headings in view: the photo that begins each section, and the line. The first one is that of the first photo.
  var headings: [(photo: RowIndex, line: Int)] {
    guard photos.hasSections else { return [] }
    return rows.enumerated().compactMap { index, row in
      if index == 0 { return (row.photos.lowerBound, bounds.row) }
      return beginsSection(row.photos) ? (row.photos.lowerBound, row.line - 1) : nil
    }
  }

  /// Returns a photo's place on the screen, with its frame; empty if it is not in view.
  func rect(of photo: RowIndex) -> Rect {
    guard let row = rows.first(where: { $0.photos.contains(photo) }) else {
      return Rect(column: bounds.column, row: bounds.row, columns: 0, rows: 0)
    }
    // The grid is in the middle of the window.
    let left = bounds.column + (bounds.columns - columns * pitch.columns - 1) / 2
    return Rect(
      column: left + row.photos.lowerBound.distance(to: photo) * pitch.columns, row: row.line,
      columns: pitch.columns + 1,
      rows: pitch.rows + 1)
  }

  /// Returns the photo at a cell of the screen, or nil if there is none.
  func photo(atColumn column: Int, row: Int) -> RowIndex? {
    visible.first { rect(of: $0).contains(column: column, row: row) }
  }

  /// Returns the photo that a move from `photo` leads to. A move up from the first row leads nowhere.
  func photo(after move: Move, from photo: RowIndex) -> RowIndex {
    let page = max(1, rows.count)
    switch move {
    case .rows(let count): return self.photo(rows: count, from: photo)
    case .halfPages(let halves): return self.photo(rows: halves * max(1, page / 2), from: photo)
    case .pages(let pages): return self.photo(rows: pages * page, from: photo)
    case .toFirst: return 0
    case .toLast: return max(0, last)
    }
  }
}

// MARK: - Rows

extension SheetGrid {
  private var last: RowIndex { RowIndex(photos.count - 1) }

  /// Returns the photos side by side with a photo.
  private func row(of photo: RowIndex) -> Range<RowIndex> {
    let section = photos.section(photo)
    let start = photo - section.lowerBound.distance(to: photo) % columns
    return start..<min(start + columns, section.upperBound)
  }

  private func row(below photo: RowIndex) -> Range<RowIndex>? {
    let end = row(of: max(0, photo)).upperBound
    return end <= last ? row(of: end) : nil
  }

  private func row(above photo: RowIndex) -> Range<RowIndex>? {
    let start = row(of: photo).lowerBound
    return start > 0 ? row(of: start - 1) : nil
  }

  private func beginsSection(_ row: Range<RowIndex>) -> Bool {
    photos.hasSections && photos.section(row.lowerBound).lowerBound == row.lowerBound
  }

  /// Returns the number of lines from the row above to a row.
  private func lines(above row: Range<RowIndex>) -> Int { pitch.rows + (beginsSection(row) ? Self.headingLines : 0) }

  private func layOutRows(from top: RowIndex) -> [Row] {
    var rows = [Row(photos: row(of: top), line: bounds.row + bounds.rows - room)]
    while let next = row(below: rows[rows.count - 1].photos.lowerBound) {
      let line = rows[rows.count - 1].line + lines(above: next)
      if line + pitch.rows + 1 > bounds.endRow { break }
      rows.append(Row(photos: next, line: line))
    }
    return rows
  }

  /// Scrolls as little as possible until a row is in view, with the rows above and below it if there is room for them.
  private mutating func scroll(to row: Range<RowIndex>) {
    top = self.row(of: min(top, last)).lowerBound
    let isRoomForMore = room > 3 * pitch.rows
    let above = isRoomForMore ? self.row(above: row.lowerBound) : nil
    let below = isRoomForMore ? self.row(below: row.lowerBound) : nil
    top = min(top, (above ?? row).lowerBound)
    top = max(top, first(endingAt: below ?? row))
    // At the end of the sheet, no room stays empty.
    top = min(top, row.lowerBound, first(endingAt: self.row(of: last)))
  }

  /// Returns the first photo of the first row that fits if `last` is the last row in view.
  private func first(endingAt last: Range<RowIndex>) -> RowIndex {
    var (first, lines) = (last, pitch.rows + 1)
    while let above = row(above: first.lowerBound) {
      lines += self.lines(above: first)
      if lines > room { break }
      first = above
    }
    return first.lowerBound
  }

  private func photo(rows count: Int, from photo: RowIndex) -> RowIndex {
    var row = row(of: photo)
    let column = row.lowerBound.distance(to: photo)
    for _ in 0..<abs(count) {
      guard let next = count > 0 ? self.row(below: row.lowerBound) : self.row(above: row.lowerBound) else {
        // A page that leads beyond an end leads to the last photo there.
        return abs(count) == 1 ? photo : count > 0 ? row.upperBound - 1 : row.lowerBound
      }
      row = next
    }
    // A shorter row may have no photo right below or above: then the move leads to its last one.
    return min(row.lowerBound + column, row.upperBound - 1)
  }
}
