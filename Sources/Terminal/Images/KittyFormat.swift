import ImageWire

/// The kitty graphics protocol, with placeholders where the terminal knows them.
struct KittyFormat: OutputFormatRow {
  let name = "kitty"

  func recognize(on capabilities: Capabilities) -> Recognition {
    if capabilities.hasOuterTerminal {
      let obstacle = capabilities.outerAnswer.obstacle(knowsPlaceholders: capabilities.knowsPlaceholders)
      return obstacle.map { Recognition.isUnknown(because: $0) } ?? .works(because: OuterTerminal.reason)
    }
    guard capabilities.multiplexer == nil, capabilities.acceptsKitty else { return .isUnknown() }
    return .works(
      because: capabilities.knowsPlaceholders
        ? "it knows kitty's images and their placeholders" : "it knows kitty's images")
  }

  func format(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat? {
    let isPassedThrough = capabilities.hasOuterTerminal
    // A placeholder names its image by a 24-bit color. In a multiplexer nothing else works.
    guard depth == .truecolor || !isPassedThrough else { return nil }
    return .kitty(
      KittyTransfer(
        hasPlaceholders: depth == .truecolor && wantsPlaceholders(on: capabilities),
        isLocal: capabilities.readsFiles, isPassedThrough: isPassedThrough))
  }

  private func wantsPlaceholders(on capabilities: Capabilities) -> Bool {
    capabilities.hasOuterTerminal || capabilities.knowsPlaceholders
  }

  func remark(on capabilities: Capabilities, depth: ColorDepth) -> String? {
    guard depth != .truecolor, wantsPlaceholders(on: capabilities) else { return nil }
    return capabilities.hasOuterTerminal
      ? OuterTerminal.colorRemark
      : "but placeholders take 24-bit colors, so images are placed over the cells"
  }

  func advice(on capabilities: Capabilities) -> String? {
    capabilities.knowsPlaceholders ? capabilities.outerTerminal?.advice : nil
  }

  static func delivery(_ transfer: KittyTransfer) -> Delivery {
    let commands = KittyCommands(isPassedThrough: transfer.isPassedThrough)
    return transfer.hasPlaceholders ? .placeholders(commands) : .placed(commands)
  }

  static func summary(_ transfer: KittyTransfer) -> String {
    "kitty" + (transfer.hasPlaceholders ? " with placeholders" : "") + (transfer.isLocal ? ", through files" : "")
      + (transfer.isPassedThrough ? ", \(OuterTerminal.route)" : "")
  }
}

extension Capabilities {
  /// Whether the terminal that draws shows images at placeholders: kitty since 0.28, and Ghostty.
  var knowsPlaceholders: Bool {
    drawingTerminal.hasPrefix("ghostty") || isKitty(since: 28)
  }
}
