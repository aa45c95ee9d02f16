import ImageWire
import Terminal

/// How images are shown, as the person says.
public enum OutputChoice: String, CaseIterable, Sendable {
  case auto, kitty, sixel, iterm, symbols, none

  /// What that comes to on this terminal; nil where no images are wanted.
  public func form(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat? {
    let symbols = OutputFormat.symbols(
      depth,
      charset == .ascii ? .ascii : capabilities.drawsSextants ? .sextants : .blocks)
    return self == .none ? nil : method(on: capabilities)?.form(depth: depth) ?? symbols
  }

  /// Why it comes to that, as a clause.
  public func reason(on capabilities: Capabilities, depth: ColorDepth) -> String {
    let reason = self == .auto ? capabilities.best.reason : "--pictures \(rawValue) says so"
    guard case .kitty(true, _, let isInTmux) = method(on: capabilities), depth != .truecolor else { return reason }
    // A placeholder names its image by a 24-bit color.
    return reason
      + (isInTmux
        ? "; but in tmux that takes 24-bit colors, so it is characters"
        : "; but placeholders take 24-bit colors, so images are placed over the cells")
  }

  /// nil where there are to be characters, or nothing.
  private func method(on capabilities: Capabilities) -> GraphicsProtocol? {
    switch self {
    case .none, .symbols: nil
    case .auto: capabilities.best.0
    case .kitty: capabilities.kitty
    case .sixel: capabilities.sixel
    case .iterm: .iterm
    }
  }
}

extension GraphicsProtocol {
  /// nil where it cannot be used: a placeholder names its image by a 24-bit color, and tmux needs placeholders.
  fileprivate func form(depth: ColorDepth) -> OutputFormat? {
    switch self {
    case .kitty(true, _, true) where depth != .truecolor: nil
    case .kitty(true, let isLocal, false) where depth != .truecolor:
      .kitty(KittyTransfer(hasPlaceholders: false, isLocal: isLocal, isInTmux: false))
    case .kitty(let hasPlaceholders, let isLocal, let isInTmux):
      .kitty(KittyTransfer(hasPlaceholders: hasPlaceholders, isLocal: isLocal, isInTmux: isInTmux))
    case .sixel(let colors): .sixel(colors: colors)
    case .iterm: .iterm
    }
  }
}

extension OutputFormat {
  /// How the terminal gets what is rendered in this form; nil for characters.
  var way: Graphic.Way? {
    switch self {
    case .symbols: nil
    case .kitty(let transfer): transfer.hasPlaceholders ? .placeholders(isInTmux: transfer.isInTmux) : .placed
    case .sixel, .iterm: .drawn
    }
  }
}
