import ImageWire

/// Encodes images as sixels (DEC STD 070, chapter 9): a palette, then bands of six rows. Each color of a band is drawn in
/// one pass.
enum SixelEncoder {
  /// Returns the control sequence of an image.
  ///
  /// - Parameters:
  ///   - pixels: The image. If it is smaller than the layout, each pixel becomes a square of pixels on the screen.
  ///   - colors: The number of the terminal's color registers.
  static func encode(
    _ pixels: Pixels, _ layout: Layout, _ screen: RenditionScreen, _ reduction: Reduction, colors: Int, threads: Int
  ) -> [UInt8] {
    // The canvas fills whole cells, with the image in the middle of the background. It is opaque, so that it replaces the
    // image that was there before.
    let size = PixelSize(layout.columns * screen.cellWidth, layout.rows * screen.cellHeight)
    // Sixels are six pixels high. Squares that fill them take far fewer bytes.
    let smallest = layout.pixels.divided(by: pixels.size.width).width
    let factor = smallest > 6 ? (smallest + 5) / 6 * 6 : smallest
    let coarse = size.divided(by: factor)
    // The margin has a color of its own, so that its edge is invisible.
    let background = SixelColor(screen.background)
    let canvas = pixels.inMiddle(of: coarse, background: background.shown)
    let palette = Palette(
      of: pixels, count: min(reduction.colors ?? 256, max(2, colors)),
      including: canvas.size == pixels.size ? nil : background.shown)
    let shown = palette.colors.map { SixelColor($0) }
    // The second parameter 0 makes pixels that are not drawn background. Pixels are square.
    var bytes = Array("\u{1B}P0;0;0q\"1;1;\(size.width);\(size.height)".utf8)
    for (index, color) in shown.enumerated() {
      bytes += "#\(index);2;\(color.percent.x);\(color.percent.y);\(color.percent.z)".utf8
    }
    let (image, channels) = (pixels.size, shown.map(\.channels))
    let bands = (size.height + 5) / 6
    let shares = min(bands, threads)
    var parts = [[UInt8]](repeating: [], count: shares)
    parts.withUnsafeMutableBufferPointer { parts in
      // The threads share these: each thread writes one part, and all of them only read the canvas.
      nonisolated(unsafe) let (parts, canvas) = (parts, canvas)
      SharedWork.perform(shares: shares) { share in
        var writer = SixelWriter(
          canvas, image: image, palette, channels, size: size, factor: factor, tolerance: reduction.tolerance)
        writer.write(bands: bands * share / shares..<bands * (share + 1) / shares)
        parts[share] = writer.bytes
      }
    }
    for part in parts { bytes += part }
    return bytes + "\u{1B}\\".utf8
  }
}

/// A color as a terminal shows it: the channels of a color register are percentages.
struct SixelColor {
  let percent: SIMD3<Int>

  /// - Parameter color: The wanted color, as 0xRRGGBB.
  init(_ color: UInt32) {
    percent = (SIMD3(Int(color >> 16), Int(color >> 8), Int(color)) & 0xFF &* 100 &+ 127) / 255
  }

  /// The color that the terminal shows, as 0xRRGGBB.
  var shown: UInt32 {
    let color = (percent &* 255 &+ 50) / 100
    return UInt32(color.x << 16 | color.y << 8 | color.z)
  }

  /// The channels of ``shown``, red first, as ``SixelWriter`` compares them.
  var channels: SIMD4<Float> {
    SIMD4(Float(shown >> 16 & 0xFF), Float(shown >> 8 & 0xFF), Float(shown & 0xFF), 0)
  }
}
