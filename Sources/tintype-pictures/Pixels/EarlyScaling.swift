/// Scales an image on other threads while the rest of the image is still being decoded.
final class EarlyScaling {
  private let target: PixelSize
  private let filter: ScalingFilter
  private let work: SharedWork
  private var scaler: Scaler?
  private let scaled: Pixels
  /// The new rows that have been begun.
  private var begun = 0

  /// The new rows that a thread computes at a time.
  private static let band = 96

  init(to target: PixelSize, _ filter: ScalingFilter, threads: Int) {
    self.target = target
    self.filter = filter
    work = SharedWork(threads: threads)
    scaled = Pixels(target)
  }

  /// Starts to compute the rows that are made of the first `finishedRows` rows.
  func scale(_ pixels: Pixels, finishedRows: Int) {
    guard pixels.size != target else { return }
    let scaler = scaler ?? Scaler(from: pixels.size, to: target, filter)
    self.scaler = scaler
    while begun < target.height {
      let rows = begun..<min(begun + Self.band, target.height)
      guard scaler.oldRows(for: rows) <= finishedRows else { return }
      begun = rows.upperBound
      // The decoder writes only to rows below these, which are finished, and each thread writes its own rows.
      nonisolated(unsafe) let (old, new) = (pixels, scaled)
      work.add { scaler.scale(old, rows, to: new) }
    }
  }

  /// Computes the rest, and returns the whole image.
  func finish(_ pixels: Pixels) -> Pixels {
    guard pixels.size != target else { return pixels }
    scale(pixels, finishedRows: pixels.size.height)
    work.wait()
    return scaled
  }
}
