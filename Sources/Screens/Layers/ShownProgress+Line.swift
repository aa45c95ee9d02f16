import Terminal
import ViewModels

extension ShownProgress {
  /// The number of columns of the bar.
  private static let columns = 10

  /// The progress with a bar, in one line.
  var line: String {
    let done = Int((fraction * Double(Self.columns)).rounded(.down))
    let bar = String(repeating: "━", count: done) + String(repeating: "─", count: Self.columns - done)
    return Charset.isPlain ? text : "\(bar) \(text)"
  }
}
