/// The tones of an image, from black to white.
public struct ToneHistogram: Hashable, Sendable {
  /// The number of bars.
  public static let barCount = 24

  /// The heights of the bars from black to white, from 0 to 255 for the highest. Each is the share of the pixels whose luma
  /// (ITU-R BT.709) is in its part of the range.
  public var bars: [UInt8]
  /// Whether a noticeable part of the pixels is black.
  public var clipsShadows: Bool
  /// Whether a noticeable part of the pixels has a channel at its maximum.
  public var clipsHighlights: Bool

  /// Creates a histogram from its properties.
  public init(bars: [UInt8], clipsShadows: Bool = false, clipsHighlights: Bool = false) {
    (self.bars, self.clipsShadows, self.clipsHighlights) = (bars, clipsShadows, clipsHighlights)
  }
}
