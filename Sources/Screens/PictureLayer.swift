import Gallery
import PictureWire
import Pictures
import Terminal

/// Draws pictures, and asks the loader for those that are not there yet.
@MainActor
final class PictureLayer {
  private let loader: PictureLoader?
  private let cellAspect: () -> Double

  /// - Parameters:
  ///   - loader: nil where no pictures are wanted.
  ///   - cellAspect: A cell's height divided by its width.
  init(loader: PictureLoader?, cellAspect: @escaping () -> Double) {
    self.loader = loader
    self.cellAspect = cellAspect
  }

  func beginFrame() { loader?.beginFrame() }
  func endFrame() { loader?.endFrame() }

  /// Draws `image` in the middle of the surface, or cut so as to fill it; its place while it is not there.
  func draw(_ image: ImageLocation, fillingBox fillsBox: Bool = false, on surface: Surface) {
    guard let loader, !surface.bounds.isEmpty else { return drawPlace(on: surface) }
    switch loader.rendition(
      of: image, columns: surface.bounds.columns, rows: surface.bounds.rows, fillsBox: fillsBox,
      look: look(on: surface))
    {
    case .loading: drawPlace(on: surface)
    case .failed(let reason): drawPlace(on: surface, note: reason)
    case .cells(let picture): draw(picture, on: surface)
    }
  }

  /// Has `image` rendered for the surface, behind all that is drawn in this frame.
  func prepare(_ image: ImageLocation, for surface: Surface) {
    guard let loader, !surface.bounds.isEmpty else { return }
    _ = loader.rendition(
      of: image, columns: surface.bounds.columns, rows: surface.bounds.rows, fillsBox: false, look: look(on: surface))
  }

  private func look(on surface: Surface) -> PictureLoader.Look {
    PictureLoader.Look(
      cellAspect: Int(cellAspect() * 256), colors: surface.theme.depth.pictureColors,
      isUnicode: Charset.current == .unicode, background: surface.theme.windowColor)
  }

  private func draw(_ picture: CellPicture, on surface: Surface) {
    let left = (surface.bounds.columns - picture.columns) / 2
    let top = (surface.bounds.rows - picture.rows) / 2
    for (index, cell) in picture.cells.enumerated() {
      surface.putPicture(
        Unicode.Scalar(cell.scalar) ?? " ", column: left + index % picture.columns, row: top + index / picture.columns,
        foreground: cell.foreground == CellPicture.Cell.none ? nil : cell.foreground,
        background: cell.background == CellPicture.Cell.none ? nil : cell.background)
    }
  }

  /// The corners of the picture, as a viewfinder marks them, and in between why there is none.
  private func drawPlace(on surface: Surface, note: String = "") {
    let place = surface.on(.picture)
    let (columns, rows) = (place.bounds.columns, place.bounds.rows)
    place.clear()
    guard columns >= 4, rows >= 2 else { return }
    place.put("┌", .faint)
    place.put("┐", column: columns - 1, .faint)
    place.put("└", row: rows - 1, .faint)
    place.put("┘", column: columns - 1, row: rows - 1, .faint)
    let lines = CellText(note).wrapped(to: columns - 4).prefix(rows - 2)
    for (index, line) in lines.enumerated() {
      place.put(line, column: (columns - line.width) / 2, row: (rows - lines.count) / 2 + index, .secondary)
    }
  }
}

extension ColorDepth {
  fileprivate var pictureColors: PictureColors {
    switch self {
    case .truecolor: .truecolor
    case .palette256: .palette256
    case .palette16: .palette16
    case .palette8: .palette8
    case .monochrome: .monochrome
    }
  }
}
