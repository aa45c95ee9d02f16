import ImageWire
import Photos
import Terminal
import ViewModels

/// A grid of as many photos as fit, in sections as the list has them.
@MainActor
final class ContactSheet {
  /// Whether photos fill their places and lose their edges, instead of being shown whole.
  var cropsPhotos = false
  private(set) var grid = SheetGrid()
  private let images: ImageLayer

  init(images: ImageLayer) { self.images = images }

  private var view: ImageView { cropsPhotos ? .filling : .whole }

  func resize(by step: Int) { grid.resize(by: step) }

  /// Makes the photos larger, or as small as possible if they have the largest size.
  func resizeInTurn() { grid.resizeInTurn() }

  func draw(_ photos: PhotoRows, highlighted: RowIndex, isDimmed: Bool, on surface: Surface) {
    let inside = surface.bounds.inset(columns: 1)
    grid.setBounds(inside, hasImages: images.areShown)
    let photos = photos.forSheet(columns: grid.columns)
    grid.layOut(
      SheetGrid.Photos(count: photos.count, section: photos.section(around:), hasSections: photos.hasSections),
      highlighted: highlighted)
    for heading in grid.headings {
      let line = Rect(column: inside.column, row: heading.line, columns: inside.columns, rows: 1)
      surface.clipped(to: line).drawSection(photos.section(ofRow: heading.photo))
    }
    for index in grid.visible {
      draw(
        photos[index], isHighlighted: index == highlighted,
        on: surface.clipped(to: grid.rect(of: index)).dimmed(isDimmed))
    }
    // The user most likely goes on to the row below.
    let place = surface.clipped(to: image(in: grid.rect(of: grid.visible.lowerBound)))
    for photo in grid.next.map({ photos[$0] }) {
      images.prepare(photo.image, view: view, quarters: photo.quarters, for: place)
    }
  }

  /// Returns the place of the image in a photo's place, which has a frame around it and a line for the name.
  private func image(in place: Rect) -> Rect {
    let inside = place.inset(columns: 1, rows: 1)
    return inside.split(rows: inside.rows - 1).0
  }

  private func draw(_ photo: PhotoRow, isHighlighted: Bool, on surface: Surface) {
    let box = image(in: surface.bounds)
    let info = images.draw(photo.image, view: view, quarters: photo.quarters, on: surface.clipped(to: box))
    if isHighlighted { surface.border(.accent) }
    if isHighlighted {
      surface.clipped(to: surface.bounds.split(rows: box.endRow - surface.bounds.row).1).placeCursor()
    }
    let line = surface.clipped(to: Rect(column: box.column, row: box.endRow, columns: box.columns, rows: 1))
    let name = drawStack(of: photo, on: line)
    let end = drawSigns(of: photo, isIncomplete: photo.isIncomplete || info?.isIncomplete == true, on: name)
    let start = photo.isMarked ? name.put("✓", .accent) + 1 : photo.isInRange ? name.put("│", .accent) + 1 : 0
    let role: Role = isHighlighted ? .title : .secondary
    let text = CellText(photo.name, truncatedTo: max(0, end - start))
    if let finding = photo.finding(besideName: text.string) {
      name.put(CellText(finding.text, truncatedTo: end - start), column: start, role, lighting: finding.ranges(in:))
    } else {
      name.put(text, column: start, role, lighting: photo.found(inName:))
    }
  }

  /// Draws the number of a stack's shots at the left.
  /// - Returns: The rest of the line.
  private func drawStack(of photo: PhotoRow, on line: Surface) -> Surface {
    guard let stack = photo.stack else { return line }
    let end = line.put(stack.sign, .accent) + 1
    return line.clipped(to: line.bounds.split(columns: min(end, line.bounds.columns)).1)
  }

  /// Draws the signs of the rating and of an incomplete file at the right, if they leave half of the line to the name.
  /// - Returns: The end of the name's place.
  private func drawSigns(of photo: PhotoRow, isIncomplete: Bool, on line: Surface) -> Int {
    let decisions = photo.decisions.signs.map { (text: $0.text.hasPrefix("✗") ? "✗" : $0.text, role: $0.role) }
    let signs = (decisions + (isIncomplete ? [(PhotoRow.incompleteSign, .negative)] : [])).map { text, role in
      (text: CellText(text), role: role)
    }
    var start = signs.reduce(line.bounds.columns) { $0 - $1.text.width }
    // The name ends before that of the next photo begins.
    guard start < line.bounds.columns, start > line.bounds.columns / 2 else { return line.bounds.columns - 1 }
    let end = start - 1
    for sign in signs { start = line.put(sign.text, column: start, sign.role) }
    return end
  }
}
