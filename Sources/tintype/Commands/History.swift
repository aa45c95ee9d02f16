import ArgumentParser
import Foundation
import Gallery
import Store

/// Lists the steps that the gallery can undo.
struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List what was decided about photos, the latest first.")

  @Option(name: .long, help: ArgumentHelp("List this many steps at most.", valueName: "number"))
  var most = 1000

  func validate() throws {
    guard most > 0 else { throw ValidationError("--most needs a number greater than 0.") }
  }

  func run() throws {
    Shell.run(Self.self) {
      let journal = StepJournal(folder: XDGFolders.user.state) {
        Shell.print($0.message, to: .standardError)
      }
      var session: Int64?
      for step in try await journal.steps(most: most) {
        if let session, session != step.session { Shell.print("", to: .standardOutput) }
        session = step.session
        let undone = step.isUndone ? "  (undone)" : ""
        Shell.print("\(LocalClock.system.minute(of: step.date))  \(step.title)\(undone)", to: .standardOutput)
      }
      return EXIT_SUCCESS
    }
  }
}
