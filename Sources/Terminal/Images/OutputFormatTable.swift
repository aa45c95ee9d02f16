import ImageWire

/// All output formats.
///
/// To add a format, add its case to `OutputFormat`, a file with its row (``OutputFormatRow``), a line to each list of this
/// file, and its encoder to the image worker.
enum OutputFormatTable {
  /// The formats that show pixels, best first.
  private static let pixelRows: [any OutputFormatRow] = [KittyFormat(), SixelFormat(), ITermFormat()]
  /// The fallback, which works everywhere.
  private static let symbols = SymbolFormat()

  /// All formats in the order in which they are listed to the user.
  static let rows: [any OutputFormatRow] = pixelRows + [symbols]

  /// Returns the best format for a terminal, and why it is the best.
  static func best(on capabilities: Capabilities) -> (row: any OutputFormatRow, reason: String) {
    var obstacle: String?
    for row in pixelRows {
      switch row.recognize(on: capabilities) {
      case .works(let reason): return (row, reason)
      case .isUnknown(let reason): obstacle = obstacle ?? reason
      }
    }
    return (symbols, obstacle ?? symbols.reason(on: capabilities))
  }

  /// Returns a row's format, or symbols if the format can't work on the terminal.
  static func format(
    of row: any OutputFormatRow, on capabilities: Capabilities, depth: ColorDepth, charset: Charset
  ) -> OutputFormat {
    row.format(on: capabilities, depth: depth, charset: charset)
      ?? symbols.chosen(on: capabilities, depth: depth, charset: charset)
  }
}

extension OutputFormat {
  /// The way in which renditions of this format get onto the screen.
  public var delivery: Delivery {
    switch self {
    case .symbols: .cells
    case .kitty(let transfer): KittyFormat.delivery(transfer)
    case .sixel, .iterm, .transfer: .drawn
    }
  }

  /// The format and its parameters in words.
  public var summary: String {
    switch self {
    case .symbols: "symbols"
    case .kitty(let transfer): KittyFormat.summary(transfer)
    case .sixel(let colors): "sixel, \(colors) colors"
    case .iterm: "iterm"
    case .transfer: "transfer"
    }
  }
}

extension Capabilities {
  /// The user's next step towards better images; nil if nothing is known that would help.
  public var advice: String? {
    guard OutputFormatTable.best(on: self).row is SymbolFormat else { return nil }
    return OutputFormatTable.rows.lazy.compactMap { $0.advice(on: self) }.first
  }
}
