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
    self.bars = bars
    self.clipsShadows = clipsShadows
    self.clipsHighlights = clipsHighlights
  }
}

extension ToneHistogram {
  func encode(to bytes: inout [UInt8]) {
    bytes += bars
    bytes.put(clipsShadows)
    bytes.put(clipsHighlights)
  }

  init(from reader: inout WireReader) throws(WireError) {
    var bars: [UInt8] = []
    for _ in 0..<Self.barCount { bars.append(try reader.uint8()) }
    self.init(bars: bars, clipsShadows: try reader.flag(), clipsHighlights: try reader.flag())
  }
}
