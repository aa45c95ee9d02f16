/// The sizes of an image that has fewer pixels than the screen, so that it covers the same pixels as the sharp image once
/// kitty has enlarged it.
struct EnlargedImage {
  /// The size of the image itself.
  let image: PixelSize
  /// The size with the margins at the right and at the bottom.
  let canvas: PixelSize
  /// The parts of the last column and of the last row that the image covers, from 0 to 1.
  var (lastColumn, lastRow) = (1.0, 1.0)

  /// Creates sizes for an image behind placeholders, which kitty enlarges until it fits the cells.
  ///
  /// - Parameters:
  ///   - most: The size that the image should have. It becomes up to an eighth smaller to have the proportions of the
  ///     sharp image.
  ///   - sharp: The size of the sharp image, in pixels of the screen.
  init(fitted most: PixelSize, for sharp: PixelSize) {
    func height(_ width: Int) -> Double { Double(width * sharp.height) / Double(sharp.width) }
    func error(_ width: Int) -> Double { abs(max(1, height(width).rounded()) / height(width) - 1) }
    let widths = (max(1, most.width * 7 / 8)...max(1, most.width)).reversed()
    let width = widths.min { error($0) < error($1) } ?? most.width
    image = PixelSize(width, max(1, Int(height(width).rounded())))
    canvas = image
  }

  /// Creates sizes for a placed image, which kitty stretches over all of its cells.
  ///
  /// - Parameters:
  ///   - wanted: The size that the image should have.
  ///   - cells: The size of the cells, in pixels of the screen.
  init(stretched wanted: PixelSize, for sharp: PixelSize, in cells: PixelSize) {
    func lengths(_ wanted: Int, _ sharp: Int, _ cells: Int) -> (image: Int, canvas: Int, last: Double) {
      let canvas = max(1, (wanted * cells * 2 / sharp + 1) / 2)
      let covered = Double(canvas * sharp) / Double(cells)
      let image = max(1, covered.rounded(.up))
      return (Int(image), canvas, min(1, covered - image + 1))
    }
    let across = lengths(wanted.width, sharp.width, cells.width)
    let down = lengths(wanted.height, sharp.height, cells.height)
    image = PixelSize(across.image, down.image)
    canvas = PixelSize(across.canvas, down.canvas)
    lastColumn = across.last
    lastRow = down.last
  }
}

extension Pixels {
  /// Returns the canvas of an enlarged image with this image in its top left corner.
  ///
  /// - Parameter background: The color of the canvas, 0xRRGGBB.
  func onCanvas(_ enlarged: EnlargedImage, background: UInt32) -> Pixels {
    let (lastColumn, lastRow) = (enlarged.lastColumn, enlarged.lastRow)
    guard enlarged.canvas != size || lastColumn < 1 || lastRow < 1 else { return self }
    let result = Pixels(enlarged.canvas)
    let background = Self.word(background)
    result.words.update(repeating: background)
    for y in 0..<size.height {
      let row = result.row(y)
      _ = row.update(fromContentsOf: self.row(y))
      if y == size.height - 1 { for x in 0..<size.width { row[x] = Self.mixed(row[x], background, lastRow) } }
      row[size.width - 1] = Self.mixed(row[size.width - 1], background, lastColumn)
    }
    return result
  }

  /// Returns a pixel between two others; the first one has the share `share` from 0 to 1.
  private static func mixed(_ first: UInt32, _ second: UInt32, _ share: Double) -> UInt32 {
    guard share < 1 else { return first }
    return stride(from: UInt32(0), to: 32, by: 8).reduce(0) { word, shift in
      let value = Double(first >> shift & 0xFF) * share + Double(second >> shift & 0xFF) * (1 - share)
      return word | UInt32(value.rounded()) << shift
    }
  }
}
