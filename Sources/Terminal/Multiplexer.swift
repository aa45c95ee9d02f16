/// What stands between the program and the terminal that draws.
public enum Multiplexer: String, Hashable, Sendable {
  /// Answers for itself, and passes on what is wrapped for it, if it may.
  case tmux
  /// GNU screen, which passes no images on.
  case screen

  /// What the environment says of it; nil where there is none.
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
