import Gallery
import ImageWire
import Images
import Terminal

/// The terminal as the image layer sees it.
@MainActor
protocol ImageDisplay: AnyObject {
  var capabilities: Capabilities { get }
  /// Whether the terminal has had its time to answer the program's questions.
  var isQuestioned: Bool { get }
  /// Called when the terminal has lost images.
  var onImagesLost: () -> Void { get set }

  /// Requests a frame.
  func setNeedsDisplay()
  /// Releases images that will not be shown again.
  func forget(_ graphics: [UInt32])
}

extension Console: ImageDisplay {}

/// Draws images, and requests from the loader those that it does not have yet.
@MainActor
final class ImageLayer {
  private let loader: ImageLoader?
  private let choice: OutputChoice
  private let display: any ImageDisplay
  /// Returns the sentence that names the key to load an image again.
  var reloadHint: () -> String = { "" }

  /// The narrowest place with room for the reason why there is no image, in columns.
  private static let narrowestNote = 20

  /// The number of characters above which an image is left to the frame after the one that answers a key. ncurses needs
  /// some milliseconds for it.
  private static let mostCellsAtOnce = 400

  /// - Parameter loader: nil if no images are wanted.
  init(loader: ImageLoader?, choice: OutputChoice, display: any ImageDisplay) {
    self.loader = loader
    self.choice = choice
    self.display = display
    loader?.onRendition = { [unowned display] in display.setNeedsDisplay() }
    loader?.onForget = { [unowned display] in display.forget($0) }
    display.onImagesLost = { [weak loader] in loader?.forgetAll() }
  }

  /// Retries images that could not be shown, and renders changed files again, as after a reload.
  func revalidate() { loader?.revalidate() }

  /// Retries all images that could not be shown, those from the web included.
  func retry() { loader?.retry() }

  func beginFrame() { loader?.beginFrame() }
  func endFrame() { loader?.endFrame() }

  /// A cell's size in pixels.
  var cellSize: CellSize { display.capabilities.cellSize }

  /// Returns the height of `rows` rows in pixels; 0 if images are drawn with characters.
  func pixels(ofRows rows: Int) -> Int {
    let format = choice.format(on: display.capabilities, depth: .truecolor, charset: .current)
    return (format?.delivery ?? .cells) == .cells ? 0 : rows * cellSize.height
  }

  /// Draws an image in the middle of the surface. Until it is there, another view of it (`meanwhile`) is drawn, or its place.
  /// - Returns: The properties of the image; nil until it is there.
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
    case .failed(let fault):
      let isFromWeb = if case .web = image { true } else { false }
      drawPlace(on: surface, note: isFromWeb ? "\(fault.message) \(reloadHint())" : fault.message)
      return info
    case .notFetched(let error):
      drawPlace(on: surface, note: "\(error.message) \(reloadHint())")
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

  /// Requests the rendition of an image for the surface, after all that this frame draws.
  func prepare(_ image: ImageLocation, view: ImageView = .whole, frame: Int = 0, for surface: Surface) {
    guard let loader, let subject = subject(image, view, frame, on: surface) else { return }
    if case .graphic(let id, let image) = loader.rendition(of: subject, isAhead: true).0 {
      surface.prepare(Graphic(image, id: id, format: subject.look.format))
    }
  }

  /// Returns what to request from the loader; nil until the output format is known.
  private func subject(
    _ image: ImageLocation, _ view: ImageView, _ frame: Int, on surface: Surface
  ) -> ImageLoader.Subject? {
    guard !surface.bounds.isEmpty, display.isQuestioned,
      let format = choice.format(on: display.capabilities, depth: surface.theme.depth, charset: .current)
    else { return nil }
    let cell = display.capabilities.cellSize
    return ImageLoader.Subject(
      image, columns: surface.bounds.columns, rows: surface.bounds.rows, view: view, frame: frame,
      look: ImageLoader.Look(
        format: format, cellWidth: cell.width, cellHeight: cell.height, background: surface.theme.windowColor,
        palette: surface.theme.depth.colors(of: display.capabilities.palette)))
  }

  /// Draws `graphic`, or its predecessor until the terminal can show it. (A terminal that stores images does not show one
  /// that comes after its placeholders.)
  /// - Returns: Whether one of them was drawn.
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

  /// Draws the corners of an image, as a viewfinder marks them, with the reason in between why there is no image.
  func drawPlace(on surface: Surface, note: String = "") {
    let place = surface.on(.image)
    let (columns, rows) = (place.bounds.columns, place.bounds.rows)
    place.clear()
    guard columns >= 4, rows >= 2 else { return }
    place.put("┌", .faint)
    place.put("┐", column: columns - 1, .faint)
    place.put("└", row: rows - 1, .faint)
    place.put("┘", column: columns - 1, row: rows - 1, .faint)
    // If there is no room for words, the detail has them.
    let note = columns < Self.narrowestNote && !note.isEmpty ? "!" : note
    let lines = CellText(note).wrapped(to: columns - 4).prefix(rows - 2)
    for (index, line) in lines.enumerated() {
      place.put(line, column: (columns - line.width) / 2, row: (rows - lines.count) / 2 + index, .secondary)
    }
  }
}
