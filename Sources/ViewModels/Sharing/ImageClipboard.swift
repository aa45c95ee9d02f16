import Gallery

/// The clipboard to which a terminal lets programs copy images.
@MainActor
public protocol ImageClipboard {
  /// Whether the terminal takes images.
  var takesImages: Bool { get }

  /// Returns the time that an image of `count` bytes takes to the terminal, or nil if the line is a fast one.
  func time(of count: Int) -> Duration?

  /// Copies a PNG, without delaying keys.
  /// - Parameter onAnswer: Called with the terminal's answer.
  func copy(png: [UInt8], onAnswer: @escaping (ClipboardAnswer) -> Void)
}
