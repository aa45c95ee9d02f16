import Finding
import Gallery
import Photos

extension ChoicePopup {
  /// Makes the menu of the orders that photos can be sorted in.
  /// - Parameters:
  ///   - order: The current order.
  ///   - source: What the source of the photos can do.
  ///   - onChoice: Called with the key that the user chooses.
  static func sort(
    _ order: PhotoOrder, of source: SourceCapabilities, onChoice: @escaping (PhotoOrder.Key) -> Void
  ) -> ChoicePopup {
    let keys = PhotoOrder.Key.allCases
    let letters = letters(of: keys)
    let choices = keys.map {
      let letter = letters[$0].map { String($0) } ?? ""
      return Choice(
        key: letter, text: $0.label(in: source),
        note: $0 == order.key ? localized("\(order.label) · \(letter) reverses") : "")
    }
    return ChoicePopup(title: localized("Sort by"), choices: choices, highlighted: keys.firstIndex(of: order.key) ?? 0)
    {
      onChoice(keys[$0])
    }
  }

  /// Returns the letter that chooses each key: the first letter of its English label that is still free. The letters are the
  /// same in every language, since not every language can be typed with one key.
  ///
  /// Keys of the metadata choose last, so that a new one doesn't take a letter that users know.
  static func letters(of keys: [PhotoOrder.Key]) -> [PhotoOrder.Key: Character] {
    (keys.filter { !$0.isOfMetadata } + keys.filter(\.isOfMetadata)).reduce(into: [:]) { letters, key in
      letters[key] = key.label.english.lowercased().first { $0.isLetter && !letters.values.contains($0) }
    }
  }
}

extension PhotoOrder.Key {
  fileprivate var isOfMetadata: Bool { if case .metadata = self { true } else { false } }

  /// The label in a menu. A folder is in the order of its file names, and its photos may have titles.
  fileprivate func label(in source: SourceCapabilities) -> String {
    switch self {
    case .source where source.contains(.folders): localized("File name")
    case .name where source.contains(.folders): localized("Title")
    default: label.text
    }
  }

  fileprivate var label: LocalizedText {
    switch self {
    case .source: LocalizedText("Order of the catalog")
    case .date: LocalizedText("Date")
    case .name: LocalizedText("Name")
    case .camera: LocalizedText("Camera")
    case .size: LocalizedText("Size in megapixels")
    case .metadata(let sort): sort.label
    }
  }
}

extension PhotoOrder.Key {
  /// The key for the header, such as "by date".
  fileprivate func heading(in source: SourceCapabilities) -> String {
    switch self {
    case .source where source.contains(.folders): localized("by file name")
    case .name where source.contains(.folders): localized("by title")
    case .source: localized("catalog order")
    case .date: localized("by date")
    case .name: localized("by name")
    case .camera: localized("by camera")
    case .size: localized("by size")
    case .metadata(let sort): sort.heading.text
    }
  }
}

extension PhotoOrder {
  /// Returns the order for the header, such as "by date ↓".
  func text(in source: SourceCapabilities) -> String {
    if key == .source, isAscending, !source.contains(.folders) { return key.heading(in: source) }
    return "\(key.heading(in: source)) \(isAscending ? "↑" : "↓")"
  }

  /// The note that says which end comes first. The same key again reverses the order.
  fileprivate var label: String {
    switch (key, isAscending) {
    case (.source, true): localized("first to last")
    case (.source, false): localized("last to first")
    case (.date, false): localized("newest first")
    case (.date, true): localized("oldest first")
    case (.name, true), (.camera, true): localized("A to Z")
    case (.name, false), (.camera, false): localized("Z to A")
    case (.size, false): localized("largest first")
    case (.size, true): localized("smallest first")
    case (.metadata(let sort), true): sort.ascendingNote.text
    case (.metadata(let sort), false): sort.descendingNote.text
    }
  }
}
