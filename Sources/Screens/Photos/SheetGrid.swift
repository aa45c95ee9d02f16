import Photos
import Terminal
import ViewModels

/// The geometry of a contact sheet: its places for photos, the rows in view, and where a move leads.
///
/// Each section begins a row of its own. Only the rows in view are laid out, so that a million photos cost nothing.
///
/// The places have one size, or they are as wide as their photos in rows that fill the width (justified rows). Such rows are
/// found within blocks of some dozen photos, so that the rows in view do not depend on all the photos before them.
struct SheetGrid {
  /// The photos of a sheet, by their rows in the list.
  struct Photos {
    let count: Int
    /// Returns the photos of the section that a photo belongs to; all photos if there are no sections.
    let section: (RowIndex) -> Range<RowIndex>
    /// Whether the photos have sections, whose headings take a line each.
    let hasSections: Bool
    /// Returns a photo's width divided by its height; nil for places of one size.
    var aspect: ((RowIndex) -> Double)?
  }

  /// Photos side by side, with the first line of their places.
  struct Row: Equatable {
    let photos: Range<RowIndex>
    let line: Int
  }

  /// The places of a row.
  private struct Shape {
    /// The columns of each place on the screen, with its frame.
    let columns: [Range<Int>]
    /// The distance to the places of the next row, in lines.
    let lines: Int
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

  /// The columns that the frame takes of a place, and the lines that the frame and the name take.
  private static let (frameColumns, captionLines) = (2, 2)

  /// An index into ``widths``.
  private var step: Int {
    chosenStep ?? Self.widths.lastIndex { bounds.columns / $0 >= Self.usualColumns }
      .map { max($0, Self.usualStep) } ?? Self.usualStep
  }
  /// The number of usual rows in whose photos justified rows are found.
  private static let rowsOfBlock = 6
  /// The most times that a photo in a justified row is higher than in places of one size.
  private static let mostTimesHigher = 1.5
  /// The lines from a row to the next one if a heading is in between: the row's own frame, and the heading.
  private static let headingLines = 2

  /// The distance from one place to the next in cells: a photo of about 4 to 3 if there are images, a line for its name, and
  /// the frame. A line of it belongs to the row below, too.
  private var pitch: Size {
    let width = max(5, bounds.columns / columns)
    guard hasImages else { return Size(columns: width, rows: 2) }
    // Cells are twice as high as wide. The rows then share the whole height.
    let natural = max(3, (width - Self.frameColumns) * 3 / 8 + 2)
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
    columns = max(1, bounds.columns / Self.widths[step])
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
    let shape = shape(of: row.photos)
    let columns = shape.columns[row.photos.lowerBound.distance(to: photo)]
    return Rect(column: columns.lowerBound, row: row.line, columns: columns.count, rows: shape.lines + 1)
  }

  /// Returns the photo at a cell of the screen, or nil if there is none.
  func photo(atColumn column: Int, row: Int) -> RowIndex? {
    visible.first { rect(of: $0).contains(column: column, row: row) }
  }

  /// Whether a photo is in the sheet as it was laid out last. Before that, none is.
  func contains(_ photo: RowIndex) -> Bool { photo <= last }

  /// Returns the photo that a move from `photo` leads to, which the sheet contains. A move up from the first row leads nowhere.
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
    guard let aspect = photos.aspect else { return part(of: section, with: photo, length: columns) }
    let block = part(of: section, with: photo, length: columns * Self.rowsOfBlock)
    let widths = block.map { Double(usualWidth(of: aspect($0)) + Self.frameColumns) }
    let total = widths.reduce(0, +)
    let share = total / max(1, (total / Double(bounds.columns)).rounded())
    var (sum, rows) = (0.0, [Int]())
    for width in widths {
      rows.append(Int((sum + width / 2) / share))
      sum += width
    }
    let row = rows[block.lowerBound.distance(to: photo)]
    let first = block.lowerBound + (rows.firstIndex(of: row) ?? 0)
    return first..<first + rows.count { $0 == row }
  }

  /// Returns the part of a section that a photo is in, if the section is divided into parts of a length.
  private func part(of section: Range<RowIndex>, with photo: RowIndex, length: Int) -> Range<RowIndex> {
    let start = photo - section.lowerBound.distance(to: photo) % length
    return start..<min(start + length, section.upperBound)
  }

  /// Returns the columns of a photo that is as high as in places of one size. Cells are twice as high as wide.
  private func usualWidth(of aspect: Double) -> Int {
    max(3, Int((2 * aspect * Double(pitch.rows - Self.captionLines)).rounded()))
  }

  /// Returns the places of a row.
  private func shape(of row: Range<RowIndex>) -> Shape {
    guard let aspect = photos.aspect, hasImages else {
      // The grid is in the middle of the window.
      let left = bounds.column + (bounds.columns - columns * pitch.columns) / 2
      let columns = row.indices.map { left + row.lowerBound.distance(to: $0) * pitch.columns }
      return Shape(columns: columns.map { $0..<$0 + pitch.columns }, lines: pitch.rows)
    }
    let aspects = row.map(aspect)
    let room = bounds.columns - row.count * Self.frameColumns
    let most = Double(pitch.rows - Self.captionLines) * Self.mostTimesHigher
    let height = min(most, max(1, Double(room) / (2 * aspects.reduce(0, +))))
    var (columns, sum, end) = ([Range<Int>](), 0.0, bounds.column)
    for (index, aspect) in aspects.enumerated() {
      sum += 2 * aspect * height
      let next = bounds.column + Int(sum.rounded()) + (index + 1) * Self.frameColumns
      columns.append(end..<min(bounds.endColumn, max(next, end + Self.frameColumns + 1)))
      end = columns[index].upperBound
    }
    return Shape(columns: columns, lines: Int(height.rounded()) + Self.captionLines)
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

  /// Returns the number of lines from a row to the row below, if that is not the last one.
  private func lines(of row: Range<RowIndex>, above below: Range<RowIndex>) -> Int {
    shape(of: row).lines + (beginsSection(below) ? Self.headingLines : 0)
  }

  private func layOutRows(from top: RowIndex) -> [Row] {
    var rows = [Row(photos: row(of: top), line: bounds.row + bounds.rows - room)]
    while let next = row(below: rows[rows.count - 1].photos.lowerBound) {
      let last = rows[rows.count - 1]
      let line = last.line + lines(of: last.photos, above: next)
      if line + shape(of: next).lines + 1 > bounds.endRow { break }
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
    var (first, lines) = (last, shape(of: last).lines + 1)
    while let above = row(above: first.lowerBound) {
      lines += self.lines(of: above, above: first)
      if lines > room { break }
      first = above
    }
    return first.lowerBound
  }

  private func photo(rows count: Int, from photo: RowIndex) -> RowIndex {
    var row = row(of: photo)
    let middle = shape(of: row).columns[row.lowerBound.distance(to: photo)].middle
    for _ in 0..<abs(count) {
      guard let next = count > 0 ? self.row(below: row.lowerBound) : self.row(above: row.lowerBound) else {
        // A page that leads beyond an end leads to the last photo there.
        return abs(count) == 1 ? photo : count > 0 ? row.upperBound - 1 : row.lowerBound
      }
      row = next
    }
    // A shorter row may have no photo right below or above: then the move leads to its last one.
    let columns = shape(of: row).columns
    let nearest = columns.indices.min { abs(columns[$0].middle - middle) < abs(columns[$1].middle - middle) }
    return row.lowerBound + (nearest ?? 0)
  }
}

extension Range<Int> {
  /// Twice the middle, so that it is whole.
  fileprivate var middle: Int { lowerBound + upperBound }
}
