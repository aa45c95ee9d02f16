// Whether the outer terminal shows images, and what the user can do about it.

extension OuterTerminal {
  /// The reason why tmux and its terminal show images, as a clause.
  static let reason = "tmux passes images on, and its terminal knows kitty's placeholders"

  /// The effect of few colors, as a clause.
  static let colorRemark = "but in tmux that takes 24-bit colors, so it is characters"
  /// The way of images to the terminal in words.
  static let route = "through tmux"

  /// Returns why images can't be shown, as a clause; nil if they can. Only placeholders stay where they belong when tmux
  /// scrolls or splits the window.
  func obstacle(knowsPlaceholders: Bool) -> String? {
    if name.isEmpty { return "tmux is not attached to a terminal" }
    if isNested { return "tmux runs in another multiplexer" }
    if isInPopup { return "tmux doesn't pass images on from a popup" }
    if version.isEmpty { return "tmux does not know the version of its terminal, \(name)" }
    guard knowsPlaceholders else {
      return "in tmux only kitty (since 0.28) and Ghostty keep images in their place, not \(version)"
    }
    guard passesThrough else { return "tmux doesn't pass images on" }
    guard hasTruecolor else { return "tmux takes its terminal, \(name), to have few colors" }
    return nil
  }

  /// The advice for a user who wants to see images of kitty's protocol, on a terminal that knows placeholders.
  var advice: String? {
    guard !isNested, !isInPopup else { return nil }
    if !passesThrough { return "put “set -g allow-passthrough on” into tmux's configuration" }
    if !hasTruecolor {
      return "put “set -as terminal-features ',\(name):RGB'” into tmux's configuration, and attach again"
    }
    return nil
  }

  /// The advice for a user who wants to see sixels. They are left to the user's choice: tmux loses them or lets them pile up, and can
  /// take minutes for one.
  var sixelAdvice: String? {
    guard !isNested, features.contains("sixel") else { return nil }
    return "--pictures sixel tries sixels, which tmux may draw slowly or lose"
  }
}

extension OuterTerminal.Answer {
  /// Returns why images can't be shown, as a clause; nil if they can.
  func obstacle(knowsPlaceholders: Bool) -> String? {
    switch self {
    case .due: "tmux has not answered yet"
    case .none: "tmux does not say which terminal it is in; it may run on another machine"
    case .terminal(let terminal): terminal.obstacle(knowsPlaceholders: knowsPlaceholders)
    }
  }
}
