/// The color labels of image editors, with the names and numbers by which programs write them. The order is digiKam's.
///
/// The menu of labels has those that have a color in `ColorScheme`.
public enum ColorLabel: String, CaseIterable, Sendable {
  case red = "Red"
  case orange = "Orange"
  case yellow = "Yellow"
  case green = "Green"
  case blue = "Blue"
  case purple = "Purple"
  case gray = "Gray"
  case black = "Black"
  case white = "White"

  /// Creates the label of a name in Lightroom or in Bridge; nil for any other label.
  public init?(name: String) {
    let name = name.lowercased()
    switch name {
    case "select": self = .red
    case "second": self = .yellow
    case "approved": self = .green
    case "review": self = .blue
    case "to do": self = .purple
    default:
      guard let label = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
      self = label
    }
  }

  /// Creates the label of a number in darktable, which begins with 0.
  public init?(darktable number: Int) {
    guard Self.darktable.indices.contains(number) else { return nil }
    self = Self.darktable[number]
  }

  /// Creates the label of a number in digiKam, which begins with 1. 0 means no label.
  public init?(digiKam number: Int) {
    guard (1...Self.allCases.count).contains(number) else { return nil }
    self = Self.allCases[number - 1]
  }

  private static let darktable = [ColorLabel.red, .yellow, .green, .blue, .purple]

  /// The number in darktable; nil if it does not have the label.
  public var darktableNumber: Int? { Self.darktable.firstIndex(of: self) }
  /// The number in digiKam.
  public var digiKamNumber: Int { Self.allCases.firstIndex(of: self)! + 1 }

  /// The name in the language of the interface.
  public var text: String {
    switch self {
    case .red: localized("Red")
    case .orange: localized("Orange")
    case .yellow: localized("Yellow")
    case .green: localized("Green")
    case .blue: localized("Blue")
    case .purple: localized("Purple")
    case .gray: localized("Gray")
    case .black: localized("Black")
    case .white: localized("White")
    }
  }
}

extension String {
  /// The label in the language of the interface if it is the English name of a color, which programs write; otherwise the
  /// label itself.
  public var colorText: String { ColorLabel(rawValue: self)?.text ?? self }
}
