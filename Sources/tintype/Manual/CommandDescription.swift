import ArgumentParser
import Foundation

/// A command as ArgumentParser describes it, with what `--help` is made from.
struct CommandDescription: Decodable {
  let commandName: String
  let abstract: String?
  let discussion: String?
  let aliases: [String]?
  let arguments: [ArgumentDescription]?
  let subcommands: [CommandDescription]?

  /// Creates the description of a command, which `--experimental-dump-help` prints as JSON.
  init(of command: any ParsableCommand.Type) throws {
    self = try JSONDecoder().decode(ToolDescription.self, from: Data(command._dumpHelp().utf8)).command
  }
}

/// The output of `--experimental-dump-help`.
private struct ToolDescription: Decodable {
  let command: CommandDescription
}

/// An option, a flag or a positional argument as ArgumentParser describes it.
struct ArgumentDescription: Decodable {
  struct Name: Decodable {
    let kind: String
    let name: String

    /// The name with its dashes.
    var spelled: String { (kind == "long" ? "--" : "-") + name }
  }

  let kind: String
  var names: [Name]?
  let valueName: String?
  let abstract: String?
  let defaultValue: String?
  let allValues: [String]?
  let isOptional: Bool
  let isRepeating: Bool
  let shouldDisplay: Bool

  var isPositional: Bool { kind == "positional" }
  /// The names with their dashes, such as `-h` and `--help`.
  var spelledNames: [String] { (names ?? []).map(\.spelled) }
}
