import ArgumentParser

/// The command line's root, with the subcommands. Without one of them, ``Browse`` opens the gallery.
struct Tintype: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tintype",
    subcommands: [
      Show.self, List.self, Duplicates.self, Catalog.self, Import.self, Apply.self, Clock.self, Geotag.self,
      Collections.self, Export.self, Sheet.self, Thumbnails.self,
      History.self, Config.self, Doctor.self, Serve.self,
    ])
}
