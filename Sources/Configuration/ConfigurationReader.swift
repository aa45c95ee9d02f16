import Gallery
import Screens
import TOMLKit
import Terminal

/// Reads a configuration file (TOML 1.0). What is invalid is left at its default, and reported.
public struct ConfigurationReader {
  /// The configuration, as far as the file is valid.
  public private(set) var configuration = Configuration()
  /// The mistakes in the order of their lines.
  public private(set) var problems: [ConfigurationProblem] = []

  private let file: String
  private let choices: Choices
  private let lines: SourceLines

  /// Reads the text of a file.
  /// - Parameters:
  ///   - file: The file's name for messages.
  ///   - choices: What the file may name.
  public init(_ text: String, file: String, choices: Choices) {
    self.file = file
    self.choices = choices
    do {
      let table = try TOMLTable(string: text)
      lines = SourceLines(text)
      read(table)
    } catch {
      lines = SourceLines("")
      problems = [ConfigurationProblem(invalid: error, in: file)]
    }
    problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private mutating func read(_ table: TOMLTable) {
    for name in table.keys {
      guard let value = table[name] else { continue }
      attempt([name]) { reader throws(SettingFault) in
        switch name {
        case Self.keys: try reader.readKeys(value)
        case Self.commands: try reader.readCommands(value)
        default: try reader.readSetting(name, value)
        }
      }
    }
  }

  /// The tables of the file that are no settings of their own.
  static let (keys, commands) = ("keys", "commands")

  private mutating func readSetting(_ name: String, _ value: any TOMLValueConvertible) throws(SettingFault) {
    let names = Setting.all.map(\.name) + [Self.keys, Self.commands]
    guard let setting = Setting.all.first(where: { $0.name == name }) else {
      let near = names.nearest(to: name).map { " Did you mean “\($0)”?" }
      throw SettingFault("There is no such setting.\(near ?? " There are \(names.joined(separator: ", ")).")")
    }
    try setting.read(value, choices, &configuration)
  }

  private mutating func readKeys(_ value: any TOMLValueConvertible) throws(SettingFault) {
    guard let table = value.table else { throw SettingFault("It takes a table: [keys], and a command in each line.") }
    for name in table.keys {
      guard let value = table[name] else { continue }
      attempt([Self.keys, name]) { reader throws(SettingFault) in
        let keys = try Self.names(value)
        do throws(KeyConfiguration.Fault) {
          try reader.configuration.settings.keys.bind(name, to: keys)
        } catch { throw SettingFault(error.message) }
      }
    }
  }

  private mutating func readCommands(_ value: any TOMLValueConvertible) throws(SettingFault) {
    let usage = "It takes tables: [[commands]], with name, run, and perhaps key and in."
    guard let array = value.array else { throw SettingFault(usage) }
    for (index, element) in array.enumerated() {
      guard let table = element.table else { throw SettingFault(usage) }
      attempt([Self.commands, "\(index)"]) { reader throws(SettingFault) in try reader.readCommand(table) }
    }
  }

  private mutating func readCommand(_ table: TOMLTable) throws(SettingFault) {
    let known = ["name", "run", "key", "in"]
    if let other = table.keys.first(where: { !known.contains($0) }) {
      throw SettingFault("There is no “\(other)” here. There are \(known.joined(separator: ", ")).")
    }
    guard let name = table["name"]?.string, !name.isEmpty else {
      throw SettingFault("It needs a name, as in name = \"Edit\".")
    }
    guard let line = table["run"]?.string, !line.isEmpty else {
      throw SettingFault("It needs a command, as in run = \"gimp %f\".")
    }
    let places = UserCommand.Place.allCases.map(\.rawValue)
    let placeName = try table["in"].map { value throws(SettingFault) in try Setting.string(value) }
    guard let place = placeName.map(UserCommand.Place.init(rawValue:)) ?? .background else {
      throw SettingFault("“in” takes one of \(places.quoted).")
    }
    let keys = try table["key"].map { value throws(SettingFault) in try Self.names(value) } ?? []
    let command = UserCommand(name: name.printable, line: line, place: place)
    if configuration.settings.keys.own.contains(where: { $0.command.name == command.name }) {
      throw SettingFault("There is another command “\(name)”. Give one of them another name.")
    }
    do throws(KeyConfiguration.Fault) {
      try configuration.settings.keys.add(command, keys: keys)
    } catch { throw SettingFault(error.message) }
    if let code = command.quotedCode {
      throw SettingFault("“\(name)” has \(code). Remove the quotation marks: files are quoted for the shell already.")
    }
  }

  /// Returns the names of keys: a text, or an array of texts.
  private static func names(_ value: any TOMLValueConvertible) throws(SettingFault) -> [String] {
    if let name = value.string { return [name] }
    guard let names = value.array?.map(\.string), !names.contains(nil) else {
      throw SettingFault("It takes the name of a key in quotation marks, or several as in [\"a\", \"Ctrl-a\"].")
    }
    return names.compactMap(\.self)
  }

  private mutating func attempt(_ path: [String], _ read: (inout Self) throws(SettingFault) -> Void) {
    do throws(SettingFault) {
      try read(&self)
    } catch {
      let name = path.first == Self.commands && path.count > 1 ? Self.commands : path.joined(separator: ".")
      problems.append(
        ConfigurationProblem(
          file: file, line: lines.line(of: path), key: name.printable, reason: error.reason.printable))
    }
  }
}

extension ConfigurationProblem {
  /// Creates the problem of a document that is not TOML.
  init(invalid error: any Error, in file: String) {
    let error = error as? TOMLParseError
    // toml++ writes "Error while parsing ...: ..." and so on.
    let reason = error?.description.printable ?? "It can't be read."
    self.init(file: file, line: error?.source.begin.line, key: "", reason: reason)
  }
}
