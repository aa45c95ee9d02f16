import ArgumentParser
import Images
import Terminal

/// Prints images where the cursor is.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print images where the cursor is, or into a pipe.")

  @Argument(
    help: "Images, and folders whose photos are shown in the order of their names, without subfolders.",
    completion: .file())
  var files: [FileArgument]

  @OptionGroup var placing: PlacingOptions
  @OptionGroup var presentation: PresentationOptions
  @OptionGroup var look: LookOptions

  func validate() throws {
    if look.images == .none { throw ValidationError("With --pictures none there is nothing to show.") }
  }

  func run() throws {
    Shell.run(Self.self) {
      try await ImageSequence(
        box: placing.size, surroundings: Surroundings(look: look), presentation: presentation.presentation
      ).print(files)
    }
  }
}
