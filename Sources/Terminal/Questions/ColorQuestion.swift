/// A question to the terminal about its colors.
public enum ColorQuestion: Sendable {
  /// The look of the first 16 colors, which each terminal chooses itself.
  case palette
  /// Whether the terminal shows 24-bit colors. It is asked if the environment does not say so.
  case truecolor
}
