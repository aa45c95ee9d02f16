import Finding
import Gallery
import Terminal

/// The field of the help, of the command palette and of other lists: a text in it finds entries.
@MainActor
final class CommandField {
  /// Called when the text has changed.
  var onChange: () -> Void = {}

  let keys: CommandTable
  private let hint: String
  private let editor = FieldEditor(longest: 100)

  /// - Parameter hint: The text shown while the field is empty.
  init(hint: String, keys: CommandTable) {
    (self.hint, self.keys) = (hint, keys)
    editor.onChange = { [unowned self] _ in onChange() }
  }

  var text: String {
    get { editor.text }
    set { editor.text = newValue }
  }

  /// Gives an event to the field, except for the keys that move through the entries, such as Home and Ctrl-d.
  func type(_ event: InputEvent) -> Bool {
    if case .key(let key) = event, !key.isTyped, keys.moves(key) { return false }
    return editor.handle(event)
  }

  /// Returns the indices of the entries that the text finds, the best match first; all of them if there is no text.
  func found(in entries: [(title: String, english: String, keys: [String])]) -> [Int] {
    if text.allSatisfy(\.isWhitespace) { return Array(entries.indices) }
    let search = WordSearch(text)
    let scored = entries.enumerated().compactMap { place, entry in
      score(of: entry, search).map { (score: $0, length: entry.title.count, place: place) }
    }
    return scored.sorted { (-$0.score, $0.length, $0.place) < (-$1.score, $1.length, $1.place) }.map(\.place)
  }

  /// Returns the ranges of a title, or of the names of keys, that match the text.
  func ranges(in text: String) -> [Range<String.Index>] { WordSearch(self.text).ranges(in: text) }

  /// Returns how well the text matches an entry. The exact name of a key, such as "S" or "?", is the best match. A
  /// command is also found by its English title, which the documents name.
  private func score(of entry: (title: String, english: String, keys: [String]), _ search: WordSearch) -> Int? {
    if entry.keys.contains(text) { return .max }
    let names = entry.keys.joined(separator: ", ")
    return search.score(of: "\(entry.title) \(names)") ?? search.score(of: "\(entry.english) \(names)")
  }

  func draw(on surface: Surface) { editor.draw(hint: hint, hasFocus: true, on: surface.on(.field)) }
}
