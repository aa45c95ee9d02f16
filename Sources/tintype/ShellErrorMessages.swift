import ArgumentParser
import Foundation
import Gallery
import Terminal

// The words of errors in the shell, where no key can be pressed. Most are those of the screen
// (Gallery/ErrorMessages.swift). Invalid options have their words at the option, as ArgumentParser wants it.

extension Error {
  /// The text of the error for the shell.
  var messageInShell: String {
    switch self {
    case let error as APIError: error.message
    case let error as ExportError: error.message
    case let error as ValidationError: error.message
    default: "The catalog was not written: \(localizedDescription)"
    }
  }
}

/// A command needs the image worker, and Tintype is installed without it.
struct TextOnlyError: Error, CustomStringConvertible {
  let description = "Tintype was installed without the image libraries"
}

extension TerminalError: CustomStringConvertible {
  /// The cause, and what the user can do about it. ArgumentParser prints it.
  public var description: String {
    switch self {
    case .outputIsNoTerminal:
      "standard output is not a terminal."
    case .terminalTypeUnset:
      "TERM is not set. Set it to your terminal's type, for instance: TERM=xterm-256color tintype"
    case .terminalTypeUnknown(let name):
      "the terminal type “\(name)” is unknown on this machine. Set TERM to a known one, such as xterm-256color, "
        + "or install its terminfo entry (Debian's ncurses-term has most)."
    case .terminalTooSimple(let name):
      "the terminal type “\(name)” can't position the cursor. Set TERM to your terminal's type."
    case .systemCallFailed(let call, let reason):
      "the terminal could not be set up (\(call): \(reason)). Start tintype in another terminal."
    }
  }
}
