import Gallery

/// The progress of something that takes a while, as it is shown.
public struct ShownProgress: Hashable, Sendable {
  /// The part that is done, from 0 to 1.
  public let fraction: Double
  /// The progress as text, such as `4,512 of 10,000 · 3 s left`.
  public let text: String
}

extension Duration {
  /// The duration in seconds, or in minutes from two minutes on. It is rounded up.
  var roundedText: String {
    let seconds = Int((self / .seconds(1)).rounded(.up))
    return seconds < 120 ? localized("\(seconds) s") : localized("\((seconds + 59) / 60) min")
  }
}
