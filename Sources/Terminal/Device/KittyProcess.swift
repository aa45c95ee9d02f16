import Foundation

/// The process of kitty, as the environment names it.
enum KittyProcess {
  /// Returns whether the process that `KITTY_PID` names is a kitty, which then reads this machine's files.
  static func isOnThisMachine(environment: [String: String]) -> Bool {
    guard environment["SSH_CONNECTION"] == nil, let number = environment["KITTY_PID"].flatMap(Int32.init), number > 0,
      let process = Ancestors.describe(number)
    else { return false }
    return process.name.hasPrefix("kitty")
  }
}
