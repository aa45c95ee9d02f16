import ArgumentParser

/// The command line's root. It runs a subcommand, or else ``Browse``, the gallery.
@main
struct Tintype: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tintype", subcommands: [Show.self, Catalog.self, Thumbnails.self, History.self, Doctor.self])

  static let version = "0.1.0"

  /// Parses the arguments and runs the command, as `main()` of the protocol does, but prints errors as printable text.
  static func main() {
    Shell.openStandardDescriptors()
    let arguments = FileArgument.commandLine
    let root = root(for: arguments)
    do {
      var command = try root.parseAsRoot(arguments)
      try command.run()
    } catch {
      Shell.exit(printing: error, of: root)
    }
  }

  /// Returns the command that parses the arguments: `Tintype` if they begin with the name of a subcommand.
  ///
  /// ArgumentParser takes the name of a subcommand for a SOURCE if both belong to one command. So the gallery's
  /// arguments are a command of their own, and `tintype ./show` opens a folder named like a subcommand.
  private static func root(for arguments: [String]) -> any ParsableCommand.Type {
    let isSubcommand = configuration.subcommands.contains { subcommand in
      let names = [subcommand.configuration.commandName] + subcommand.configuration.aliases
      return names.contains(arguments.first)
    }
    return isSubcommand ? Tintype.self : Browse.self
  }
}
