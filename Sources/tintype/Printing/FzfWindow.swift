import ImageWire
import Terminal

/// The preview window of fzf, which reads the output of a command from a pipe and shows it.
struct FzfWindow {
  private let size: Size
  /// The row of the terminal in which the window starts; nil if fzf doesn't say (before 0.46).
  private let top: Int?

  /// Creates the window that fzf describes in the environment; nil if it does not.
  init?(environment: [String: String]) {
    func number(_ name: String) -> Int? { environment["FZF_PREVIEW_\(name)"].flatMap { Int($0) } }
    guard let columns = number("COLUMNS"), let rows = number("LINES"), (1...1000).contains(columns),
      (1...1000).contains(rows)
    else { return nil }
    size = Size(columns: columns, rows: rows)
    top = number("TOP")
  }

  /// Returns the largest size of an image.
  /// - Parameter screen: The terminal's size; nil if it is not known.
  func box(on screen: Size?, _ format: OutputFormat?) -> CellBox {
    // Terminals scroll when such an image reaches the last line.
    let isAtBottom = top.map { $0 + size.rows >= screen?.rows ?? .max } ?? true
    let rows = format?.delivery == .drawn && isAtBottom ? size.rows - 1 : size.rows
    return CellBox(columns: size.columns, rows: max(1, rows))
  }
}
