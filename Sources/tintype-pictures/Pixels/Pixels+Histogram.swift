import ImageWire

extension Pixels {
  /// The most pixels that a histogram counts. More would make no visible difference.
  private static let mostCounted = 1 << 14
  /// The share of clipped pixels that is noticeable.
  private static let noticeableShare = 0.005

  /// Returns the tones of the image, of which evenly spaced pixels are counted.
  func histogram() -> ToneHistogram {
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
