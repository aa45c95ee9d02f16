import Gallery
import ImageWire
import Images
import Terminal

/// Draws images, and asks the loader for those that are not there yet.
@MainActor
final class ImageLayer {
  private let loader: ImageLoader?
  private let choice: OutputChoice
  private let console: Console

  /// A place that is narrower has no room for why there is no image.
  private static let narrowestNote = 20

  /// An image of more characters follows behind the frame that answers a key: ncurses takes some milliseconds for it.
  private static let mostCellsAtOnce = 400

  /// - Parameter loader: nil where no images are wanted.
  init(loader: ImageLoader?, choice: OutputChoice, console: Console) {
    self.loader = loader
    self.choice = choice
    self.console = console
    loader?.onRendition = { [unowned console] in console.setNeedsDisplay() }
    loader?.onForget = { [unowned console] in console.forget($0) }
    console.onImagesLost = { [weak loader] in loader?.forgetAll() }
  }

  /// Has images that could not be shown, and those whose files have changed, rendered anew, as after a reload.
  func revalidate() { loader?.revalidate() }

  /// Tries all images again that could not be shown.
  func retry() { loader?.retry() }

  func beginFrame() { loader?.beginFrame() }
  func endFrame() { loader?.endFrame() }

  /// A cell's size in pixels.
  var cellSize: CellSize { console.capabilities.cellSize }

  /// How many pixels lie in an image of so many rows from top to bottom; 0 where images are drawn with characters.
  func pixels(ofRows rows: Int) -> Int {
    let format = choice.format(on: console.capabilities, depth: .truecolor, charset: .current)
    return (format?.delivery ?? .cells) == .cells ? 0 : rows * cellSize.height
  }

  /// Draws `image` in the middle of the surface; while it is not there, what is shown of it `meanwhile`, or its place.
  /// - Returns: What is known of it; nil while it is not there.
  @discardableResult
  func draw(
    _ image: ImageLocation, view: ImageView = .whole, frame: Int = 0,
    meanwhile: (view: ImageView, frame: Int)? = nil, on surface: Surface
  ) -> ImageInfo? {
    guard let loader, let subject = subject(image, view, frame, on: surface) else {
      drawPlace(on: surface)
      return nil
    }
    let (rendition, info) = loader.rendition(of: subject)
    switch rendition {
    case .loading: break
    case .failed(let reason):
      let isFromWeb = if case .web = image { true } else { false }
      drawPlace(on: surface, note: isFromWeb ? "\(reason) \(Binding.reloadHint())" : reason)
      return info
    case .cells(let image):
      draw(image, on: surface)
      return info
    case .graphic(let id, let image):
      let graphic = Graphic(image, id: id, format: subject.look.format)
      if draw(graphic, of: subject, loader, on: surface) { return info }
    }
    if let meanwhile, meanwhile != (view, frame) {
      draw(image, view: meanwhile.view, frame: meanwhile.frame, on: surface)
    } else {
      drawPlace(on: surface)
    }
    return nil
  }

  /// Has `image` rendered for the surface, behind all that is drawn in this frame.
  func prepare(_ image: ImageLocation, view: ImageView = .whole, frame: Int = 0, for surface: Surface) {
    guard let loader, let subject = subject(image, view, frame, on: surface) else { return }
    if case .graphic(let id, let image) = loader.rendition(of: subject, isAhead: true).0 {
      surface.prepare(Graphic(image, id: id, format: subject.look.format))
    }
  }

  /// nil while it is not known how the terminal shows images.
  private func subject(
    _ image: ImageLocation, _ view: ImageView, _ frame: Int, on surface: Surface
  ) -> ImageLoader.Subject? {
    guard !surface.bounds.isEmpty, console.isQuestioned,
      let format = choice.format(on: console.capabilities, depth: surface.theme.depth, charset: .current)
    else { return nil }
    let cell = console.capabilities.cellSize
    return ImageLoader.Subject(
      image, columns: surface.bounds.columns, rows: surface.bounds.rows, view: view, frame: frame,
      look: ImageLoader.Look(
        format: format, cellWidth: cell.width, cellHeight: cell.height, background: surface.theme.windowColor,
        palette: surface.theme.depth.colors(of: console.capabilities.palette)))
  }

  /// Draws `graphic` or, until the terminal has all of it, what was there before of the same image. (kitty does not
  /// show an image that comes after its placeholders.)
  /// - Returns: Whether there was one of them.
  private func draw(
    _ graphic: Graphic, of subject: ImageLoader.Subject, _ loader: ImageLoader, on surface: Surface
  ) -> Bool {
    var graphic = graphic
    if surface.hasArrived(graphic) {
      loader.forgetPredecessor(of: subject)
    } else {
      guard let (id, preview) = loader.predecessor(of: subject) else { return false }
      graphic = Graphic(preview, id: id, format: subject.look.format)
      guard surface.hasArrived(graphic) else { return false }
    }
    surface.put(
      graphic, column: (surface.bounds.columns - graphic.image.columns) / 2,
      row: (surface.bounds.rows - graphic.image.rows) / 2)
    return true
  }

  private func draw(_ image: CellImage, on surface: Surface) {
    if image.cells.count > Self.mostCellsAtOnce, surface.postpone() { return }
    let left = (surface.bounds.columns - image.columns) / 2
    let top = (surface.bounds.rows - image.rows) / 2
    for (index, cell) in image.cells.enumerated() {
      surface.putImage(
        Unicode.Scalar(cell.scalar) ?? " ", column: left + index % image.columns, row: top + index / image.columns,
        foreground: cell.foreground == CellImage.Cell.none ? nil : cell.foreground,
        background: cell.background == CellImage.Cell.none ? nil : cell.background)
    }
  }

  /// Draws the corners of an image, as a viewfinder marks them, and in between why there is none.
  func drawPlace(on surface: Surface, note: String = "") {
    let place = surface.on(.image)
    let (columns, rows) = (place.bounds.columns, place.bounds.rows)
    place.clear()
    guard columns >= 4, rows >= 2 else { return }
    place.put("┌", .faint)
    place.put("┐", column: columns - 1, .faint)
    place.put("└", row: rows - 1, .faint)
    place.put("┘", column: columns - 1, row: rows - 1, .faint)
    // Where there is no room for words the detail has them.
    let note = columns < Self.narrowestNote && !note.isEmpty ? "!" : note
    let lines = CellText(note).wrapped(to: columns - 4).prefix(rows - 2)
    for (index, line) in lines.enumerated() {
      place.put(line, column: (columns - line.width) / 2, row: (rows - lines.count) / 2 + index, .secondary)
    }
  }
}
