import Photos

/// How far a source has been read: a ready text, and what a bar shows.
public struct ReadingProgress: Hashable, Sendable {
  /// From 0 to 1.
  public let fraction: Double
  /// Such as `4,512 of 10,000 · 3 s left`.
  public let text: String
}

/// Tells how long the rest will take by how long it took so far.
struct ReadingMeter {
  private var first: (done: Int, time: ContinuousClock.Instant)?

  mutating func measure(_ progress: PhotoSnapshot.Progress, at time: ContinuousClock.Instant) -> ReadingProgress {
    let start = first ?? (progress.done, time)
    first = start
    let extent =
      switch progress.unit {
      case .photos: "\(progress.done.grouped) of \(progress.total.grouped)"
      case .bytes where progress.total < 1 << 20: "\(progress.done >> 10) of \(progress.total >> 10) kB"
      case .bytes: "\(progress.done >> 20) of \(progress.total >> 20) MB"
      }
    let read = progress.done - start.done
    guard read > 0 else { return ReadingProgress(fraction: progress.fraction, text: extent) }
    let left = start.time.duration(to: time) * Double(max(0, progress.total - progress.done)) / Double(read)
    return ReadingProgress(fraction: progress.fraction, text: "\(extent) · \(left.rounded) left")
  }
}

extension PhotoSnapshot.Progress {
  fileprivate var fraction: Double { total > 0 ? min(1, Double(done) / Double(total)) : 0 }
}

extension Duration {
  /// In seconds, or in minutes where there are some.
  fileprivate var rounded: String {
    let seconds = Int((self / .seconds(1)).rounded(.up))
    return seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }
}

extension Int {
  /// With commas between the thousands from 10,000 on.
  public var grouped: String {
    guard abs(self) >= 10_000 else { return String(self) }
    var (rest, groups) = (magnitude, [String]())
    while rest >= 1000 {
      groups.insert(String(rest % 1000 + 1000).dropFirst().description, at: 0)
      rest /= 1000
    }
    return (self < 0 ? "-" : "") + ([String(rest)] + groups).joined(separator: ",")
  }
}
