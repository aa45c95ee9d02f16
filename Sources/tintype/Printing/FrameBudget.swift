import ImageWire

/// The bytes that each frame of an animation or a video may take, so that none is on its way for long.
struct FrameBudget {
  /// The bytes that the next frame may take; nil for any number.
  private(set) var value: RenditionBudget?
  /// The most seconds that a frame takes on its way. If one takes longer, the next ones are coarser.
  private let longestTime: Double

  /// The fewest bytes that say something about the line.
  private static let fewestBytes = 16_384

  init(longestTime: Double) { self.longestTime = longestTime }

  /// Makes the next frames as coarse as the line needs, or finer if it carries more.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the last frame.
  ///   - throughput: The throughput of the line in bytes per second; nil if it is unknown.
  mutating func adapt(to bytes: Int, throughput: Double?) {
    guard bytes > (value == nil ? Self.fewestBytes : 0), let throughput else { return }
    let time = Double(bytes) / throughput
    if time > longestTime {
      value = RenditionBudget(bytes: Int(throughput * longestTime))
    } else if time < longestTime / 2 {
      value = value.map { RenditionBudget(bytes: $0.bytes * 5 / 4) }
    }
  }
}
