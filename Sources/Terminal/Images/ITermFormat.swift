import ImageWire

/// iTerm2's inline images (OSC 1337).
struct ITermFormat: OutputFormatRow {
  let name = "iterm"

  /// Returns whether the terminal knows the format. Sixels come first in the table, except on iTerm2 itself.
  func recognize(on capabilities: Capabilities) -> Recognition {
    guard capabilities.multiplexer == nil, capabilities.knowsITerm else { return .isUnknown() }
    return .works(because: "it is known to show iTerm2's images")
  }

  func format(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat? { .iterm }

  /// Whether the terminal is iTerm2 itself, for which this format comes before sixels.
  static func isPreferred(on capabilities: Capabilities) -> Bool {
    capabilities.knowsITerm && capabilities.version.hasPrefix("iTerm2")
  }
}
