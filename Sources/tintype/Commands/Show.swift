import ArgumentParser
import Foundation
import Images
import Terminal

/// The command that prints images where the cursor is, in given cells, or into a pipe.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print images inline.",
    discussion: """
      The exit code is 0 if all images were shown, 1 if one could not be shown, and 64 if the options are invalid.
      """)

  @Argument(
    help: """
      Images, and folders and archives whose photos are shown in the order of their names, without subfolders; - for an \
      image on standard input.
      """,
    completion: .file())
  var files: [FileArgument] = []

  @OptionGroup var placing: PlacingOptions
  @OptionGroup var presenting: PresentationOptions
  @OptionGroup var look: LookOptions

  func validate() throws {
    if look.images == .none { throw ValidationError("--pictures none shows nothing, so leave it out.") }
    if placing.placeholders, ![.auto, .kitty].contains(look.images) {
      throw ValidationError("--placeholders works only with kitty, so leave out --pictures \(look.images.rawValue).")
    }
    try GallerySource.checkIsHere(files, command: "show")
    try placing.validate(files)
    if placing.place != nil, presenting.grid != nil || presenting.title != nil {
      throw ValidationError("--place takes one image, so leave out --grid and --title.")
    }
  }

  func run() throws {
    Shell.run(Self.self) {
      // What only clears is often run by a program that reads the terminal.
      let asks = placing.ask ?? (files.isEmpty ? false : nil)
      let surroundings = Surroundings(look: look, target: placing.target, asks: asks)
      if placing.clear { try Shell.write(surroundings.clearing) }
      let files = try await StandardInputImage.replace(in: files)
      let presentation = presenting.presentation
      if placing.place != nil {
        let image = files.first.flatMap { PlacedImage($0, in: surroundings, presentation) }
        return try await image?.draw() ?? EXIT_SUCCESS
      }
      return try await ImageSequence(
        box: placing.size?.box(in: surroundings.box), surroundings: surroundings, presentation: presentation
      )
      .print(files)
    }
  }
}
