extension MetadataField {
  /// The way in which a query finds photos by a field.
  public enum Search: Sendable {
    /// The texts of the field are searched for words, as in `lens:35mm`.
    case words(Words)
    /// The value of the field is compared with a number, as in `iso:>=400`.
    case number(Number)
  }

  /// The texts of a field in which a query finds words.
  public struct Words: Sendable {
    /// The name that a query gives before the colon.
    public let name: String
    /// The name by which `has:` finds photos with a word in the field, or nil if it can't.
    public let feature: String?
    /// Whether words without a field are searched for in these texts.
    public let isSearchedByDefault: Bool
    /// The weight of the field among equal matches, from 0 to 3.
    public let weight: UInt8
    /// Calls a closure with each text of the field.
    public let forEachText: @Sendable (PhotoMetadata, (String) -> Void) -> Void

    /// Returns the texts of the field.
    public func texts(of metadata: PhotoMetadata) -> [String] {
      var texts: [String] = []
      forEachText(metadata) { texts.append($0) }
      return texts
    }
  }

  /// The number of a field that a query compares.
  public struct Number: Sendable {
    /// The name that a query gives before the colon, or nil if a query can ask for ``feature`` alone.
    public let name: String?
    /// A description of the numbers that a query can ask for, for an error message.
    public let expected: LocalizedText
    /// The name by which `has:` finds photos with a number other than ``absent``, or nil if it can't.
    public let feature: String?
    /// The number that a query takes for an unknown one, or NaN if a query never finds photos without a number.
    public let absent: Double
    /// Returns the number, or nil if it is unknown.
    public let value: @Sendable (PhotoMetadata) -> Double?
  }

  /// The way in which photos are sorted by a field, and the words for it in the menu of orders.
  public struct Sort: Sendable {
    /// The key that photos are sorted by. Returns nil if it is unknown.
    public enum Key: Sendable {
      case number(@Sendable (PhotoMetadata) -> Int?)
      case text(@Sendable (PhotoMetadata) -> String?)
    }

    /// The name that distinguishes the order from others.
    public let name: String
    /// The label of the order.
    public let label: LocalizedText
    /// The order in the header, such as "by rating".
    public let heading: LocalizedText
    /// The note that says that the lowest keys come first.
    public let ascendingNote: LocalizedText
    /// The note that says that the highest keys come first.
    public let descendingNote: LocalizedText
    /// The key that photos are sorted by.
    public let key: Key
  }
}

extension MetadataField.Search {
  /// Finds words in a text.
  ///
  /// - Parameters:
  ///   - name: The name that a query gives before the colon.
  ///   - feature: The name after `has:`, or nil for none.
  ///   - isDefault: Whether words without a field are searched for in the text.
  ///   - weight: The weight of the field among equal matches, from 0 to 3.
  public static func words(
    _ name: String, _ text: @escaping @Sendable (PhotoMetadata) -> String?, has feature: String? = nil,
    isDefault: Bool = true, weight: UInt8 = 1
  ) -> Self {
    .words(
      MetadataField.Words(name: name, feature: feature, isSearchedByDefault: isDefault, weight: weight) {
        if let text = text($0) { $1(text) }
      })
  }

  /// Finds words in each text of a list, as the other function does in one text.
  public static func words(
    _ name: String, _ texts: @escaping @Sendable (PhotoMetadata) -> [String], has feature: String? = nil,
    isDefault: Bool = true, weight: UInt8 = 1
  ) -> Self {
    .words(
      MetadataField.Words(name: name, feature: feature, isSearchedByDefault: isDefault, weight: weight) {
        texts($0).forEach($1)
      })
  }

  /// Compares a number.
  ///
  /// - Parameters:
  ///   - name: The name that a query gives before the colon.
  ///   - feature: The name after `has:`, or nil for none.
  ///   - absent: The number that a query takes for an unknown one, or NaN for none.
  ///   - expected: A description of the numbers that a query can ask for, such as "a number of stars such as 4".
  public static func number(
    _ name: String, _ value: @escaping @Sendable (PhotoMetadata) -> Double?, has feature: String? = nil,
    absent: Double = .nan, expected: LocalizedText
  ) -> Self {
    .number(MetadataField.Number(name: name, expected: expected, feature: feature, absent: absent, value: value))
  }

  /// Compares an integer, as the other function compares a number.
  public static func number(
    _ name: String, _ value: @escaping @Sendable (PhotoMetadata) -> Int?, has feature: String? = nil,
    absent: Double = .nan, expected: LocalizedText
  ) -> Self {
    .number(name, { value($0).map(Double.init) }, has: feature, absent: absent, expected: expected)
  }

  /// Asks only whether a value is known, as in `has:gps`.
  public static func has(_ feature: String, _ isKnown: @escaping @Sendable (PhotoMetadata) -> Bool) -> Self {
    .number(MetadataField.Number(name: nil, expected: "", feature: feature, absent: .nan) { isKnown($0) ? 1 : nil })
  }
}

extension MetadataField.Sort {
  /// Sorts by a number. The highest numbers come first unless the user reverses the order.
  public static func number(
    _ name: String, _ value: @escaping @Sendable (PhotoMetadata) -> Int?, label: LocalizedText, heading: LocalizedText,
    ascendingNote: LocalizedText = LocalizedText("smallest first"),
    descendingNote: LocalizedText = LocalizedText("largest first")
  ) -> Self {
    Self(
      name: name, label: label, heading: heading, ascendingNote: ascendingNote, descendingNote: descendingNote,
      key: .number(value))
  }

  /// Sorts by a text. Case and accents are ignored, and numbers are compared by value.
  public static func text(
    _ name: String, _ text: @escaping @Sendable (PhotoMetadata) -> String?, label: LocalizedText, heading: LocalizedText
  ) -> Self {
    Self(
      name: name, label: label, heading: heading, ascendingNote: LocalizedText("A to Z"),
      descendingNote: LocalizedText("Z to A"), key: .text(text))
  }
}

// The names identify the fields, since closures can't be compared.

extension MetadataField.Words: Hashable {
  public static func == (first: Self, second: Self) -> Bool { first.name == second.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension MetadataField.Number: Hashable {
  public static func == (first: Self, second: Self) -> Bool {
    (first.name, first.feature) == (second.name, second.feature)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(feature)
  }
}

extension MetadataField.Sort: Hashable {
  public static func == (first: Self, second: Self) -> Bool { first.name == second.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
