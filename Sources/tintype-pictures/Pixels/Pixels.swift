#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A size in pixels.
struct PixelSize: Equatable {
  var width: Int
  var height: Int

  init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  /// The size after a rotation by 90 degrees.
  var transposed: PixelSize { PixelSize(height, width) }
  var longerSide: Int { max(width, height) }
  var area: Int { width * height }

  /// Returns the size with the same proportions whose longer side is `side`.
  func scaled(toLongerSide side: Int) -> PixelSize {
    func length(_ own: Int) -> Int { max(1, (own * side * 2 / longerSide + 1) / 2) }
    return PixelSize(length(width), length(height))
  }

  /// Returns the size in squares of `side` pixels. The last ones may be cut off.
  func divided(by side: Int) -> PixelSize {
    PixelSize((width + side - 1) / max(1, side), (height + side - 1) / max(1, side))
  }

  /// Returns the size that is at most as large as this one and has the proportions of `other`.
  func fitted(in other: PixelSize) -> PixelSize {
    let scale = min(Double(width) / Double(other.width), Double(height) / Double(other.height))
    return PixelSize(max(1, Int(Double(other.width) * scale)), max(1, Int(Double(other.height) * scale)))
  }
}

/// A part of an image, in pixels from its top left corner.
struct PixelRect: Equatable {
  var x: Int
  var y: Int
  var size: PixelSize

  init(x: Int = 0, y: Int = 0, size: PixelSize) {
    self.x = x
    self.y = y
    self.size = size
  }

  /// The largest part in the middle of an image that has the proportions of `other`.
  init(inMiddleOf size: PixelSize, like other: PixelSize) {
    let part = PixelSize(
      max(1, min(size.width, size.height * other.width / max(1, other.height))),
      max(1, min(size.height, size.width * other.height / max(1, other.width))))
    self.init(x: (size.width - part.width) / 2, y: (size.height - part.height) / 2, size: part)
  }

  /// Returns the part of this rectangle that corresponds to a part of an image of another size.
  func part(_ other: PixelRect, of whole: PixelSize) -> PixelRect {
    func place(_ start: Int, _ length: Int, _ own: Int, _ whole: Int) -> (start: Int, length: Int) {
      let first = min(start * own / whole, own - 1)
      return (first, min(own - first, max(1, length * own / whole)))
    }
    let across = place(other.x, other.size.width, size.width, whole.width)
    let down = place(other.y, other.size.height, size.height, whole.height)
    return PixelRect(x: x + across.start, y: y + down.start, size: PixelSize(across.length, down.length))
  }
}

/// The opaque pixels of an image in sRGB, row by row from the top left corner.
final class Pixels {
  /// The pixels: RGBA, a byte each, in this order in memory.
  let words: UnsafeMutableBufferPointer<UInt32>
  let size: PixelSize

  /// Allocates pixels without setting them.
  init(_ size: PixelSize) {
    self.size = size
    words = .allocate(capacity: size.area)
  }

  /// Takes over pixels that `malloc` has allocated.
  init(_ words: UnsafeMutablePointer<UInt32>, size: PixelSize) {
    self.size = size
    self.words = UnsafeMutableBufferPointer(start: words, count: size.area)
  }

  deinit { free(words.baseAddress) }

  /// Returns the pixels of a row.
  func row(_ y: Int) -> UnsafeMutableBufferPointer<UInt32> {
    UnsafeMutableBufferPointer(rebasing: words[y * size.width..<(y + 1) * size.width])
  }

  /// Returns how much a pixel differs from three of its neighbors: the sum of the differences of their greens, each from 0
  /// to 255.
  @inline(__always)
  static func variation(_ pixel: UInt32, left: UInt32, right: UInt32, above: UInt32) -> Float {
    func difference(_ other: UInt32) -> Int32 { abs(Int32(pixel >> 8 & 0xFF) - Int32(other >> 8 & 0xFF)) }
    return Float(difference(left) + difference(right) + difference(above))
  }

  /// Returns how much the pixel at an index in ``words`` differs from its neighbors. At the ends of a row, a pixel of another
  /// row is as good.
  @inline(__always)
  func variation(at index: Int) -> Float {
    Self.variation(
      words[index], left: words[max(0, index - 1)], right: words[min(words.count - 1, index + 1)],
      above: words[max(0, index - size.width)])
  }

  /// Returns the pixel of a color (0xRRGGBB).
  static func word(_ color: UInt32) -> UInt32 { color.bigEndian >> 8 | 0xFF00_0000 }

  /// Returns a canvas with the image in the middle, which is cut if it is larger.
  ///
  /// - Parameter background: The color of the canvas, 0xRRGGBB.
  func inMiddle(of canvas: PixelSize, background: UInt32) -> Pixels {
    guard canvas != size else { return self }
    let result = Pixels(canvas)
    result.words.update(repeating: Self.word(background))
    let part = PixelSize(min(canvas.width, size.width), min(canvas.height, size.height))
    let (left, top) = ((canvas.width - part.width) / 2, (canvas.height - part.height) / 2)
    for y in 0..<part.height {
      for x in 0..<part.width { result.row(y + top)[x + left] = row(y)[x] }
    }
    return result
  }

  /// Returns a part of the image.
  func part(_ rect: PixelRect) -> Pixels {
    guard rect.size != size else { return self }
    let result = Pixels(rect.size)
    for y in 0..<rect.size.height {
      for x in 0..<rect.size.width { result.row(y)[x] = row(rect.y + y)[rect.x + x] }
    }
    return result
  }

  /// Returns the image rotated and mirrored by an orientation of Exif, from 1 to 8 (Exif 2.32, tag 0x0112).
  func upright(_ orientation: Int) -> Pixels {
    guard orientation > 1 else { return self }
    let turned = Pixels(orientation >= 5 ? size.transposed : size)
    // The place of the first pixel, and the steps through the stored image for a step to the right and down in the result.
    let (width, height) = (size.width, size.height)
    let (start, right, down) =
      switch orientation {
      case 2: (width - 1, -1, width)
      case 3: (width * height - 1, -1, -width)
      case 4: (width * (height - 1), 1, -width)
      case 5: (0, width, 1)
      case 6: (width * (height - 1), -width, 1)
      case 7: (width * height - 1, -width, -1)
      default: (width - 1, width, -1)
      }
    for y in 0..<turned.size.height {
      let row = turned.row(y)
      for x in 0..<row.count { row[x] = words[start + x * right + y * down] }
    }
    return turned
  }

  /// Returns the pixels as RGB, 3 bytes each.
  func rgb() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: words.count * 3) { bytes, count in
      count = words.count * 3
      for index in 0..<words.count {
        let word = words[index]
        bytes[index * 3] = UInt8(truncatingIfNeeded: word)
        bytes[index * 3 + 1] = UInt8(truncatingIfNeeded: word >> 8)
        bytes[index * 3 + 2] = UInt8(truncatingIfNeeded: word >> 16)
      }
    }
  }
}
