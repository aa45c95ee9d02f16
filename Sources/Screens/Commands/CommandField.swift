import Finding
import Gallery
import Terminal

/// The field of the list of commands and of other lists: a text in it finds entries.
@MainActor
final class CommandField {
  /// Called when the text has changed.
  var onChange: () -> Void = {}

  let keys: CommandTable
  private let hint: String
  private let editor = FieldEditor(longest: 100)

  /// - Parameter hint: The text shown while the field is empty.
  init(hint: String, keys: CommandTable) {
    self.hint = hint
    self.keys = keys
    editor.onChange = { [unowned self] _ in onChange() }
  }

  var text: String {
    get { editor.text }
    set { editor.text = newValue }
  }

  /// Gives an event to the field, except for the keys that move through the entries, such as Home and Ctrl-d. Ctrl-u moves
  /// only while there is no text that it could clear.
  func type(_ event: InputEvent) -> Bool {
    if case .key(let key) = event, !key.isTyped, keys.moves(key), key != .control("u") || text.isEmpty { return false }
    return editor.handle(event)
  }

  /// The texts by which an entry is found.
  struct Entry {
    var title: String
    /// The title in English, which the documents name.
    var english = ""
    /// Other words for what the entry does, such as "export delete".
    var words = ""
    /// The names of the entry's keys.
    var keys: [String] = []
  }

  /// Returns the indices of the entries that the text finds, the best match first; all of them if there is no text.
  /// - Parameter isPossible: Returns whether an entry can be chosen. Among equal matches, these come first.
  func found(in entries: [Entry], isPossible: (Int) -> Bool) -> [Int] {
    if text.allSatisfy(\.isWhitespace) { return Array(entries.indices) }
    let search = WordSearch(text)
    let scored = entries.enumerated().compactMap { place, entry in
      score(of: entry, search).map { score in
        (rank: (-score, isPossible(place) ? 0 : 1, entry.title.count, place), place: place)
      }
    }
    return scored.sorted { $0.rank < $1.rank }.map(\.place)
  }

  /// Returns the ranges of a title, or of the names of keys, that match the text.
  func ranges(in text: String) -> [Range<String.Index>] { WordSearch(self.text).ranges(in: text) }

  /// Returns how well the text matches an entry. The exact name of a key, such as "S" or "?", is the best match.
  private func score(of entry: Entry, _ search: WordSearch) -> Int? {
    if entry.keys.contains(text) { return .max }
    let names = entry.keys.joined(separator: ", ")
    return search.score(of: "\(entry.title) \(names)", orOthers: entry.words)
      ?? search.score(of: "\(entry.english) \(names)", orOthers: entry.words)
  }

  /// Returns the lines that say that no command matches a text.
  static func noCommand(matching text: String) -> [String] {
    [
      localized("No command matches “\(text)”."),
      localized("More settings, such as colors and keys: run tintype config in the shell."),
    ]
  }

  /// The text, or the hint if it is empty.
  var announcement: String { text.isEmpty ? hint : text }

  func draw(on surface: Surface) { editor.draw(hint: hint, hasFocus: true, on: surface.on(.field)) }
}

extension CommandTable {
  /// Returns the texts by which a text that is typed finds a command.
  func texts(of binding: KeyBinding) -> CommandField.Entry {
    CommandField.Entry(
      title: binding.title, english: binding.titleText.english, words: "\(binding.words.text) \(binding.words.english)",
      keys: keyNames(of: binding.command))
  }
}
