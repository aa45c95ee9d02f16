import ImageWire

/// The kitty graphics protocol, with placeholders where the terminal knows them.
struct KittyFormat: OutputFormatRow {
  let name = "kitty"

  func recognize(on capabilities: Capabilities) -> Recognition {
    switch capabilities.multiplexer {
    case .tmux: return recognize(in: capabilities.tmux, capabilities)
    case .screen, .mosh: return .isUnknown()
    case nil:
      guard capabilities.acceptsKitty else { return .isUnknown() }
      return .works(
        because: capabilities.knowsPlaceholders
          ? "it knows kitty's images and their placeholders" : "it knows kitty's images")
    }
  }

  /// tmux passes images on, but only placeholders stay where they belong when tmux scrolls or splits the window.
  private func recognize(in tmux: Capabilities.TmuxAnswer, _ capabilities: Capabilities) -> Recognition {
    guard case .client(let client) = tmux else {
      return .isUnknown(
        because: tmux == .due
          ? "tmux has not answered yet"
          : "tmux does not say which terminal it is in; it may run on another machine")
    }
    if let obstacle = obstacle(in: client, capabilities) { return .isUnknown(because: obstacle) }
    return .works(because: "tmux passes images on, and its terminal knows kitty's placeholders")
  }

  private func obstacle(in client: TmuxClient, _ capabilities: Capabilities) -> String? {
    if client.name.isEmpty { return "tmux is not attached to a terminal" }
    if client.isNested { return "tmux runs in another multiplexer" }
    if client.isInPopup { return "tmux doesn't pass images on from a popup" }
    if client.version.isEmpty { return "tmux does not know the version of its terminal, \(client.name)" }
    guard capabilities.knowsPlaceholders else {
      return "in tmux only kitty (since 0.28) and Ghostty keep images in their place, not \(client.version)"
    }
    guard client.passesThrough else { return "tmux doesn't pass images on" }
    guard client.hasTruecolor else { return "tmux takes its terminal, \(client.name), to have few colors" }
    return nil
  }

  func format(on capabilities: Capabilities, depth: ColorDepth, charset: Charset) -> OutputFormat? {
    let isInTmux = capabilities.multiplexer == .tmux
    // A placeholder names its image by a 24-bit color. In tmux nothing else works.
    guard depth == .truecolor || !isInTmux else { return nil }
    return .kitty(
      KittyTransfer(
        hasPlaceholders: depth == .truecolor && wantsPlaceholders(on: capabilities),
        isLocal: capabilities.readsFiles, isInTmux: isInTmux))
  }

  private func wantsPlaceholders(on capabilities: Capabilities) -> Bool {
    capabilities.multiplexer == .tmux || capabilities.knowsPlaceholders
  }

  func remark(on capabilities: Capabilities, depth: ColorDepth) -> String? {
    guard depth != .truecolor, wantsPlaceholders(on: capabilities) else { return nil }
    return capabilities.multiplexer == .tmux
      ? "but in tmux that takes 24-bit colors, so it is characters"
      : "but placeholders take 24-bit colors, so images are placed over the cells"
  }

  func advice(on capabilities: Capabilities) -> String? {
    guard case .client(let client) = capabilities.tmux, !client.isNested, !client.isInPopup,
      capabilities.knowsPlaceholders
    else {
      return nil
    }
    if !client.passesThrough { return "put “set -g allow-passthrough on” into tmux's configuration" }
    if !client.hasTruecolor {
      return "put “set -as terminal-features ',\(client.name):RGB'” into tmux's configuration, and attach again"
    }
    return nil
  }

  static func delivery(_ transfer: KittyTransfer) -> Delivery {
    let commands = KittyCommands(isInTmux: transfer.isInTmux)
    return transfer.hasPlaceholders ? .placeholders(commands) : .placed(commands)
  }

  static func summary(_ transfer: KittyTransfer) -> String {
    "kitty" + (transfer.hasPlaceholders ? " with placeholders" : "") + (transfer.isLocal ? ", through files" : "")
      + (transfer.isInTmux ? ", through tmux" : "")
  }
}

extension Capabilities {
  /// Whether the terminal that draws shows images at placeholders: kitty since 0.28, and Ghostty.
  var knowsPlaceholders: Bool {
    if drawingTerminal.hasPrefix("ghostty") { return true }
    guard drawingTerminal.hasPrefix("kitty(") else { return false }
    let numbers = drawingTerminal.drop { !$0.isNumber }.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count >= 2 && (numbers[0] > 0 || numbers[1] >= 28)
  }
}
