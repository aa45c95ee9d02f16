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
