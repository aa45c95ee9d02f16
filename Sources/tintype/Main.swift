import ArgumentParser
import Gallery
import Images
import Screens
import Workers

/// The program's entry point. It decides by the first argument which command parses the others.
@main
enum Main {
  /// Reads metadata if the gallery has started this process for that. Otherwise, parses the arguments and runs the command, as ArgumentParser's `main()` does, but prints errors as printable text.
  static func main() {
    if CommandLine.arguments.dropFirst().first == MetadataWorkers.argument { MetadataService.run() }
    Shell.openStandardDescriptors()
    let arguments = spelledAsOptions(FileArgument.commandLine)
    let root = root(for: arguments)
    do {
      try checkSpelling(of: arguments)
      if root == Browse.self, let command = try Browse.usual(arguments) { return try command.run() }
      if let shell = Completions.shell(in: arguments) {
        return try Shell.write(Array("\(Completions.script(for: shell))\n".utf8))
      }
      var command = try root.parseAsRoot(arguments)
      try command.run()
    } catch {
      Shell.exit(printing: error, of: root)
    }
  }

  /// Returns the arguments with `help`, `help COMMAND` and `version`, which are commands of other programs, as the options that
  /// do the same here.
  static func spelledAsOptions(_ arguments: [String]) -> [String] {
    switch arguments.first {
    case "help": Array(arguments.dropFirst().prefix(1)) + ["--help"]
    case "version" where arguments.count == 1: ["--version"]
    default: arguments
    }
  }

  /// Checks that the first argument is not a misspelled subcommand, which would be taken for a file.
  ///
  /// - Throws: `ValidationError` if it is like a subcommand and no such file exists.
  private static func checkSpelling(of arguments: [String]) throws {
    guard let first = arguments.first, isLikeSubcommand(first), !subcommandNames.contains(first),
      FilePath(first.utf8, in: .workingFolder).isMissing,
      let near = subcommandNames.nearest(to: first)
    else { return }
    throw ValidationError("There is no command or file “\(first)”. Did you mean `tintype \(near)`?")
  }

  /// Returns whether an argument consists of what the names of subcommands consist of. Most sources don't, which saves the time
  /// to make the subcommands' configurations.
  private static func isLikeSubcommand(_ argument: String) -> Bool {
    !argument.isEmpty && !argument.hasPrefix("-") && argument.allSatisfy { $0.isLetter || $0 == "-" }
  }

  /// The names of the subcommands with their aliases.
  private static var subcommandNames: [String] {
    Tintype.configuration.subcommands.flatMap { subcommand in
      [subcommand.configuration.commandName].compactMap(\.self) + subcommand.configuration.aliases
    }
  }

  /// Returns the command that parses the arguments: `Tintype` if they begin with the name of a subcommand.
  ///
  /// ArgumentParser takes the name of a subcommand for a SOURCE if both belong to one command. So the gallery's
  /// arguments are a command of their own, and `tintype ./show` opens a folder named like a subcommand.
  private static func root(for arguments: [String]) -> any ParsableCommand.Type {
    arguments.first.map { isLikeSubcommand($0) && subcommandNames.contains($0) } == true ? Tintype.self : Browse.self
  }
}
