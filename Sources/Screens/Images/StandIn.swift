import ImageWire
import Images
import Terminal

/// A rendition that shows all that a subject shows of the same image, in another size or with more around it.
struct StandIn {
  let rendition: ImageLoader.Rendition
  /// The pixels of the rendition for one of the image. The part of a finer one is sharper.
  let detail: Double
  private let subject: ImageLoader.Subject
  /// The part that the rendition shows, and the one that the subject shows.
  private let source, target: ImagePlace
  /// The cells that the subject takes.
  private let size: Size

  /// Returns nil if the rendition lacks a part of what the subject shows.
  init?(
    _ other: (subject: ImageLoader.Subject, rendition: ImageLoader.Rendition, info: ImageInfo),
    for subject: ImageLoader.Subject, areCharacters: Bool
  ) {
    let imageSize = (width: other.info.width, height: other.info.height)
    func place(_ subject: ImageLoader.Subject) -> ImagePlace? {
      let window = ImageWindow(
        width: subject.columns * subject.look.cellWidth, height: subject.rows * subject.look.cellHeight,
        isEnlarging: areCharacters)
      return ImagePlace(of: subject.view, size: imageSize, in: window)
    }
    guard let source = place(other.subject), let target = place(subject), source.contains(target) else { return nil }
    self.subject = subject
    self.source = source
    self.target = target
    rendition = other.rendition
    let cell = CellSize(width: subject.look.cellWidth, height: subject.look.cellHeight)
    size = target.cells(of: cell, areCharacters: areCharacters)
    switch rendition {
    case .cells: detail = source.scale
    case .graphic(_, let image): detail = source.scale * Double(image.width) / source.shownWidth
    case .loading, .failed, .notFetched: return nil
    }
  }

  /// Whether the subject shows the whole image.
  var isWhole: Bool { !subject.view.isPart && subject.view != .filling }

  /// Returns characters in the size of the subject.
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

  /// Returns an image that the terminal stores in the size of the subject; nil if the terminal can't scale it.
  func scaled(_ image: GraphicImage, id: UInt32) -> Graphic? {
    // The last cells of a placed image may have a margin, to which the terminal has stretched it.
    let look = subject.look
    let hasMargin = image.isEnlarged && image.isPlaced
    let width = hasMargin ? Double(image.columns * look.cellWidth) : source.shownWidth
    let height = hasMargin ? Double(image.rows * look.cellHeight) : source.shownHeight
    /// Returns the stored pixels of a stretch of the image's pixels.
    func pixels(_ start: Double, _ length: Double, _ factor: Double, count: Int) -> Range<Int> {
      let first = min(max(0, Int((start * factor).rounded())), count - 1)
      return first..<min(count, first + max(1, Int((length * factor).rounded())))
    }
    // The cells may show a little more than the part.
    let seenWidth = Double(size.columns * look.cellWidth) / target.scale
    let seenHeight = Double(size.rows * look.cellHeight) / target.scale
    return Graphic(
      partOf: image, id: id, format: look.format,
      pixels: (
        columns: pixels(
          target.x - source.x, seenWidth, source.scale * Double(image.width) / width, count: image.width),
        rows: pixels(
          target.y - source.y, seenHeight, source.scale * Double(image.height) / height, count: image.height)
      ), scaledTo: size)
  }
}

extension ImageView {
  /// Whether only a part of the image is shown, which the user has enlarged.
  var isPart: Bool { if case .zoomed = self { true } else { false } }
}
