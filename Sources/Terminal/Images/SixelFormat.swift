import ImageWire

/// Sixel graphics (DEC STD 070).
struct SixelFormat: OutputFormatRow {
  let name = "sixel"

  /// The number by which device attributes report sixels (DEC STD 070).
  private static let attribute = 4

  /// Returns whether the terminal reports sixels. In a multiplexer they are left to the user's choice.
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
    capabilities.outerTerminal?.sixelAdvice
  }
}
