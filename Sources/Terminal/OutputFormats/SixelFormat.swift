import ImageWire

/// Sixel graphics (DEC STD 070).
struct SixelFormat: OutputFormatRow {
  let name = "sixel"

  /// The number by which device attributes report sixels (DEC STD 070).
  private static let attribute = 4

  /// Returns whether the terminal reports sixels. In tmux they are left to the user's choice: tmux loses them or lets them
  /// pile up, and can take minutes for one.
  func recognize(on capabilities: Capabilities) -> Recognition {
    let reportsSixels =
      capabilities.isSupposedToKnowSixels || capabilities.deviceAttributes.contains { $0.contains(Self.attribute) }
    guard reportsSixels, capabilities.multiplexer == nil, !TerminalKind.isSimple(capabilities.type),
      !ITermFormat.isPreferred(on: capabilities)
    else { return .isUnknown() }
    return .works(because: "it reports sixels")
  }

  func format(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat? {
    .sixel(colors: capabilities.sixelColors)
  }

  func advice(on capabilities: Capabilities) -> String? {
    guard case .client(let client) = capabilities.tmux, !client.isNested, client.features.contains("sixel") else {
      return nil
    }
    return "--pictures sixel tries sixels, which tmux may draw slowly or lose"
  }
}
