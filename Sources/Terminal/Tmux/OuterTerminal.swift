import CSystem
import Foundation

/// The terminal in which tmux is shown, as tmux itself describes it.
///
/// tmux answers at once and reliably. Questions to its terminal would have to pass through tmux, which drops them when it
/// is busy.
public struct OuterTerminal: Hashable, Sendable {
  /// The terminal's TERM; empty while no terminal is attached.
  var name = ""
  /// The terminal's answer to XTVERSION; empty if it has not answered, or if tmux is too old to say (before 3.2).
  var version = ""
  /// The features that tmux uses (`terminal-features` in tmux's manual).
  var features: Set<String> = []
  /// The time at which the terminal was attached, in seconds since 1970.
  var attachedAt = 0
  /// The number of the process that attached the terminal, which tells it from another that was attached in the same second.
  var attacher = 0
  /// Whether tmux passes sequences of programs on to the terminal.
  var passesThrough = false
  /// Whether tmux passes them on from hidden windows, too.
  var passesThroughAlways = false
  /// Whether this program runs in a popup of tmux (`display-popup`), from which tmux passes nothing on.
  var isInPopup = false

  /// The state of the question about the outer terminal.
  enum Answer: Hashable {
    case due
    /// tmux did not answer: it runs on another machine, or is not installed here.
    case none
    case terminal(OuterTerminal)
  }

  init() {}

  /// - Parameter answer: The output of ``command``.
  init?(answer: String) {
    let lines = answer.split(separator: "\n", omittingEmptySubsequences: false)
    let fields = lines[0].split(separator: "|", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 5 else { return nil }
    name = fields[0]
    features = Set(fields[1].split(separator: ",").map(String.init))
    attachedAt = Int(fields[2]) ?? 0
    attacher = Int(fields[3]) ?? 0
    version = fields[4]
    // Before 3.3 there is no such option, and everything is passed on.
    let option = lines.dropFirst().first ?? ""
    passesThrough = option.isEmpty || option == "on" || option == "all"
    passesThroughAlways = option == "all"
  }

  /// The arguments with which tmux prints the answer. The version comes last, since only it may contain the separator.
  static let command = [
    "display-message", "-p",
    "#{client_termname}|#{client_termfeatures}|#{client_created}|#{client_pid}|#{client_termtype}", ";",
    "show-options", "-pAqv", "allow-passthrough",
  ]

  /// Whether 24-bit colors reach the terminal. tmux knows that of kitty and Ghostty from their terminfo entries, and does
  /// not list it among the features.
  var hasTruecolor: Bool { features.contains("RGB") || ["xterm-kitty", "xterm-ghostty"].contains(name) }

  /// Whether sequences of this program reach the terminal while tmux shows it.
  var takesSequences: Bool { passesThrough && !isInPopup }

  /// Whether the terminal is another tmux, or GNU screen.
  var isNested: Bool { ["tmux", "screen"].contains { name.hasPrefix($0) || version.hasPrefix($0) } }

  /// The number of seconds for which tmux waits for the version of a terminal that was attached.
  private static let versionTime = 5

  /// Returns whether the terminal may still report its version to tmux, if that would make a difference.
  func isVersionDue(at now: Date) -> Bool {
    !name.isEmpty && version.isEmpty && passesThrough && hasTruecolor
      && Int(now.timeIntervalSince1970) - attachedAt < Self.versionTime
  }
}

extension OuterTerminal {
  /// The time after which tmux is no longer waited for.
  private static let answerTime = Duration.seconds(5)

  /// Asks tmux about its terminal, and blocks until it has answered. If the terminal has just been attached, tmux is
  /// asked again, after growing pauses, until it knows the terminal's version or no longer waits for it.
  /// - Returns: nil if tmux cannot be reached.
  static func ask(environment: [String: String]) -> OuterTerminal? {
    // Without the variable, tmux runs on another machine.
    guard environment["TMUX"]?.isEmpty == false else { return nil }
    var pause = Duration.milliseconds(25)
    while true {
      guard
        let output = ChildProcess.output(of: "tmux", command, environment: environment, within: answerTime),
        var client = OuterTerminal(answer: output)
      else { return nil }
      // A popup is not a pane, so it has no such variable.
      client.isInPopup = environment["TMUX_PANE"]?.isEmpty != false
      guard client.isVersionDue(at: Date()) else { return client }
      // tmux sends no notification when the version arrives. The pauses end with the few seconds in which it can still
      // arrive, and only this caller's thread waits.
      Thread.sleep(forTimeInterval: pause / .seconds(1))
      pause *= 2
    }
  }

  /// Asks as ``ask(environment:)`` does, on a separate thread.
  @MainActor
  static func ask(
    environment: [String: String], then receive: @escaping @MainActor (OuterTerminal?) -> Void
  ) {
    detach({ ask(environment: environment) }, then: receive)
  }

  /// The way in which tmux shows a program.
  enum Visibility {
    /// The program is seen, and gets what comes from the terminal.
    case active
    /// The program is seen, but what comes from the terminal, an answer, too, goes to another program or to tmux.
    case visible
    /// The program is not seen. tmux passes none of its sequences on.
    case hidden

    /// - Parameter answer: The output of ``command(pane:)``; nil if there is none.
    init(answer: String?) {
      let line = answer?.split(separator: "\n").first ?? ""
      let flags = line.split(separator: "|", omittingEmptySubsequences: false).map { (Int($0) ?? 0) > 0 }
      guard flags.count == 6 else {
        self = .visible
        return
      }
      let isPaneActive = flags[0]
      let isWindowActive = flags[1]
      let isZoomed = flags[2]
      let hasPrefix = flags[3]
      // A pane in a mode, such as that for copying, shows what it had before.
      let isInMode = flags[4]
      let isAttached = flags[5]
      if !isWindowActive || isZoomed && !isPaneActive || isInMode || !isAttached {
        self = .hidden
      } else {
        self = isPaneActive && !hasPrefix ? .active : .visible
      }
    }

    /// Returns the arguments with which tmux prints how it shows a pane.
    static func command(pane: String) -> [String] {
      [
        "display-message", "-p", "-t", pane,
        "#{pane_active}|#{window_active}|#{window_zoomed_flag}|#{client_prefix}|#{pane_in_mode}|#{session_attached}",
      ]
    }
  }

  /// Asks tmux how it shows the program.
  @MainActor
  static func askForVisibility(
    environment: [String: String], then receive: @escaping @MainActor (Visibility) -> Void
  ) {
    let command = Visibility.command(pane: environment["TMUX_PANE"] ?? "")
    detach(
      { Visibility(answer: ChildProcess.output(of: "tmux", command, environment: environment, within: answerTime)) },
      then: receive)
  }

  /// Does something that blocks on a separate thread.
  @MainActor
  private static func detach<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then receive: @escaping @MainActor (Result) -> Void
  ) {
    Thread.detachNewThread {
      // Signals are for the main thread.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      let result = work()
      DispatchQueue.main.async { MainActor.assumeIsolated { receive(result) } }
    }
  }
}
