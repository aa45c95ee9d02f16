import Gallery

extension Pixels {
  /// Returns the image with the edges that are in focus in a color, over the image in weak colors.
  ///
  /// An edge is in focus if most of the local contrast lies within two pixels. So a faint edge counts as much as a strong one,
  /// and brightness doesn't count.
  ///
  /// - Parameter color: The color of the edges, 0xRRGGBB.
  func focusPeaking(color: UInt32 = 0xFF3020) -> Pixels {
    let gradients = FocusEdges(self)
    let result = Pixels(size)
    let edge = Self.word(color)
    for y in 0..<size.height {
      let (old, new) = (row(y), result.row(y))
      gradients.withStrengths(y) { strengths in
        for x in 0..<size.width {
          new[x] = Self.blend(Self.weakened(old[x]), edge, strengths[x])
        }
      }
    }
    return result
  }

  /// Returns the image with its clipped pixels in red where they are too bright, and in blue where they are too dark, over the
  /// image in weak colors.
  func clippingMarked() -> Pixels {
    let result = Pixels(size)
    for index in 0..<words.count {
      let word = words[index]
      result.words[index] =
        Self.isTooBright(word)
        ? Self.word(Overlay.highlight)
        : Self.isTooDark(word) ? Self.word(Overlay.shadow) : Self.weakened(word)
    }
    return result
  }

  /// Returns the image without most of its color and contrast, so that those beside it stand out.
  /// - Parameter background: The color behind it, 0xRRGGBB.
  func faded(into background: UInt32) -> Pixels {
    let result = Pixels(size)
    let background = Self.word(background)
    for index in 0..<words.count {
      result.words[index] = Self.blend(Self.weakened(words[index]), background, Overlay.fading)
    }
    return result
  }

  /// Returns the image with what is outside of a part in the dark, and a line around the part.
  func shaded(outside crop: PhotoCrop) -> Pixels {
    let result = Pixels(size)
    let edges = zip(crop.edges, [size.width, size.height, size.width, size.height]).map {
      Int(($0 * Double($1)).rounded())
    }
    let (columns, rows) = (edges[0]..<max(edges[0] + 1, edges[2]), edges[1]..<max(edges[1] + 1, edges[3]))
    let (black, white) = (Self.word(0), Self.word(0xFFFFFF))
    // A line of a pixel is lost between characters.
    let line = max(1, size.longerSide / 600)
    for y in 0..<size.height {
      let (old, new) = (row(y), result.row(y))
      for x in 0..<size.width {
        let isInside = columns.contains(x) && rows.contains(y)
        let isEdge =
          isInside
          && (x < columns.lowerBound + line || x >= columns.upperBound - line || y < rows.lowerBound + line
            || y >= rows.upperBound - line)
        new[x] =
          isEdge ? Self.blend(old[x], white, 160) : isInside ? old[x] : Self.blend(old[x], black, Overlay.shade)
      }
    }
    return result
  }

  /// Whether a channel of a pixel is at its maximum, so that detail is lost. The rounding of a JPEG turns white into 254.
  private static func isTooBright(_ word: UInt32) -> Bool {
    max(word & 0xFF, word >> 8 & 0xFF, word >> 16 & 0xFF) >= 254
  }

  /// Whether a pixel is as good as black.
  private static func isTooDark(_ word: UInt32) -> Bool {
    (2126 * (word & 0xFF) + 7152 * (word >> 8 & 0xFF) + 722 * (word >> 16 & 0xFF)) / 10_000 <= 2
  }

  /// Returns a pixel with a third of its color's strength, and a little darker, so that an overlay stands out.
  private static func weakened(_ word: UInt32) -> UInt32 {
    let color = SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(word, to: SIMD4<UInt8>.self))
    let gray = (color.x + 2 * color.y + color.z) / 4
    let weak = (color &+ 2 &* gray) &* 9 / 30
    return unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: weak), to: UInt32.self) | 0xFF00_0000
  }

  /// - Parameter share: The share of the second pixel, from 0 to 256.
  private static func blend(_ first: UInt32, _ second: UInt32, _ share: Int32) -> UInt32 {
    guard share > 0 else { return first }
    let old = SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(first, to: SIMD4<UInt8>.self))
    let new = SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(second, to: SIMD4<UInt8>.self))
    let mixed = old &+ (new &- old) &* share / 256
    return unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: mixed), to: UInt32.self)
  }
}

private enum Overlay {
  // The colors of darktable's and most cameras' warnings of clipping, 0xRRGGBB.
  static let highlight: UInt32 = 0xFF0000
  static let shadow: UInt32 = 0x2040FF
  /// The share of the background in a faded image, from 0 to 256.
  static let fading: Int32 = 140
  /// The share of black outside of a crop, from 0 to 256.
  static let shade: Int32 = 176
}
