import Gallery
import Terminal

/// The keys of all commands, with the words of the help and the footer.
///
/// The table is a value that the gallery's window owns. ``bind(_:to:)`` changes the keys at run time, and every key name
/// on the screen follows, since names are derived from the keys.
struct CommandTable: Sendable {
  /// The rows, in the order of the help. A key that several commands share gives the first that is possible.
  private(set) var bindings: [KeyBinding]

  /// The table of a program that has no configuration.
  static let standard = CommandTable(bindings: KeyBinding.standard)

  /// Returns the commands bound to a key, in the order in which a layer is asked for them. Those of what plays come first:
  /// their keys have other meanings unless something does.
  func commands(for key: Key) -> [Command] {
    let commands = bindings.filter { $0.keys.contains(key) || $0.otherKeys.contains(key) }.map(\.command)
    return commands.filter(Command.ofPlaying.contains) + commands.filter { !Command.ofPlaying.contains($0) }
  }

  /// Returns whether a key moves through rows or lines.
  func moves(_ key: Key) -> Bool {
    commands(for: key).contains { command in Move.commands.contains { $0.command == command } }
  }

  func binding(of command: Command) -> KeyBinding? {
    bindings.first { $0.command == command }
  }

  /// Replaces all keys of a command. Commands that share a key with it keep that key.
  /// - Parameter letter: The letter that gives the command after the key of ``Command/goTo``; nil if none does.
  mutating func bind(_ command: Command, to keys: [Key], goTo letter: Character? = nil) {
    guard let index = bindings.firstIndex(where: { $0.command == command }) else { return }
    bindings[index].keys = keys
    bindings[index].otherKeys = []
    bindings[index].letter = letter
  }

  /// Takes a key from a command.
  mutating func unbind(_ key: Key, from command: Command) {
    guard let index = bindings.firstIndex(where: { $0.command == command }) else { return }
    bindings[index].keys.removeAll { $0 == key }
    bindings[index].otherKeys.removeAll { $0 == key }
  }

  /// Returns the names of a command's keys, as the help shows them, such as "Home" and "gg".
  func keyNames(of command: Command) -> [String] {
    guard let binding = binding(of: command) else { return [] }
    let menu = bindings.first { $0.command == .goTo }?.keys.first?.name ?? ""
    return binding.keys.map(\.name) + (binding.letter.map { ["\(menu)\($0)"] } ?? [])
  }

  /// Returns the name of a command's first key, such as "Esc", or an empty text if the command has no key.
  func keyName(of command: Command) -> String { keyNames(of: command).first ?? "" }

  /// Returns the rows under the headings of the help. The commands of the place that the user is in come first, under its
  /// name. Moving has the same heading everywhere, since it works alike in every place.
  /// - Parameters:
  ///   - place: The name of the layer that has the keys.
  ///   - commands: The commands that the layer knows.
  func sections(of place: String, _ commands: Set<Command>) -> [(heading: String, bindings: [KeyBinding])] {
    let others = KeyBinding.Section.allCases.map(\.heading).filter { $0 != place }
    return ([place] + others).compactMap { heading in
      let rows = bindings.filter {
        let isOfPlace = $0.section != .moving && commands.contains($0.command)
        return heading == (isOfPlace ? place : $0.section.heading)
      }
      return rows.isEmpty ? nil : (heading, rows)
    }
  }

  /// Returns the sentence that names the key to load something again.
  func reloadHint() -> String { localized("Press \(keyName(of: .reload)) to try again.") }
}
