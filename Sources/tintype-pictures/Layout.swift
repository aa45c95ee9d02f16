import PictureWire

/// How a picture lies in its box: the cells it takes and the pixels it is drawn with.
struct Layout {
  let columns: Int
  let rows: Int
  let pixels: PixelSize
  /// Whether it is cut at the sides to fill the box.
  var isCut: Bool
  /// Whether the box shows a part of it.
  let isPart: Bool
  /// Pixels of the screen to one of the picture, in units of 1/65536.
  let scale: Int
  /// By how much a JPEG may be shrunk while it is decoded: 1, 2, 4 or 8.
  let jpegShrink: Int

  /// The pixels of a cell by which a character is chosen.
  private static let symbolCell = PixelSize(8, 16)

  /// - Parameters:
  ///   - upright: The size of the picture itself.
  ///   - isWhole: Whether it is shown whole even if the request is for a part.
  init(_ upright: PixelSize, _ request: PictureRequest, isWhole: Bool = false) {
    let cell = PixelSize(request.cellWidth, request.cellHeight)
    let box = PixelSize(request.columns * cell.width, request.rows * cell.height)
    let (width, height) = (Double(upright.width), Double(upright.height))
    var scale = min(Double(box.width) / width, Double(box.height) / height)
    isCut = request.view == .filling
    // Pixels are not made larger than they are; characters are coarse enough to gain by it.
    if !request.form.isSymbols, !isCut { scale = min(1, scale) }
    if case .zoomed(let zoom, _, _) = request.view, !isWhole {
      isPart = true
      scale = Double(zoom) / 65536
    } else {
      isPart = false
    }
    var size = PixelSize(
      max(1, min(box.width, Int((width * scale).rounded()))), max(1, min(box.height, Int((height * scale).rounded()))))
    if isCut { size = box }
    if request.form.isSymbols {
      columns = min(request.columns, max(1, Int((Double(size.width) / Double(cell.width)).rounded())))
      rows = min(request.rows, max(1, Int((Double(size.height) / Double(cell.height)).rounded())))
      // For zooming the pixels are those of the screen, which the characters are then chosen by.
      pixels =
        isPart ? size : PixelSize(columns * Self.symbolCell.width, rows * Self.symbolCell.height)
    } else {
      columns = (size.width + cell.width - 1) / cell.width
      rows = (size.height + cell.height - 1) / cell.height
      pixels = size
    }
    self.scale = Int(scale * 65536)
    let room = min(upright.width / max(1, pixels.width), upright.height / max(1, pixels.height))
    jpegShrink = [8, 4, 2].first { $0 <= room } ?? 1
  }

  /// The longer side that a thumbnail must have for nothing to be missing: about six pixels to a cell's width for
  /// characters, all of them for pixels.
  static func neededPixels(_ request: PictureRequest) -> Int {
    request.form.isSymbols
      ? max(request.columns * 6, request.rows * 12)
      : max(request.columns * request.cellWidth, request.rows * request.cellHeight) * 9 / 10
  }

  /// The largest part of a picture that has the proportions of another.
  static func part(of size: PixelSize, like other: PixelSize) -> PixelSize {
    PixelSize(
      max(1, min(size.width, size.height * other.width / max(1, other.height))),
      max(1, min(size.height, size.width * other.height / max(1, other.width))))
  }
}

extension PictureForm {
  var isSymbols: Bool {
    if case .symbols = self { true } else { false }
  }
}
