import ImageWire

/// Characters in colors, which every terminal shows.
struct SymbolFormat: OutputFormatRow {
  let name = "symbols"

  func recognize(on capabilities: Capabilities) -> Recognition { .works(because: reason(on: capabilities)) }

  /// Returns why there is nothing better, as a clause about the terminal.
  func reason(on capabilities: Capabilities) -> String {
    switch capabilities.multiplexer {
    case .screen: "GNU screen doesn't pass images on"
    case .mosh: "mosh doesn't pass images on"
    case .tmux, nil:
      capabilities.deviceAttributes.isEmpty ? "the terminal did not answer" : "no graphics protocol reported"
    }
  }

  func advice(on capabilities: Capabilities) -> String? {
    switch capabilities.multiplexer {
    case .screen: "use tmux, which passes images on to kitty and Ghostty"
    case .mosh: "use ssh, which passes everything on"
    case .tmux, nil: nil
    }
  }

  func format(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat? {
    chosen(on: capabilities, depth: depth, charset: charset)
  }

  /// Returns the format with the characters that the terminal shows.
  func chosen(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat {
    .symbols(depth, charset.isASCII ? .ascii : GlyphTable.symbols(of: capabilities.drawingTerminal))
  }
}
