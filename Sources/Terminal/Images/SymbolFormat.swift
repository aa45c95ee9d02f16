import ImageWire

/// Characters in colors, which every terminal shows.
struct SymbolFormat: OutputFormatRow {
  let name = "symbols"

  func recognize(on capabilities: Capabilities) -> Recognition { .works(because: reason(on: capabilities)) }

  /// Returns why there is nothing better, as a clause about the terminal.
  func reason(on capabilities: Capabilities) -> String {
    capabilities.multiplexer?.obstacle
      ?? (capabilities.deviceAttributes.isEmpty ? "the terminal did not answer" : "no graphics protocol reported")
  }

  func advice(on capabilities: Capabilities) -> String? { capabilities.multiplexer?.advice }

  func format(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat? {
    chosen(on: capabilities, depth: depth, charset: charset)
  }

  /// Returns the format with the characters that the terminal shows.
  func chosen(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat {
    .symbols(depth, charset.isASCII ? .ascii : GlyphTable.symbols(of: capabilities.drawingTerminal))
  }
}
