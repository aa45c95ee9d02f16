import Gallery
import ImageWire
import Photos
import Terminal
import ViewModels

/// A grid of as many photos as fit, in sections as the list has them.
@MainActor
final class ContactSheet {
  /// Whether photos fill their places and lose their edges, instead of being shown whole.
  var cropsPhotos = false
  /// Whether the places are as wide as their photos.
  var isJustified = false
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
      SheetGrid.Photos(
        count: photos.count, section: photos.section(around:), hasSections: photos.hasSections,
        aspect: isJustified ? { photos[$0].aspect } : nil), highlighted: highlighted)
    for heading in grid.headings {
      let line = Rect(column: inside.column, row: heading.line, columns: inside.columns, rows: 1)
      surface.clipped(to: line).drawSection(photos.section(ofRow: heading.photo))
    }
    for index in grid.visible {
      draw(
        photos[index], isHighlighted: index == highlighted,
        on: surface.clipped(to: grid.rect(of: index)).dimmed(isDimmed))
    }
    // The user most likely goes on to the row below, whose places are the same unless they depend on the photos.
    let place = surface.clipped(to: image(in: grid.rect(of: grid.visible.lowerBound)))
    if isJustified { return }
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
    let isRejected = photo.decisions.isRejected
    let info = images.draw(
      photo.image, view: view, quarters: photo.quarters, isFaded: isRejected, on: surface.clipped(to: box))
    if isHighlighted {
      surface.border(.accent)
      surface.clipped(to: surface.bounds.split(rows: box.endRow - surface.bounds.row).1).placeCursor()
    }
    let line = surface.clipped(to: Rect(column: box.column, row: box.endRow, columns: box.columns, rows: 1))
    drawCaption(
      of: photo, isIncomplete: info?.isIncomplete == true, isHighlighted ? .title : .secondary,
      on: isRejected ? line.dimmed() : line)
  }

  /// Draws the mark, the name, and as many signs as leave half of the line to the name, in the middle below the image.
  private func drawCaption(of photo: PhotoRow, isIncomplete: Bool, _ role: Role, on line: Surface) {
    let signs = photo.signs(isIncomplete: isIncomplete).filter { !$0.short.isEmpty }
    let marks = signs.filter { $0.slot == .mark }.map { (text: CellText($0.short), role: $0.role) }
    var others = signs.filter { $0.slot != .mark }.map { (text: CellText($0.short), role: $0.role) }
    func width(_ signs: [(text: CellText, role: Role)]) -> Int { signs.reduce(0) { $0 + $1.text.width + 1 } }
    while width(others) > line.bounds.columns / 2 { others.removeLast() }
    // A row of names without images is read from the left.
    let name = CellText(photo.distinctName ?? photo.name)
    let room = line.bounds.columns - width(marks) - width(others)
    let shown = photo.distinctName == nil ? name.truncated(to: room) : name.truncatedInMiddle(to: room)
    var column = images.areShown ? (room - shown.width) / 2 : 0
    for mark in marks { column = line.put(mark.text, column: column, mark.role) + 1 }
    column = line.put(shown, column: column, role, lighting: photo.found(inName:))
    for sign in others { column = line.put(sign.text, column: column + 1, sign.role) }
  }
}
