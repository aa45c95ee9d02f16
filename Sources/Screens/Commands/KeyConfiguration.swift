import Gallery
import Terminal

/// The keys that a configuration gives to commands.
///
/// A key that the user gives to a command is taken from the commands that have it by default, unless these are known in
/// other places only: the viewer's commands and those of lists share keys.
public struct KeyConfiguration: Equatable, Sendable {
  /// A command of the user's own, with its keys.
  public struct Own: Equatable, Sendable {
    /// The command.
    public let command: UserCommand
    let keys: [Key]
  }

  /// A reason why a key or a command of the configuration can't be used.
  public struct Fault: Error, Equatable {
    /// The sentence for the user.
    public let message: String
  }

  /// The keys by the names of their commands, as far as the user has chosen them.
  private var chosen: [Command: ChosenKeys] = [:]
  /// The user's own commands.
  public private(set) var own: [Own] = []

  fileprivate struct ChosenKeys: Equatable {
    var keys: [Key] = []
    /// The letter that follows the key of ``Command/goTo``.
    var letter: Character?
  }

  /// The commands that can't be without a key, because nothing else ends what they end.
  private static let needed: [Command] = [.quit, .close, .confirm, .press]

  /// Creates a configuration that changes nothing.
  public init() {}

  /// Gives keys to a command instead of all that it has.
  /// - Parameters:
  ///   - name: The command's name, such as "rate-one".
  ///   - keys: The names of keys, such as "Ctrl-x", or "gw" for a letter after the key that goes to rooms.
  /// - Throws: ``Fault`` if there is no such command or key. Nothing changes then.
  public mutating func bind(_ name: String, to keys: [String]) throws(Fault) {
    guard let command = Command.allCases.first(where: { $0.name == name }) else {
      let near = Command.allCases.map(\.name).nearest(to: name).map { " Did you mean “\($0)”?" } ?? ""
      throw Fault(message: "There is no command “\(name)”.\(near) `tintype config` lists them all.")
    }
    if keys.isEmpty, Self.needed.contains(command) { throw Fault(message: "“\(name)” needs a key.") }
    var chosen = ChosenKeys()
    let menu = CommandTable.standard.binding(of: .goTo)?.keys.first?.name ?? ""
    for key in keys {
      if key.count == 2, key.hasPrefix(menu) {
        chosen.letter = key.last
      } else {
        chosen.keys.append(try Self.key(named: key))
      }
    }
    self.chosen[command] = chosen
  }

  /// Adds a command of the user's own.
  /// - Throws: ``Fault`` if there is no such key. Nothing changes then.
  public mutating func add(_ command: UserCommand, keys: [String]) throws(Fault) {
    var found: [Key] = []
    for key in keys { found.append(try Self.key(named: key)) }
    own.append(Own(command: command, keys: found))
  }

  private static func key(named name: String) throws(Fault) -> Key {
    guard let key = Key(name: name) else {
      throw Fault(
        message: "There is no key “\(name)”. Keys are named like a, Ctrl-a, Alt-a, F5, Space, Enter and PgUp.")
    }
    if let reason = key.reservation { throw Fault(message: "“\(name)” can't be used: \(reason).") }
    return key
  }
}

extension KeyConfiguration {
  /// The keys of all commands.
  var table: CommandTable { outcome.table }

  /// The keys that two commands have where both are known, and the commands that have no key left, in sentences.
  public var conflicts: [String] { outcome.conflicts }

  private var outcome: (table: CommandTable, conflicts: [String]) {
    var (table, conflicts) = (CommandTable.standard, [String]())
    for (command, chosen) in chosen { table.bind(command, to: chosen.keys, goTo: chosen.letter) }
    let wanted =
      chosen.map { (name: $0.key.name, command: Optional($0.key), keys: $0.value.keys) }
      + own.map { (name: $0.command.name, command: nil, keys: $0.keys) }
    for (name, command, keys) in wanted.sorted(by: { $0.name < $1.name }) {
      for key in keys {
        for other in table.commands(for: key) where other != command && table.clash(command, other, over: key) {
          if chosen[other] == nil {
            table.unbind(key, from: other)
            if table.keyNames(of: other).isEmpty {
              conflicts.append("“\(other.name)” has no key left, since “\(name)” has \(key.name) now.")
            }
          } else if command.map({ $0.name < other.name }) ?? true {
            conflicts.append("\(key.name) is the key of both “\(name)” and “\(other.name)”.")
          }
        }
        for other in own where other.keys.contains(key) && command == nil && name < other.command.name {
          conflicts.append("\(key.name) is the key of both “\(name)” and “\(other.command.name)”.")
        }
      }
    }
    return (table, conflicts)
  }

  /// All commands with their default keys, section by section, for a configuration with all defaults.
  public static var defaults: [(heading: String, commands: [(name: String, keys: [String], title: String)])] {
    let table = CommandTable.standard
    return table.sections(of: "", []).map { section in
      (
        section.heading,
        section.bindings.map { ($0.command.name, table.keyNames(of: $0.command), $0.title) }
      )
    }
  }
}

extension CommandTable {
  /// Returns whether a key can't serve two commands: both are known in the same places, and don't share the key by default.
  /// - Parameter command: nil for a command of the user's own, which is known wherever there are photos.
  fileprivate func clash(_ command: Command?, _ other: Command, over key: Key) -> Bool {
    guard let command else { return true }
    let shared = Self.standard.commands(for: key)
    if shared.contains(command), shared.contains(other) { return false }
    let sections = [binding(of: command)?.section, binding(of: other)?.section]
    let isOfLists = sections.contains { $0 == .photos || $0 == .rooms }
    return !(isOfLists && sections.contains(.viewer))
  }
}

extension Key {
  /// The reason why the key can't be given to a command; nil if it can.
  fileprivate var reservation: String? {
    switch self {
    case .control("c"), .control("z"), .control("\\"): "the terminal uses it for signals"
    case .control("i"): "terminals send it as Tab"
    case .control("m"), .control("j"): "terminals send it as Enter"
    case .control("["): "terminals send it as Esc"
    default: nil
    }
  }
}

extension Sequence<String> {
  /// Returns the name that a mistyped one was meant to be: the one with the fewest edits, at most half of its length.
  public func nearest(to name: String) -> String? {
    map { (name: $0, edits: $0.edits(to: name)) }.filter { $0.edits <= Swift.max(1, $0.name.count / 2) }
      .min { ($0.edits, $0.name) < ($1.edits, $1.name) }?.name
  }
}

extension String {
  /// Returns the number of characters to insert, remove or replace (Levenshtein's distance).
  fileprivate func edits(to other: String) -> Int {
    let letters = Array(other)
    var row = Array(0...letters.count)
    for (index, letter) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in letters.indices {
        let replaced = diagonal + (letters[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[letters.count]
  }
}
