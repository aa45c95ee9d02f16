import Terminal

/// The keys of all commands, with the words of the help and the footer.
///
/// The table is a value that the gallery's window owns. ``bind(_:to:)`` changes the keys at run time, and every key name
/// on the screen follows, since names are derived from the keys.
struct CommandTable: Sendable {
  /// The rows, in the order of the help. A key that several commands share gives the first that is possible.
  private(set) var bindings: [KeyBinding]

  /// Returns the commands bound to a key, in the order in which a layer is asked for them.
  func commands(for key: Key) -> [Command] {
    bindings.filter { $0.keys.contains(key) || $0.otherKeys.contains(key) }.map(\.command)
  }

  func binding(of command: Command) -> KeyBinding? {
    bindings.first { $0.command == command }
  }

  /// Replaces all keys of a command. Commands that share a key with it keep that key.
  mutating func bind(_ command: Command, to keys: [Key]) {
    guard let index = bindings.firstIndex(where: { $0.command == command }) else { return }
    bindings[index].keys = keys
    bindings[index].otherKeys = []
    bindings[index].letter = nil
  }

  /// Returns the names of a command's keys, as the help shows them, such as "Home" and "gg".
  func keyNames(of command: Command) -> [String] {
    guard let binding = binding(of: command) else { return [] }
    let menu = bindings.first { $0.command == .goTo }?.keys.first?.name ?? ""
    return binding.keys.map(\.name) + (binding.letter.map { ["\(menu)\($0)"] } ?? [])
  }

  /// Returns the name of a command's first key, such as "Esc", or an empty text if the command has no key.
  func keyName(of command: Command) -> String { keyNames(of: command).first ?? "" }

  /// Returns the sentence that names the key to load something again.
  func reloadHint(to purpose: String = "try again") -> String {
    "Press \(keyName(of: .reload)) to \(purpose)."
  }
}

/// One row of the table: a command with its keys, and the words for it.
struct KeyBinding: Sendable {
  /// The headings of the help.
  enum Section: String, CaseIterable {
    case moving = "Moving"
    case photos = "Photos"
    case choosing = "Choosing"
    case viewer = "Viewer"
    case rooms = "Rooms"
    case windows = "Windows"
  }

  let command: Command
  /// The keys, in the order in which the help names them.
  fileprivate(set) var keys: [Key]
  /// Further keys, which the help does not name.
  fileprivate(set) var otherKeys: [Key]
  /// The letter that gives the command after the key of ``Command/goTo``; nil if none does.
  fileprivate(set) var letter: Character?
  let section: Section
  /// Returns the description in the help, which may name keys of other commands.
  let help: @Sendable (CommandTable) -> String
  /// The label in the footer; nil for a command that is never shown there.
  let label: String?
  /// The command that shares this one's hint in the footer, with its own key.
  let partner: Command?

  init(
    _ command: Command, _ keys: [Key] = [], also otherKeys: [Key] = [], goTo letter: Character? = nil,
    _ section: Section, _ help: String, label: String? = nil, with partner: Command? = nil
  ) {
    self.init(command, keys, also: otherKeys, goTo: letter, section, label: label, with: partner) { _ in help }
  }

  init(
    _ command: Command, _ keys: [Key], also otherKeys: [Key] = [], goTo letter: Character? = nil, _ section: Section,
    label: String? = nil, with partner: Command? = nil, help: @escaping @Sendable (CommandTable) -> String
  ) {
    self.command = command
    self.letter = letter
    self.keys = keys
    self.otherKeys = otherKeys
    self.section = section
    self.help = help
    self.label = label
    self.partner = partner
  }
}
