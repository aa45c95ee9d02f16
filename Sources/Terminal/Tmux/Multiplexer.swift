/// A program between this one and the terminal that draws.
public enum Multiplexer: String, Hashable, Sendable {
  /// tmux, which answers questions itself. It passes on sequences that are wrapped for it if its options allow that.
  case tmux
  /// GNU screen, which passes no images on.
  case screen
  /// mosh, which sends what its own terminal shows. That terminal knows no images, and answers all questions itself.
  case mosh

  /// Creates the multiplexer that is next to this program; nil if there is none.
  /// - Parameter ancestors: Returns the names of the processes above this one, which show mosh. It sets no variable.
  init?(environment: [String: String], ancestors: () -> [String]) {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    let type = environment["TERM"] ?? ""
    if type.hasPrefix("tmux") {
      self = .tmux
    } else if isSet("STY") || type.hasPrefix("screen") && !isSet("TMUX") {
      self = .screen
    } else if isSet("TMUX") {
      self = .tmux
    } else if ancestors().contains("mosh-server") {
      self = .mosh
    } else {
      return nil
    }
  }
}

// MARK: - The differences between multiplexers

extension Multiplexer {
  /// Whether the multiplexer describes the terminal behind it (``OuterTerminal``), and may pass sequences on to it.
  var hasOuterTerminal: Bool { self == .tmux }

  /// The multiplexer's terminfo entry for 24-bit colors, which GNU screen shares.
  static let directEntry = "tmux-direct"

  /// Returns what GNU screen turns out to be by the version that it reports; nil if it is GNU screen. The TERM of tmux may
  /// begin with "screen". Over SSH, its variable is missing.
  func corrected(by version: String) -> Multiplexer? { self == .screen && version.hasPrefix("tmux ") ? .tmux : nil }

  /// Returns whether 24-bit colors, which the environment promises, reach the terminal. GNU screen hands the promise on and
  /// misunderstands the colors (up to version 4). mosh does not know them in the form that terminfo has.
  func takesTruecolor(_ environment: [String: String]) -> Bool {
    switch self {
    // Without this variable it may be tmux over SSH.
    case .screen: environment["STY"]?.isEmpty != false
    case .mosh: false
    case .tmux: true
    }
  }

  /// Returns the bytes with which a sequence for the clipboard reaches the terminal.
  func clipboardBytes(_ sequence: String) -> [UInt8] {
    switch self {
    case .mosh: Array(sequence.utf8)
    // tmux takes the first or passes the second on, depending on its options set-clipboard and allow-passthrough.
    case .tmux: Array(sequence.utf8) + Passthrough.wrapped(sequence)
    case .screen: Array("\u{1B}P\(sequence)\u{1B}\\".utf8)
    }
  }

  /// The reason why the multiplexer never shows images, as a clause; nil if it may pass them on.
  var obstacle: String? {
    switch self {
    case .screen: "GNU screen doesn't pass images on"
    case .mosh: "mosh doesn't pass images on"
    case .tmux: nil
    }
  }

  /// The advice for a user who wants to see images; nil if the multiplexer may pass them on.
  var advice: String? {
    switch self {
    case .screen: "use tmux, which passes images on to kitty and Ghostty"
    case .mosh: "use ssh, which passes everything on"
    case .tmux: nil
    }
  }
}
