import ImageWire
import Terminal
import ViewModels

/// A grid of photos, as many as fit.
@MainActor
final class ContactSheet {
  private let images: ImageLayer
  private var rows = ListPosition()
  private var columns = 1
  private var size = 2
  private var bounds = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The least widths of a photo's place in cells; its height follows, with a line for the name.
  private static let widths = [10, 14, 18, 24, 32, 44, 60]

  init(images: ImageLayer) { self.images = images }

  private var place: Size {
    let width = bounds.columns / columns
    // About 4 to 3 on cells twice as high as wide, the name, and a blank line; then as it takes to fill the window.
    let natural = max(3, width * 3 / 8 + 2)
    let rows = max(1, (bounds.rows + natural / 2) / natural)
    return Size(columns: width, rows: max(3, bounds.rows / rows))
  }

  func canResize(by step: Int) -> Bool { Self.widths.indices.contains(size + step) }
  func resize(by step: Int) { if canResize(by: step) { size += step } }

  /// The photo that is highlighted when, at `photo`, the person gives a command of moving; nil if it is none.
  func move(_ command: Command, from photo: Int, count: Int) -> Int? {
    let page = columns * max(1, rows.capacity)
    let step: Int? =
      switch command {
      case .moveLeft: -1
      case .moveRight: 1
      case .moveUp: -columns
      // In the row before the last there may be nothing right below.
      case .moveDown: photo / columns < (count - 1) / columns ? columns : 0
      case .halfPageUp: -page / 2 / columns * columns
      case .halfPageDown: page / 2 / columns * columns
      case .pageUp: -page
      case .pageDown: page
      case .moveToFirst: -photo
      case .moveToLast: count - 1 - photo
      default: nil
      }
    guard let step else { return nil }
    // Up from the first row stays where it is.
    return command == .moveUp && photo < columns ? photo : min(max(0, photo + step), max(0, count - 1))
  }

  func draw(_ photos: PhotoRows, highlighted: Int, isDimmed: Bool, on surface: Surface) {
    bounds = surface.bounds.inset(columns: 1)
    columns = max(1, bounds.columns / Self.widths[size])
    rows.setCount((photos.count + columns - 1) / columns)
    rows.setRoom(bounds.rows, heights: .uniform(place.rows))
    rows.highlight(highlighted / columns)
    for row in rows.visible {
      for column in 0..<columns where row * columns + column < photos.count {
        let index = row * columns + column
        let cell = rect(row: row - rows.top, column: column)
        draw(photos[index], isHighlighted: index == highlighted, on: surface.clipped(to: cell).dimmed(isDimmed))
      }
    }
    // The next screenful, since that is where one goes.
    for photo in photos.dropFirst(rows.visible.upperBound * columns).prefix(columns) {
      images.prepare(photo.image, view: .filling, for: surface.clipped(to: image(in: rect(row: 0, column: 0))))
    }
  }

  /// The photo at a cell of the screen.
  func photo(atColumn column: Int, row: Int, count: Int) -> Int? {
    guard bounds.contains(column: column, row: row) else { return nil }
    let (across, down) = ((column - bounds.column) / place.columns, (row - bounds.row) / place.rows)
    let index = (rows.top + down) * columns + across
    return across < columns && down < rows.capacity && index < count ? index : nil
  }

  private func rect(row: Int, column: Int) -> Rect {
    Rect(
      column: bounds.column + column * place.columns, row: bounds.row + row * place.rows, columns: place.columns,
      rows: place.rows)
  }

  private func image(in cell: Rect) -> Rect {
    Rect(column: cell.column, row: cell.row, columns: cell.columns - 2, rows: cell.rows - 2)
  }

  private func draw(_ photo: PhotoRow, isHighlighted: Bool, on surface: Surface) {
    let box = image(in: surface.bounds)
    images.draw(photo.image, view: .filling, on: surface.clipped(to: box))
    let name = surface.clipped(to: Rect(column: box.column, row: box.endRow, columns: box.columns, rows: 1))
      .on(isHighlighted ? .selection : .window)
    name.clear()
    let start = photo.isMarked ? name.put("✓", .accent) + 1 : 0
    let role: Role = isHighlighted ? .title : .secondary
    let text = CellText(photo.name, truncatedTo: box.columns - start)
    if let finding = photo.finding(besideName: text.string) {
      name.put(
        CellText(finding.text, truncatedTo: box.columns - start), column: start, role, lighting: finding.ranges(in:))
    } else {
      name.put(text, column: start, role, lighting: photo.found(inName:))
    }
  }
}
