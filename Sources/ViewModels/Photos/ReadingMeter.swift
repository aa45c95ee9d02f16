import Gallery
import Photos

/// Estimates the remaining time of a reading from the time it has taken so far.
struct ReadingMeter {
  private var first: (done: Int, time: ContinuousClock.Instant)?

  /// Returns the progress of the reading at a time.
  mutating func measure(_ progress: PhotoSnapshot.Progress, at time: ContinuousClock.Instant) -> ShownProgress {
    let start = first ?? (progress.done, time)
    first = start
    let extent =
      switch progress.unit {
      case .photos: localized("\(progress.done.grouped) of \(progress.total.grouped)")
      case .bytes where progress.total < 1 << 20: localized("\(progress.done >> 10) of \(progress.total >> 10) kB")
      case .bytes: localized("\(progress.done >> 20) of \(progress.total >> 20) MB")
      }
    let read = progress.done - start.done
    guard read > 0 else { return ShownProgress(fraction: progress.fraction, text: extent) }
    let left = start.time.duration(to: time) * Double(max(0, progress.total - progress.done)) / Double(read)
    return ShownProgress(fraction: progress.fraction, text: localized("\(extent) · \(left.roundedText) left"))
  }
}

extension PhotoSnapshot.Progress {
  fileprivate var fraction: Double { total > 0 ? min(1, Double(done) / Double(total)) : 0 }
}
