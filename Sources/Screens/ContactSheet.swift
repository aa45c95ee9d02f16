import ImageWire
import Terminal
import ViewModels

/// A grid of as many photos as fit.
@MainActor
final class ContactSheet {
  private(set) var grid = SheetGrid()
  private let images: ImageLayer

  init(images: ImageLayer) { self.images = images }

  func resize(by step: Int) { grid.resize(by: step) }

  func draw(_ photos: PhotoRows, highlighted: Int, isDimmed: Bool, on surface: Surface) {
    grid.layOut(count: photos.count, highlighted: highlighted, in: surface.bounds.inset(columns: 1))
    for index in grid.visible {
      draw(
        photos[index], isHighlighted: index == highlighted,
        on: surface.clipped(to: grid.rect(of: index)).dimmed(isDimmed))
    }
    // The user most likely goes on to the row below.
    let place = surface.clipped(to: image(in: grid.rect(of: grid.visible.lowerBound)))
    for index in grid.next { images.prepare(photos[index].image, view: .filling, for: place) }
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
