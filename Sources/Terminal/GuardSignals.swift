import CTerminalGuard
import Dispatch
import Foundation

/// The signals that the terminal guard reports: the window was resized, or the program continued after a stop.
@MainActor
final class GuardSignals {
  /// Called after signals, with whether one of them says that the program has continued.
  var onSignals: (_ hasContinued: Bool) -> Void = { _ in }

  private let descriptor: Int32
  private lazy var source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)

  /// Puts a terminal under the guard, which handles signals from now on.
  /// - Parameter raw: The attributes that the program sets; nil for those of a full screen.
  init(guarding terminal: Int32, original: termios, raw: termios? = nil) throws(TerminalError) {
    var (original, raw) = (original, raw ?? original.raw)
    descriptor = terminal_guard_start(terminal, &original, &raw)
    guard descriptor >= 0 else { throw .systemCallFailed("pipe2", reason: String(cString: strerror(errno))) }
  }

  /// Begins to report signals.
  func start() {
    source.setEventHandler { [unowned self] in MainActor.assumeIsolated { receive() } }
    source.activate()
  }

  private func receive() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return }
    onSignals(bytes[..<count].contains(UInt8(TERMINAL_GUARD_CONTINUED)))
  }
}
