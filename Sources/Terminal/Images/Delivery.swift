/// The way in which a rendition gets onto the screen.
public enum Delivery: Hashable, Sendable {
  /// The rendition is characters, which are cells as all others are.
  case cells
  /// The terminal stores the image, and shows it in cells with certain characters. These move and are covered as others.
  case placeholders(KittyCommands)
  /// The terminal stores the image. Commands place it over the cells.
  case placed(KittyCommands)
  /// The image is drawn over the cells, each time again.
  case drawn

  /// The commands for images that the terminal stores; nil if it stores none.
  public var commands: KittyCommands? {
    switch self {
    case .placeholders(let commands), .placed(let commands): commands
    case .cells, .drawn: nil
    }
  }

  /// Whether the image is placed over the cells by commands.
  var isPlaced: Bool {
    if case .placed = self { true } else { false }
  }
}
