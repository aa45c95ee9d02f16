/// The envelope in which tmux passes a sequence on to its terminal: a DCS string with the name of tmux, in which each
/// Escape is doubled.
public enum PassthroughEnvelope {
  /// The beginning of a wrapped sequence.
  public static let head = "\u{1B}Ptmux;"
  /// An Escape within the sequence.
  public static let escape = "\u{1B}\u{1B}"
  /// The end of a wrapped sequence.
  public static let tail = "\u{1B}\\"
}
