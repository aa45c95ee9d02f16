import ImageWire

/// The sequences that a multiplexer passes on to its terminal, in ``PassthroughEnvelope``s.
enum Passthrough {
  private static let start = Array(PassthroughEnvelope.head.utf8)

  /// The question whether everything has arrived, for the outer terminal (DSR 5). tmux itself would answer the device
  /// attributes.
  static let lineQuestion = wrapped("\u{1B}[5n")
  /// The question whether the outer terminal is there, to which kitty and Ghostty answer with the window's size in pixels.
  /// An answer to the other one may still be on its way.
  static let presenceQuestion = wrapped("\u{1B}[14t")

  /// Returns a sequence wrapped for tmux, or as it is if it is not passed through.
  static func wrapped(_ sequence: String, isPassedThrough: Bool = true) -> [UInt8] {
    guard isPassedThrough else { return Array(sequence.utf8) }
    let doubled = sequence.utf8.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
    return start + doubled + Array(PassthroughEnvelope.tail.utf8)
  }

  /// Returns whether bytes begin with a wrapped sequence. tmux gives up one that has not ended after five seconds, and takes
  /// the rest for text.
  static func isWrapped(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: start) }
}
