import ImageWire

/// The place of an image in its box: the part that is shown, its cells, and its pixels.
struct Layout {
  let columns: Int
  let rows: Int
  /// The part of the upright image that is shown.
  let part: PixelRect
  /// The number of pixels that show the part. Characters are chosen by any number of pixels, so for them this is a hint.
  let pixels: PixelSize
  /// Whether the image is cut at the sides to fill the box.
  let isCut: Bool
  /// Whether the user has zoomed in on a part.
  let isPart: Bool
  /// The number of the screen's pixels for one of the image, in units of 1/65536.
  let scale: Int
  /// The longer side of a smaller version of the whole image that looks as sharp in its place as the image itself. No version
  /// is sharp enough for a part.
  let sharpSide: Int
  private let isCharacters: Bool

  /// The pixels of a cell by which a character is chosen, unless all cells together would have too many.
  private static let symbolCell = PixelSize(8, 16)
  private static let mostSymbolPixels = 32 << 20
  /// The factor by which a decoder's own scaling leaves more pixels on each side than are shown.
  static let margin = 2.0
  /// The same factor for large images, in which the next larger scale takes far longer.
  private static let largeMargin = 1.5

  /// - Parameter upright: The size of the image when it is rotated as the specification says.
  init(_ upright: PixelSize, _ specification: RenditionSpecification) {
    let view = specification.presentation.view
    let cell = PixelSize(specification.screen.cellWidth, specification.screen.cellHeight)
    let room = PixelSize(specification.columns * cell.width, specification.rows * cell.height)
    let box = view == .fillingHeight ? room.narrowed(to: upright) : room
    isCut = view == .filling || view == .fillingHeight
    isCharacters = specification.screen.format.characterColors != nil
    if case .zoomed(let zoom, let centerX, let centerY) = view {
      isPart = true
      scale = max(1, zoom)
      part = Self.part(of: upright, seenIn: box, scale: scale, centerX, centerY)
    } else {
      isPart = false
      // Enlarging gains nothing for pixels. Characters are coarse enough to gain from it.
      let isEnlarged = isCharacters || isCut || view == .enlarged
      let largest = isEnlarged ? Double.infinity : 1
      let fit = min(Double(box.width) / Double(upright.width), Double(box.height) / Double(upright.height))
      scale = max(1, Int(min(largest, fit) * 65536))
      part = isCut ? PixelRect(inMiddleOf: upright, like: box) : PixelRect(size: upright)
    }
    sharpSide = isPart ? .max : Self.sharpSide(of: upright, in: box, scale: scale, isCut: isCut, specification.screen)
    let size = isCut ? box : part.size.scaled(by: scale, within: box)
    if isCharacters {
      columns = min(specification.columns, max(1, (size.width * 2 / cell.width + 1) / 2))
      rows = min(specification.rows, max(1, (size.height * 2 / cell.height + 1) / 2))
      pixels = isPart ? size : Self.symbolPixels(columns, rows)
    } else {
      columns = (size.width + cell.width - 1) / cell.width
      rows = (size.height + cell.height - 1) / cell.height
      pixels = size
    }
  }

  /// The numbers of pixels that a decoder should return at least, if the image has as many: usually, and if decoding that many
  /// takes longer than everything else.
  ///
  /// A decoder that shrinks by eighths loses sharpness if it returns just the pixels that are shown, so it returns more of
  /// them. Characters gain nothing from that.
  var decodedPixels: (usual: PixelSize, large: PixelSize) {
    func times(_ margin: Double) -> PixelSize {
      PixelSize(Int(Double(pixels.width) * margin), Int(Double(pixels.height) * margin))
    }
    return isCharacters ? (pixels, pixels) : (times(Self.margin), times(Self.largeMargin))
  }

  /// The filter that scales the part. At a large zoom, the user can tell single pixels apart.
  var filter: ScalingFilter { isPart && scale > 65536 ? .nearest : .smooth }

  private static func symbolPixels(_ columns: Int, _ rows: Int) -> PixelSize {
    var cell = symbolCell
    while columns * rows * cell.area > mostSymbolPixels { cell = PixelSize(cell.width / 2, cell.height / 2) }
    return PixelSize(columns * cell.width, rows * cell.height)
  }

  /// Returns the part around a point, which is given in units of 1/65536 of the image's width and height.
  private static func part(
    of image: PixelSize, seenIn box: PixelSize, scale: Int, _ centerX: Int, _ centerY: Int
  ) -> PixelRect {
    let across = ImageView.stretch(of: image.width, in: box.width, scale: scale, around: centerX)
    let down = ImageView.stretch(of: image.height, in: box.height, scale: scale, around: centerY)
    return PixelRect(x: across.lowerBound, y: down.lowerBound, size: PixelSize(across.count, down.count))
  }

  /// Returns the longer side of a smaller version of the whole image that looks as sharp as the image itself.
  ///
  /// With pixels it is the side that is shown, or a tenth less where many images are cut to fill their boxes. Characters need
  /// about six pixels for a cell's width.
  private static func sharpSide(
    of upright: PixelSize, in box: PixelSize, scale: Int, isCut: Bool, _ screen: RenditionScreen
  ) -> Int {
    // The scale of an image that is cut is that of the side that is not.
    let filling = max(Double(box.width) / Double(upright.width), Double(box.height) / Double(upright.height))
    let scale = isCut ? Int(min(1, filling) * 65536) : min(scale, 65536)
    let shown = upright.scaled(by: scale, within: upright)
    guard screen.format.characterColors != nil else {
      return isCut ? shown.longerSide * 9 / 10 : shown.longerSide
    }
    return max(shown.width * 6 / screen.cellWidth, shown.height * 12 / screen.cellHeight)
  }
}

extension PixelSize {
  /// Returns this size, as narrow as an image is that is as high.
  fileprivate func narrowed(to image: PixelSize) -> PixelSize {
    PixelSize(max(1, min(width, image.width * height / image.height)), height)
  }

  /// - Parameter scale: The factor, in units of 1/65536.
  fileprivate func scaled(by scale: Int, within box: PixelSize) -> PixelSize {
    PixelSize(
      max(1, min(box.width, (width * scale + 32768) / 65536)),
      max(1, min(box.height, (height * scale + 32768) / 65536)))
  }
}
