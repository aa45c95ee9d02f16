/// A change of an image's tones for looking at it: shadows can be lifted, and colors left out. Nothing of it is kept.
public struct ImageTone: Hashable, Sendable {
  /// The exposure in thirds of a stop, brighter if it is positive.
  public var brightness: Int
  /// The contrast in steps, of which each makes the middle tones a seventh steeper.
  public var contrast: Int
  /// Whether only the luminance is shown.
  public var isGray: Bool

  /// The brightness and the contrast that can be chosen.
  public static let steps = -12...12
  /// The tones of the image itself.
  public static let unchanged = ImageTone()

  /// Creates tones, which are those of the image where not given otherwise.
  public init(brightness: Int = 0, contrast: Int = 0, isGray: Bool = false) {
    self.brightness = brightness
    self.contrast = contrast
    self.isGray = isGray
  }
}

extension ImageTone {
  func encode(to bytes: inout [UInt8]) {
    bytes.put(signed: brightness)
    bytes.put(signed: contrast)
    bytes.put(isGray)
  }

  init(from reader: inout WireReader) throws(WireError) {
    brightness = try reader.signed(in: Self.steps)
    contrast = try reader.signed(in: Self.steps)
    isGray = try reader.flag()
  }
}
