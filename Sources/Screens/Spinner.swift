/// The sign that something is under way.
struct Spinner {
  /// How long one picture of it stands.
  static let interval = Duration.milliseconds(80)

  private static let symbols = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"]
  private var step = 0

  var symbol: String { Self.symbols[step % Self.symbols.count] }

  mutating func turn() { step += 1 }
}
