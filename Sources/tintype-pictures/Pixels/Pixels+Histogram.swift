import ImageWire

extension Pixels {
  /// The most pixels that a histogram counts. More would make no visible difference.
  private static let mostCounted = 1 << 14
  /// The share of clipped pixels that is noticeable.
  private static let noticeableShare = 0.005

  /// Returns the tones of the image, of which evenly spaced pixels are counted; nil if there are none.
  ///
  /// - Parameter isIncomplete: Whether pixels may be missing, which are not counted.
  func histogram(isIncomplete: Bool = false) -> ToneHistogram? {
    guard isIncomplete else { return histogramOfAll() }
    return intact.map { part($0).histogramOfAll() }
  }

  /// The part of an incomplete image that was decoded, or nil if there is none. Decoders fill what is missing with one
  /// color, and files begin at any side of the rotated image.
  private var intact: PixelRect? {
    func isFlat(_ pixels: some Sequence<Int>, _ color: UInt32) -> Bool { pixels.allSatisfy { words[$0] == color } }
    func row(_ y: Int) -> StrideTo<Int> { stride(from: y * size.width, to: (y + 1) * size.width, by: 1) }
    func column(_ x: Int) -> StrideTo<Int> { stride(from: x, to: size.area, by: size.width) }
    /// Returns the number of lines of one color with which a side begins.
    func missing(_ lines: some Sequence<StrideTo<Int>>, from corner: Int) -> Int {
      lines.prefix { isFlat($0, words[corner]) }.count
    }
    let last = size.area - 1
    let top = missing((0..<size.height).lazy.map(row), from: 0)
    guard top < size.height else { return nil }
    let bottom = missing((0..<size.height).reversed().lazy.map(row), from: last)
    let left = missing((0..<size.width).lazy.map(column), from: 0)
    let right = missing((0..<size.width).reversed().lazy.map(column), from: last)
    // What is missing is at one side. Other flat lines are the photo's own.
    let (width, height) = (size.width, size.height)
    switch max(top * width, bottom * width, left * height, right * height) {
    case top * width: return PixelRect(y: top, size: PixelSize(width, height - top))
    case bottom * width: return PixelRect(size: PixelSize(width, height - bottom))
    case left * height: return PixelRect(x: left, size: PixelSize(width - left, height))
    default: return PixelRect(size: PixelSize(width - right, height))
    }
  }

  private func histogramOfAll() -> ToneHistogram {
    var counts = [Int](repeating: 0, count: ToneHistogram.barCount)
    var (black, white, total) = (0, 0, 0)
    // An odd step does not fall on the same columns in each row.
    let step = max(1, size.area / Self.mostCounted) | 1
    for index in stride(from: 0, to: size.area, by: step) {
      let word = words[index]
      let (red, green, blue) = (Int(word & 0xFF), Int(word >> 8 & 0xFF), Int(word >> 16 & 0xFF))
      let luma = (2126 * red + 7152 * green + 722 * blue) / 10_000
      counts[luma * ToneHistogram.barCount / 256] += 1
      if luma <= 2 { black += 1 }
      if max(red, green, blue) == 255 { white += 1 }
      total += 1
    }
    // The ends, where clipped pixels pile up, would flatten all other bars.
    let highest = max(1, counts.dropFirst().dropLast().max() ?? 1)
    let clipped = Int(Double(total) * Self.noticeableShare)
    return ToneHistogram(
      bars: counts.map { UInt8(min(255, $0 * 255 / highest)) }, clipsShadows: black > clipped,
      clipsHighlights: white > clipped)
  }
}
