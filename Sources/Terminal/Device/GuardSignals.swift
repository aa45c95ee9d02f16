import CTerminalGuard
import Dispatch
import Foundation

/// The terminal guard, and the signals that it reports: the window was resized, the program continued after a stop, or it has
/// to end itself.
@MainActor
final class GuardSignals {
  /// Called after signals, with whether one of them says that the program has continued.
  var onSignals: (_ hasContinued: Bool) -> Void = { _ in }

  /// Called after a signal that asks the program to end, if ``letProgramEnd()`` was called. The terminal has been given back.
  var onEnding: () -> Void = {}

  private let descriptor: Int32
  private lazy var source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)

  /// Puts a terminal under the guard, which handles signals from now on.
  /// - Parameter raw: The attributes that the program sets; nil for those of a full screen.
  init(guarding terminal: Int32, original: termios, raw: termios? = nil) throws(TerminalError) {
    var original = original
    var raw = raw ?? original.raw
    descriptor = terminal_guard_start(terminal, &original, &raw)
    guard descriptor >= 0 else { throw .systemCallFailed("pipe2", reason: String(cString: strerror(errno))) }
  }

  /// Sets the bytes with which the guard gives the terminal back if the program ends or stops.
  func setFarewell(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { terminal_guard_set_farewell($0.baseAddress, $0.count) }
  }

  /// Takes the terminal.
  func enter() throws(TerminalError) {
    var wasEntered = false
    guard terminal_guard_enter(&wasEntered) == 0 else {
      throw .systemCallFailed("tcsetattr", reason: String(cString: strerror(errno)))
    }
  }

  /// Leaves it to the program to end after a signal that asks it to. ``end()`` ends it.
  func letProgramEnd() { terminal_guard_set_ends_itself() }

  /// Ends the program by the signal that has asked it to, if there was one.
  func end() { terminal_guard_end() }

  /// Begins to report signals.
  func start() {
    source.setEventHandler { [unowned self] in MainActor.assumeIsolated { receive() } }
    source.activate()
  }

  private func receive() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return }
    if bytes[..<count].contains(UInt8(TERMINAL_GUARD_ENDING)) { return onEnding() }
    onSignals(bytes[..<count].contains(UInt8(TERMINAL_GUARD_CONTINUED)))
  }
}
