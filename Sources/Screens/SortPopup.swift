import Finding

extension ChoicePopup {
  /// Makes the menu of the orders that photos can be sorted in.
  /// - Parameters:
  ///   - order: The current order.
  ///   - onChoice: Called with the key that the user chooses.
  static func sort(_ order: PhotoOrder, onChoice: @escaping (PhotoOrder.Key) -> Void) -> ChoicePopup {
    let keys = PhotoOrder.Key.allCases
    return ChoicePopup(
      title: "Sort by",
      choices: keys.map { Choice(key: $0.letter, text: $0.label, note: $0 == order.key ? order.label : "") },
      highlighted: keys.firstIndex(of: order.key) ?? 0
    ) { onChoice(keys[$0]) }
  }
}

extension PhotoOrder.Key {
  fileprivate var letter: Character {
    switch self {
    case .source: "o"
    case .date: "d"
    case .name: "n"
    case .camera: "c"
    case .rating: "r"
    case .size: "s"
    }
  }

  fileprivate var label: String {
    switch self {
    case .source: "Order of the source"
    case .date: "Date"
    case .name: "Name"
    case .camera: "Camera"
    case .rating: "Rating"
    case .size: "Size of the image"
    }
  }
}

extension PhotoOrder {
  /// The note that says which end comes first. The same key again reverses the order.
  fileprivate var label: String {
    switch (key, isAscending) {
    case (.source, true): "as it is"
    case (.source, false): "reversed"
    case (.date, false): "newest first"
    case (.date, true): "oldest first"
    case (.name, true), (.camera, true): "A to Z"
    case (.name, false), (.camera, false): "Z to A"
    case (.rating, false): "best first"
    case (.rating, true): "worst first"
    case (.size, false): "largest first"
    case (.size, true): "smallest first"
    }
  }
}
