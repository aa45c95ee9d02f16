import PictureWire
import Terminal
import ViewModels

/// Draws one row of the photo list.
enum PhotoRowCell {
  /// The lines of a row with a thumbnail, and the width of the thumbnail in cells: about 4 to 3 on the screen.
  static let tallHeight = 3
  private static let thumbnailWidth = 8
  /// Below this width a row has no room for a thumbnail, and its name none for a date beside it.
  private static let narrowest = 30

  @MainActor
  static func draw(
    _ row: PhotoRow, isTall: Bool, isHighlighted: Bool, pictures: PictureLayer, on surface: Surface
  ) {
    surface.clear()
    if isHighlighted {
      for line in 0..<surface.bounds.rows { surface.on(.window).put("▌", row: line, .accent) }
    }
    if isTall { drawTall(row, pictures: pictures, on: surface) } else { drawLine(row, on: surface) }
  }

  @MainActor
  private static func drawTall(_ row: PhotoRow, pictures: PictureLayer, on surface: Surface) {
    let (_, inside) = surface.bounds.split(columns: 1)
    let (thumbnail, rest) = inside.split(columns: inside.columns < narrowest ? 0 : thumbnailWidth + 1)
    pictures.draw(row.image, view: .filling, on: surface.clipped(to: thumbnail.split(columns: thumbnailWidth).0))
    let text = surface.clipped(to: rest.split(columns: rest.columns - 1).0)
    drawName(of: row, from: 0, .title, on: text)
    text.put(CellText(row.subtitle, truncatedTo: text.bounds.columns), row: 1, .secondary)
    if let badge = row.saleBadge {
      text.put("\(badge.symbol) \(badge.text)", row: 2, badge.role)
    }
  }

  @MainActor
  private static func drawLine(_ row: PhotoRow, on surface: Surface) {
    let text = surface.clipped(to: surface.bounds.inset(columns: 1))
    if let badge = row.saleBadge { text.put(badge.symbol, badge.role) }
    drawName(of: row, from: 2, .text, on: text)
  }

  /// The name, and the date at the right where it leaves the name room.
  @MainActor
  private static func drawName(of row: PhotoRow, from column: Int, _ role: Role, on text: Surface) {
    let hasDate = text.bounds.columns - column >= narrowest - thumbnailWidth
    let end = hasDate ? text.putRight(row.date, .secondary) - 1 : text.bounds.columns
    text.put(CellText(row.name, truncatedTo: end - column), column: column, role)
  }
}

extension SaleBadge {
  var symbol: String { isForSale ? "●" : "○" }
  var role: Role { isForSale ? .positive : .negative }
}
