import Gallery
import PictureWire
import Pictures
import Terminal

/// Draws pictures, and asks the loader for those that are not there yet.
@MainActor
final class PictureLayer {
  private let loader: PictureLoader?
  private let mode: PictureMode
  private let console: Console

  /// A place that is narrower has no room for why there is no picture.
  private static let narrowestNote = 20

  /// A picture of more characters follows behind the frame that answers a key: ncurses takes some milliseconds for it.
  private static let mostCellsAtOnce = 400

  /// - Parameter loader: nil where no pictures are wanted.
  init(loader: PictureLoader?, mode: PictureMode, console: Console) {
    self.loader = loader
    self.mode = mode
    self.console = console
    loader?.onRendition = { [unowned console] in console.setNeedsDisplay() }
    loader?.onForget = { [unowned console] in console.forget($0) }
    console.onPicturesLost = { [weak loader] in loader?.forgetAll() }
  }

  /// Has pictures that could not be shown, and those whose files have changed, rendered anew, as after a reload.
  func revalidate() { loader?.revalidate() }

  /// Tries all pictures again that could not be shown.
  func retry() { loader?.retry() }

  func beginFrame() { loader?.beginFrame() }
  func endFrame() { loader?.endFrame() }

  /// A cell's size in pixels.
  var cellSize: CellSize { console.capabilities.cellSize }

  /// How many pixels lie in a picture of so many rows from top to bottom; 0 where pictures are drawn with characters.
  func pixels(ofRows rows: Int) -> Int {
    let form = mode.form(on: console.capabilities, depth: .truecolor, charset: .current)
    return form?.way == nil ? 0 : rows * cellSize.height
  }

  /// Draws `image` in the middle of the surface; while it is not there, what is shown of it `meanwhile`, or its place.
  /// - Returns: What is known of it; nil while it is not there.
  @discardableResult
  func draw(
    _ image: ImageLocation, view: PictureView = .whole, frame: Int = 0,
    meanwhile: (view: PictureView, frame: Int)? = nil, on surface: Surface
  ) -> PictureFacts? {
    guard let loader, let subject = subject(image, view, frame, on: surface) else {
      drawPlace(on: surface)
      return nil
    }
    let (rendition, facts) = loader.rendition(of: subject)
    switch rendition {
    case .loading: break
    case .failed(let reason):
      let isFromWeb = if case .web = image { true } else { false }
      drawPlace(on: surface, note: isFromWeb ? "\(reason) \(Binding.reloadHint())" : reason)
      return facts
    case .cells(let picture):
      draw(picture, on: surface)
      return facts
    case .graphic(let id, let picture):
      let graphic = Graphic(picture, id: id, way: subject.look.form.way ?? .drawn)
      if draw(graphic, of: subject, loader, on: surface) { return facts }
    }
    if let meanwhile, meanwhile != (view, frame) {
      draw(image, view: meanwhile.view, frame: meanwhile.frame, on: surface)
    } else {
      drawPlace(on: surface)
    }
    return nil
  }

  /// Has `image` rendered for the surface, behind all that is drawn in this frame.
  func prepare(_ image: ImageLocation, view: PictureView = .whole, frame: Int = 0, for surface: Surface) {
    guard let loader, let subject = subject(image, view, frame, on: surface) else { return }
    if case .graphic(let id, let picture) = loader.rendition(of: subject, isAhead: true).0 {
      surface.prepare(Graphic(picture, id: id, way: subject.look.form.way ?? .drawn))
    }
  }

  /// nil while it is not known how the terminal shows pictures.
  private func subject(
    _ image: ImageLocation, _ view: PictureView, _ frame: Int, on surface: Surface
  ) -> PictureLoader.Subject? {
    guard !surface.bounds.isEmpty, console.isQuestioned,
      let form = mode.form(on: console.capabilities, depth: surface.theme.depth, charset: .current)
    else { return nil }
    let cell = console.capabilities.cellSize
    return PictureLoader.Subject(
      image, columns: surface.bounds.columns, rows: surface.bounds.rows, view: view, frame: frame,
      look: PictureLoader.Look(
        form: form, cellWidth: cell.width, cellHeight: cell.height, background: surface.theme.windowColor,
        palette: surface.theme.depth.colors(of: console.capabilities.palette)))
  }

  /// Draws `graphic` or, until the terminal has all of it, what was there before of the same picture. (kitty does not
  /// show a picture that comes after its placeholders.)
  /// - Returns: Whether there was one of them.
  private func draw(
    _ graphic: Graphic, of subject: PictureLoader.Subject, _ loader: PictureLoader, on surface: Surface
  ) -> Bool {
    var graphic = graphic
    if surface.hasArrived(graphic) {
      loader.forgetPredecessor(of: subject)
    } else {
      guard let (id, preview) = loader.predecessor(of: subject) else { return false }
      graphic = Graphic(preview, id: id, way: graphic.way)
      guard surface.hasArrived(graphic) else { return false }
    }
    surface.put(
      graphic, column: (surface.bounds.columns - graphic.columns) / 2,
      row: (surface.bounds.rows - graphic.rows) / 2)
    return true
  }

  private func draw(_ picture: CellPicture, on surface: Surface) {
    if picture.cells.count > Self.mostCellsAtOnce, surface.postpone() { return }
    let left = (surface.bounds.columns - picture.columns) / 2
    let top = (surface.bounds.rows - picture.rows) / 2
    for (index, cell) in picture.cells.enumerated() {
      surface.putPicture(
        Unicode.Scalar(cell.scalar) ?? " ", column: left + index % picture.columns, row: top + index / picture.columns,
        foreground: cell.foreground == CellPicture.Cell.none ? nil : cell.foreground,
        background: cell.background == CellPicture.Cell.none ? nil : cell.background)
    }
  }

  /// Draws the corners of a picture, as a viewfinder marks them, and in between why there is none.
  func drawPlace(on surface: Surface, note: String = "") {
    let place = surface.on(.picture)
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

extension Graphic {
  fileprivate init(_ picture: GraphicPicture, id: UInt32, way: Way) {
    self.init(
      id: id, way: way, columns: picture.columns, rows: picture.rows, width: picture.width, height: picture.height,
      bytes: picture.bytes)
  }
}
