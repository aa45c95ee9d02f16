import CSystem
import Dispatch
import Foundation

/// Reports when tmux may have been attached to a terminal or detached from it.
///
/// tmux does not notify its programs of that, except by a change of their window's size. But it makes its socket executable
/// when a session gets its first terminal, and not executable when the session loses its last one.
@MainActor
final class OuterTerminalWatch {
  private let source: any DispatchSourceRead

  /// - Returns: nil if the environment names no socket on this machine, or if the system watches nothing.
  init?(environment: [String: String], onChange: @escaping @MainActor () -> Void) {
    guard let socket = Self.socket(environment) else { return nil }
    let descriptor = create_watcher()
    guard descriptor >= 0 else { return nil }
    guard watch_path(descriptor, socket, WATCH_ATTRIBUTES) >= 0 else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      var events = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &events, events.count) > 0 {}
      MainActor.assumeIsolated { onChange() }
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  isolated deinit { source.cancel() }

  /// Returns the path of tmux's socket: what comes before the last two commas of the variable.
  nonisolated static func socket(_ environment: [String: String]) -> String? {
    let parts = environment["TMUX"]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    guard parts.count > 2 else { return nil }
    return parts.dropLast(2).joined(separator: ",")
  }
}
