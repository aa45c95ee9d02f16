/// What the terminal is asked about colors.
public enum ColorQuestion: Sendable {
  /// How the first 16 colors look, which are its own.
  case palette
  /// Whether it shows 24-bit colors, which the environment does not say.
  case truecolor
}
