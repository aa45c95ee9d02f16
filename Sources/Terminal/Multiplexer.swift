/// A program between this one and the terminal that draws.
public enum Multiplexer: String, Hashable, Sendable {
  /// tmux, which answers questions itself. It passes on sequences that are wrapped for it if its options allow that.
  case tmux
  /// GNU screen, which passes no images on.
  case screen

  /// Creates the multiplexer that the environment names; nil if it names none.
  init?(environment: [String: String]) {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    let type = environment["TERM"] ?? ""
    if type.hasPrefix("tmux") {
      self = .tmux
    } else if isSet("STY") || type.hasPrefix("screen") && !isSet("TMUX") {
      self = .screen
    } else if isSet("TMUX") {
      self = .tmux
    } else {
      return nil
    }
  }
}
