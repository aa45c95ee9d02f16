import ArgumentParser

/// The color under transparent parts of images, as the user writes it.
struct BackgroundColor: ExpressibleByArgument {
  /// The color, 0xRRGGBB; nil for the terminal's own background.
  let rgb: UInt32?

  static let auto = BackgroundColor(rgb: nil)
  static let allValueStrings = [automatic] + names.map(\.name)
  static let defaultCompletionKind = CompletionKind.list(allValueStrings)

  private static let automatic = "auto"
  /// The names of HTML 4.01.
  private static let names: [(name: String, rgb: UInt32)] = [
    ("black", 0x000000), ("silver", 0xC0C0C0), ("gray", 0x808080), ("white", 0xFFFFFF), ("maroon", 0x800000),
    ("red", 0xFF0000), ("purple", 0x800080), ("fuchsia", 0xFF00FF), ("green", 0x008000), ("lime", 0x00FF00),
    ("olive", 0x808000), ("yellow", 0xFFFF00), ("navy", 0x000080), ("blue", 0x0000FF), ("teal", 0x008080),
    ("aqua", 0x00FFFF),
  ]

  var defaultValueDescription: String { Self.automatic }
}

extension BackgroundColor {
  /// Creates a color from `auto`, a name, or three or six hexadecimal digits with or without `#`, which shells take for a
  /// comment.
  init?(argument: String) {
    let name = argument.lowercased()
    if name == Self.automatic {
      self = .auto
    } else if let named = Self.names.first(where: { $0.name == name }) {
      self.init(rgb: named.rgb)
    } else {
      let digits = name.hasPrefix("#") ? name.dropFirst() : name[...]
      let all = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
      // `UInt32` would accept a sign.
      guard all.count == 6, all.allSatisfy(\.isHexDigit), let rgb = UInt32(all, radix: 16) else { return nil }
      self.init(rgb: rgb)
    }
  }
}
