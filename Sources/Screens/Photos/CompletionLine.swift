import Finding
import Gallery
import Terminal
import ViewModels

/// The line below the search field: the ways to go on with the search, with the number of photos of each.
@MainActor
struct CompletionLine {
  private let completions: [QueryCompletion]
  private let next: QueryCompletion?

  /// The columns between two completions.
  private static let gap = 3

  init(_ search: PhotoSearchViewModel) {
    completions = search.completions
    next = search.nextCompletion
  }

  /// The completions in words; nil if there are none.
  var announcement: String? {
    completions.isEmpty ? nil : completions.map { Self.text(of: $0) }.joined(separator: ", ")
  }

  private static func text(of completion: QueryCompletion) -> String {
    completion.count.map { "\(completion.term.printable) \($0.grouped)" } ?? completion.term.printable
  }

  /// - Parameter key: The name of the key that takes the next completion, which stands out.
  func draw(key: String, on line: Surface) {
    guard let next else { return }
    var column = line.put(key, .accent) + Self.gap - 1
    // The next one is in view, however many are before it.
    let shown = completions.drop { $0 != next } + completions.prefix { $0 != next }
    for completion in shown {
      let term = CellText(completion.term.printable)
      let count = CellText(completion.count.map { " \($0.grouped)" } ?? "")
      guard column + term.width + count.width <= line.bounds.columns else { return }
      column = line.put(term, column: column, completion == next ? .title : .text)
      column = line.put(count, column: column, .secondary) + Self.gap
    }
  }
}
