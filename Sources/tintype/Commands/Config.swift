import ArgumentParser
import Configuration
import Foundation
import Gallery
import Screens

/// Prints the default configuration, and checks the user's.
struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print the default configuration, or check a configuration file.",
    discussion: """
      The configuration is $XDG_CONFIG_HOME/tintype/config.toml (~/.config/tintype/config.toml). To start with one:

      mkdir -p ~/.config/tintype && tintype config > ~/.config/tintype/config.toml
      """)

  @Flag(help: "Check the configuration file, and list keys that serve two commands and commands without a key.")
  var check = false

  @Flag(help: "List the themes.")
  var themes = false

  @Option(help: ArgumentHelp("Print a theme as a file.", valueName: "name"), completion: .themes)
  var theme: String?

  @Argument(help: "The file to check instead of the user's own.", completion: .file())
  var file: FileArgument?

  func validate() throws {
    if [check, themes, theme != nil].count(where: \.self) > 1 {
      throw ValidationError("--check, --themes and --theme can't be combined.")
    }
    if file != nil, !check { throw ValidationError("A file needs --check.") }
  }

  func run() throws {
    let source = ConfigurationSource.user
    if check {
      Foundation.exit(check(source))
    } else if themes {
      for name in source.choices.themes.names { Shell.print(name) }
    } else if let theme {
      do throws(SettingFault) {
        Shell.print(try source.choices.themes.text(of: theme).trimmingCharacters(in: .newlines))
      } catch { Foundation.exit(fail(error.reason)) }
    } else {
      Shell.print(DefaultText.text.trimmingCharacters(in: .newlines))
    }
  }

  private func check(_ source: ConfigurationSource) -> Int32 {
    let path = file.map { String(decoding: $0.bytes, as: UTF8.self) } ?? source.file
    guard let path else { return fail("There is no home folder, and no $XDG_CONFIG_HOME.") }
    let outcome: ConfigurationSource.Outcome
    switch source.read(path) {
    case .success(let read?): outcome = read
    case .success(nil): return fail("There is no file \(path.printable). `tintype config` prints one to start with.")
    case .failure(let error): return fail(error.text)
    }
    for report in outcome.reports { Shell.print(report) }
    if outcome.problems.isEmpty { Shell.print("\(path.printable): valid") }
    return outcome.problems.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
  }

  private func fail(_ message: String) -> Int32 {
    Shell.print(message, to: .standardError)
    return EXIT_FAILURE
  }
}
