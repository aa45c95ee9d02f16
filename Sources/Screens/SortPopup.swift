import Finding
import Gallery

extension ChoicePopup {
  /// Makes the menu of the orders that photos can be sorted in.
  /// - Parameters:
  ///   - order: The current order.
  ///   - onChoice: Called with the key that the user chooses.
  static func sort(_ order: PhotoOrder, onChoice: @escaping (PhotoOrder.Key) -> Void) -> ChoicePopup {
    let keys = PhotoOrder.Key.allCases
    let letters = letters(of: keys)
    let choices = keys.map {
      let letter = letters[$0].map { String($0) } ?? ""
      return Choice(key: letter, text: $0.label, note: $0 == order.key ? "\(order.label) · \(letter) reverses" : "")
    }
    return ChoicePopup(title: "Sort by", choices: choices, highlighted: keys.firstIndex(of: order.key) ?? 0) {
      onChoice(keys[$0])
    }
  }

  /// Returns the letter that chooses each key: the first letter of its label that is still free.
  ///
  /// Keys of the metadata choose last, so that a new one doesn't take a letter that users know.
  static func letters(of keys: [PhotoOrder.Key]) -> [PhotoOrder.Key: Character] {
    (keys.filter { !$0.isOfMetadata } + keys.filter(\.isOfMetadata)).reduce(into: [:]) { letters, key in
      letters[key] = key.label.lowercased().first { $0.isLetter && !letters.values.contains($0) }
    }
  }
}

extension PhotoOrder.Key {
  fileprivate var isOfMetadata: Bool { if case .metadata = self { true } else { false } }

  fileprivate var label: String {
    switch self {
    case .source: "Original order"
    case .date: "Date"
    case .name: "Name"
    case .camera: "Camera"
    case .size: "Size in megapixels"
    case .metadata(let sort): sort.label
    }
  }
}

extension PhotoOrder {
  /// The order for the header, such as "by date ↓".
  var text: String {
    switch (key, isAscending) {
    case (.source, true): "original order"
    case (.source, false): "original order ↓"
    default: "by \(key.name) \(isAscending ? "↑" : "↓")"
    }
  }

  /// The note that says which end comes first. The same key again reverses the order.
  fileprivate var label: String {
    switch (key, isAscending) {
    case (.source, true): "first to last"
    case (.source, false): "last to first"
    case (.date, false): "newest first"
    case (.date, true): "oldest first"
    case (.name, true), (.camera, true): "A to Z"
    case (.name, false), (.camera, false): "Z to A"
    case (.size, false): "largest first"
    case (.size, true): "smallest first"
    case (.metadata(let sort), true): sort.ascendingNote
    case (.metadata(let sort), false): sort.descendingNote
    }
  }
}
