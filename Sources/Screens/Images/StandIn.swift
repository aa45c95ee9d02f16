import ImageWire
import Images
import Terminal

/// A rendition that shows all that another one is to show of the same image, in another size or with more around it.
struct StandIn {
  let rendition: ImageLoader.Rendition
  /// The pixels of the rendition for one of the image. The part of a finer one is sharper.
  let detail: Double
  private let screen: RenditionScreen
  private let view: ImageView
  /// The part that the rendition shows, and the one that is to be shown.
  private let source, target: ShownPart
  /// The cells that this takes.
  private let size: Size

  /// Returns nil if the rendition lacks a part of what the specification shows.
  init?(
    _ other: (specification: RenditionSpecification, rendition: ImageLoader.Rendition, info: ImageInfo),
    for specification: RenditionSpecification, areCharacters: Bool
  ) {
    let imageSize = (width: other.info.width, height: other.info.height)
    func place(_ specification: RenditionSpecification) -> ShownPart? {
      let screen = specification.screen
      let window = ImageWindow(
        width: specification.columns * screen.cellWidth, height: specification.rows * screen.cellHeight,
        isEnlarging: areCharacters)
      return ShownPart(of: specification.presentation.view, size: imageSize, in: window)
    }
    guard let source = place(other.specification), let target = place(specification), source.contains(target)
    else { return nil }
    screen = specification.screen
    view = specification.presentation.view
    self.source = source
    self.target = target
    rendition = other.rendition
    let cell = CellSize(width: screen.cellWidth, height: screen.cellHeight)
    size = target.cells(of: cell, areCharacters: areCharacters)
    switch rendition {
    case .cells: detail = source.scale
    case .graphic(_, let image): detail = source.scale * Double(image.width) / source.shownWidth
    case .loading, .failed, .notFetched: return nil
    }
  }

  /// Whether the whole image is to be shown.
  var isWhole: Bool { !view.isPart && view != .filling }

  /// Returns characters in the size of the missing image.
  func scaled(_ image: CellImage, depth: ColorDepth) -> CellImage {
    func part(_ start: Double, _ length: Double, of sourceStart: Double, _ sourceLength: Double) -> ClosedRange<Double>
    {
      let first = (start - sourceStart) / sourceLength
      return first...first + length / sourceLength
    }
    return image.scaled(
      columns: part(target.x, target.width, of: source.x, source.width),
      rows: part(target.y, target.height, of: source.y, source.height), to: (size.columns, size.rows), depth: depth)
  }

  /// Returns an image that the terminal stores, in the size of the missing image; nil if the terminal can't scale it.
  func scaled(_ image: GraphicImage, id: UInt32) -> Graphic? {
    // The last cells of a placed image may have a margin, to which the terminal has stretched it.
    let hasMargin = image.isEnlarged && image.isPlaced
    let width = hasMargin ? Double(image.columns * screen.cellWidth) : source.shownWidth
    let height = hasMargin ? Double(image.rows * screen.cellHeight) : source.shownHeight
    /// Returns the stored pixels of a stretch of the image's pixels.
    func pixels(_ start: Double, _ length: Double, _ factor: Double, count: Int) -> Range<Int> {
      let first = min(max(0, Int((start * factor).rounded())), count - 1)
      return first..<min(count, first + max(1, Int((length * factor).rounded())))
    }
    // The cells may show a little more than the part.
    let seenWidth = Double(size.columns * screen.cellWidth) / target.scale
    let seenHeight = Double(size.rows * screen.cellHeight) / target.scale
    return Graphic(
      partOf: image, id: id, format: screen.format,
      pixels: (
        columns: pixels(
          target.x - source.x, seenWidth, source.scale * Double(image.width) / width, count: image.width),
        rows: pixels(
          target.y - source.y, seenHeight, source.scale * Double(image.height) / height, count: image.height)
      ), scaledTo: size)
  }
}
