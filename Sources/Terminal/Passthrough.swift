/// tmux's passthrough: sequences that tmux passes on to its terminal.
enum Passthrough {
  /// The beginning of a wrapped sequence.
  static let start = Array("\u{1B}Ptmux;".utf8)

  /// Returns a sequence wrapped for tmux, or as it is if tmux is not in between.
  static func wrapped(_ sequence: String, isInTmux: Bool = true) -> [UInt8] {
    guard isInTmux else { return Array(sequence.utf8) }
    let doubled = sequence.utf8.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
    return start + doubled + Array("\u{1B}\\".utf8)
  }
}
