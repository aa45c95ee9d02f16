/// Finds out that the other side of a connection has been silent for too long, although something is on its way to it.
///
/// A network that is gone says nothing: the kernel goes on sending for a quarter of an hour. A program that was stopped in the meantime
/// must not take its own silence for that of the other side, so the time is counted in parts, and after a pause only one of them is over.
struct SilenceWatch {
  typealias Instant = ContinuousClock.Instant

  /// Whether the silence is too long.
  private(set) var isTooLong = false
  private var end: Instant?
  /// The number of parts that are over.
  private(set) var partCount = 0
  private let part: Duration

  /// The number of parts that are too long.
  private static let mostParts = 3

  /// - Parameter part: The length of a part.
  init(part: Duration = .seconds(15)) { self.part = part }

  /// Returns the time until the silence is measured again; nil if nothing is awaited.
  /// - Parameter isWaiting: Whether something is on its way to the other side.
  mutating func rest(isWaiting: Bool, at now: Instant) -> Duration? {
    guard isWaiting else {
      heard()
      return nil
    }
    if let end, now >= end {
      partCount += 1
      isTooLong = partCount >= Self.mostParts
      self.end = nil
    }
    if isTooLong { return nil }
    let end = self.end ?? now + part
    self.end = end
    return end - now
  }

  /// Takes note that something has come.
  mutating func heard() {
    end = nil
    partCount = 0
  }
}
