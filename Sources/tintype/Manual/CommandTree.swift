import ArgumentParser

/// The whole command line as one tree, in which the gallery is a subcommand like the others. Nothing parses with it: the
/// completions are generated from it.
struct CommandTree: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Tintype.configuration.commandName, subcommands: Tintype.configuration.subcommands + [Browse.self])
}
