import Gallery
import Terminal
import ViewModels

/// A print: its title, price, size and paper, the number left, and the number in the basket.
@MainActor
final class PrintCell: RowCell {
  private let context: CellContext
  private var row: PrintRow?
  private var binding: Subscription?

  init(_ context: CellContext) { self.context = context }

  static func height(_ context: CellContext) -> Int { context.thumbnailHeight }

  func bind(_ row: PrintRow) {
    self.row = row
    binding = row.inBasket.bind { [unowned self] _ in context.onChange() }
  }

  func release() {
    row = nil
    binding = nil
  }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let text = ThumbnailRow.draw(row.image, context.images, on: surface).text
    let end = text.putRight(row.price, .accent) - 1
    text.put(CellText(row.title, truncatedTo: end), .title)
    text.put(CellText("\(row.size), \(row.paper)", truncatedTo: text.bounds.columns), row: 1, .secondary)
    let next = text.put(row.left, row: 2, row.isSoldOut ? .negative : .positive) + 2
    let inBasket = row.inBasket.value
    if inBasket > 0 { text.put(localized("\(inBasket) in the basket"), column: next, row: 2, .accent) }
  }
}

/// An album: its cover, its name and artist, and the first track that was found.
@MainActor
final class CoverCell: RowCell {
  private let context: CellContext
  private var row: CoverRow?

  init(_ context: CellContext) { self.context = context }

  static func height(_ context: CellContext) -> Int { context.thumbnailHeight }

  func bind(_ row: CoverRow) { self.row = row }
  func release() { row = nil }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let pixels = context.images.pixels(ofRows: context.thumbnailHeight)
    let text = ThumbnailRow.draw(row.artwork(pixels: pixels), context.images, on: surface).text
    text.put(CellText(row.album, truncatedTo: text.bounds.columns), .title)
    text.put(CellText(row.artist, truncatedTo: text.bounds.columns), row: 1, .secondary)
    text.put(CellText(row.track).truncatedInMiddle(to: text.bounds.columns), row: 2)
  }
}

/// A further track of the album above, below the album's texts.
@MainActor
final class TrackCell: RowCell {
  private let context: CellContext
  private var row: TrackRow?

  init(_ context: CellContext) { self.context = context }

  static func height(_: CellContext) -> Int { 1 }

  func bind(_ row: TrackRow) { self.row = row }
  func release() { row = nil }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let column = ThumbnailRow.textColumn(
      inRowOf: surface.bounds.columns, height: context.thumbnailHeight, context.images)
    surface.put(CellText(row.track).truncatedInMiddle(to: surface.bounds.columns - column - 1), column: column)
  }
}
