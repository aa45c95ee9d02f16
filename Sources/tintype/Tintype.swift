import ArgumentParser

/// The command line's root. It runs a subcommand, or else ``Browse``, the gallery.
@main
struct Tintype: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tintype",
    subcommands: [Show.self, List.self, Catalog.self, Thumbnails.self, History.self, Config.self, Doctor.self])

  static let version = "0.1.0"

  /// Parses the arguments and runs the command, as `main()` of the protocol does, but prints errors as printable text.
  static func main() {
    Shell.openStandardDescriptors()
    let arguments = FileArgument.commandLine
    let root = root(for: arguments)
    do {
      if let text = try generatedText(for: arguments) { return try Shell.write(Array("\(text)\n".utf8)) }
      var command = try root.parseAsRoot(arguments)
      try command.run()
    } catch {
      Shell.exit(printing: error, of: root)
    }
  }

  /// Returns the manual page or the completion script that the arguments request; nil if they request neither.
  private static func generatedText(for arguments: [String]) throws -> String? {
    arguments == [ManualPage.option]
      ? try ManualPage.text() : Completions.shell(in: arguments).map { Completions.script(for: $0) }
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
