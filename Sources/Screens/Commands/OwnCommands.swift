import Foundation
import Gallery
import Terminal
import ViewModels

/// Runs the user's own commands beside the gallery, or in the terminal that the gallery lends them.
@MainActor
struct OwnCommands {
  let console: Console
  let sharing: PhotoSharing

  /// Returns the commands with their keys; none if there are no photos to run them on.
  func shortcuts(_ commands: [KeyConfiguration.Own], on target: CommandTarget?) -> [Shortcut] {
    guard let target else { return [] }
    return commands.map { own in
      Shortcut(title: own.command.name, keys: own.keys) { run(own.command, on: target) }
    }
  }

  private func run(_ command: UserCommand, on target: CommandTarget) {
    guard command.place != .background else { return sharing.run(command, on: target.file, target.files()) }
    console.run(command.arguments(target.file, target.files())) { [sharing] error, status in
      if error != 0 {
        sharing.report(.commandFailed(.notStarted(reason: String(cString: strerror(error)))), of: command)
      } else if command.place == .terminal, let fault = CommandFault(status: status) {
        // What the command wrote is gone with its screen. After a pause, the user has read it.
        sharing.report(.commandFailed(fault), of: command)
      }
    }
  }
}
