import Gallery

/// A photo of a contact sheet: what is written at its picture.
public struct SheetPhoto: Hashable, Sendable {
  /// The short name that tells the photo from the others (``SheetNames``).
  public var name: String
  /// The stars from 1 to 5, or 0 for none.
  public var stars: Int
  /// The label, or nil for none.
  public var label: SheetLabel?
  /// The caption, or nothing.
  public var caption: String
  /// The text that stands for the picture, or nothing.
  public var altText: String

  /// Creates a photo with a name, and with the decisions and texts of its metadata.
  public init(name: String, _ metadata: PhotoMetadata? = nil) {
    self.name = name
    stars = max(0, min(metadata?.rating ?? 0, 5))
    label = metadata?.label.flatMap(\.nonEmpty).map { SheetLabel($0) }
    caption = metadata?.caption?.printableLines ?? ""
    altText = (metadata?.altText ?? metadata?.caption)?.printable ?? ""
  }

  /// The stars as characters.
  var starText: String { String(repeating: "★", count: stars) }
}

/// A label of a photo in words, and its color.
public struct SheetLabel: Hashable, Sendable {
  /// The label in the language of the interface.
  public let text: String
  /// The color of its dot, such as `#1a5fb4`.
  public let color: String

  /// Creates a label by its name in metadata.
  public init(_ name: String) {
    text = name.colorText.printable
    color = ColorLabel(name: name)?.dotColor ?? "#808080"
  }
}

extension ColorLabel {
  /// A color for paper that is neither too bright nor too dark.
  fileprivate var dotColor: String {
    switch self {
    case .red: "#c9302c"
    case .orange: "#d9781f"
    case .yellow: "#d6a800"
    case .green: "#3a8f3a"
    case .blue: "#2a6fc4"
    case .purple: "#8a4bab"
    case .gray: "#8c8c8c"
    case .black: "#1a1a1a"
    case .white: "#d8d8d8"
    }
  }
}

extension String {
  /// The text for HTML, also in attributes with double quotes, and for Pango's markup.
  var escapedMarkup: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}
