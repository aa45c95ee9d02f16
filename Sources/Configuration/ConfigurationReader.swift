import Foundation
import Gallery
import Photos
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
    do throws(TOMLDocument.Fault) {
      let table = try TOMLDocument.table(text)
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
        case Self.exports: try reader.readExports(value)
        case Self.templates: try reader.readTemplates(value)
        case Self.commands:
          try reader.readTables(of: name, value, usage: "with name, run, and perhaps key and in") {
            reader, table throws(SettingFault) in try reader.readCommand(table)
          }
        case Self.sources:
          try reader.readTables(of: name, value, usage: "with name, open, and perhaps token-file or token-command") {
            reader, table throws(SettingFault) in try reader.readSource(table)
          }
        default: try reader.readSetting(name, value)
        }
      }
    }
  }

  /// The tables of the file that are no settings of their own.
  static let (keys, commands, sources) = ("keys", "commands", "sources")
  static let (exports, templates) = ("export", "template")

  private mutating func readSetting(_ name: String, _ value: any TOMLValueConvertible) throws(SettingFault) {
    let names = Setting.all.map(\.name) + [Self.keys, Self.commands, Self.sources, Self.exports, Self.templates]
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

  /// Reads the presets of exports: `[export.web]`, and a choice in each line.
  private mutating func readExports(_ value: any TOMLValueConvertible) throws(SettingFault) {
    guard let tables = value.table else { throw SettingFault("It takes tables, such as [export.web].") }
    for name in tables.keys {
      guard let table = tables[name]?.table else {
        throw SettingFault("“\(name)” is no table. A preset begins with a line such as [export.web].")
      }
      var preset = ExportPreset(name: name.printable)
      for choice in table.keys {
        guard let value = table[choice] else { continue }
        attempt([Self.exports, name, choice]) { _ throws(SettingFault) in
          guard let text = value.string ?? value.int.map(String.init) else {
            throw SettingFault("It takes a number, or a text in quotation marks.")
          }
          do throws(ExportPreset.Fault) {
            try preset.set(choice, to: text)
          } catch { throw SettingFault(error.reason) }
        }
      }
      attempt([Self.exports, name]) { reader throws(SettingFault) in
        do throws(ExportPreset.Fault) {
          try preset.check()
        } catch { throw SettingFault(error.reason) }
        reader.configuration.exports.append(preset)
      }
    }
  }

  /// Reads the templates of metadata: `[template.press]`, and a text or a list of texts in each line.
  private mutating func readTemplates(_ value: any TOMLValueConvertible) throws(SettingFault) {
    guard let tables = value.table else { throw SettingFault("It takes tables, such as [template.press].") }
    for name in tables.keys {
      guard let table = tables[name]?.table else {
        throw SettingFault("“\(name)” is no table. A template begins with a line such as [template.press].")
      }
      var template = MetadataTemplate(name: name)
      for field in table.keys {
        guard let value = table[field] else { continue }
        attempt([Self.templates, name, field]) { _ throws(SettingFault) in
          let texts = value.array?.map(\.string) ?? [value.string]
          let known = texts.compactMap(\.self)
          guard known.count == texts.count else {
            throw SettingFault("It takes a text in quotation marks, or a list of texts.")
          }
          do throws(MetadataTemplate.Fault) {
            try template.set(field, to: known)
          } catch { throw SettingFault(error.reason) }
        }
      }
      if !template.isEmpty { configuration.templates.append(template) }
    }
  }

  /// Reads the tables of an array, each by itself.
  /// - Parameter usage: What a table has, for messages.
  private mutating func readTables(
    of name: String, _ value: any TOMLValueConvertible, usage: String,
    read: (inout Self, TOMLTable) throws(SettingFault) -> Void
  ) throws(SettingFault) {
    let tables = value.array?.map(\.table) ?? [nil]
    guard !tables.contains(where: { $0 == nil }) else {
      throw SettingFault("It takes tables: [[\(name)]], \(usage).")
    }
    for (index, table) in tables.compactMap(\.self).enumerated() {
      attempt([name, "\(index)"]) { reader throws(SettingFault) in try read(&reader, table) }
    }
  }

  /// Checks the properties of a table, and returns its name.
  private static func name(of table: TOMLTable, among known: [String]) throws(SettingFault) -> String {
    if let other = table.keys.first(where: { !known.contains($0) }) {
      throw SettingFault("There is no “\(other)” here. There are \(known.joined(separator: ", ")).")
    }
    guard let name = table["name"]?.string, !name.isEmpty else {
      throw SettingFault("It needs a name, as in name = \"Edit\".")
    }
    return name
  }

  private mutating func readSource(_ table: TOMLTable) throws(SettingFault) {
    let name = try Self.name(of: table, among: ["name", "open", "token-file", "token-command"])
    guard let source = table["open"]?.string.flatMap(Self.path), Self.isAddress(source) || source.hasPrefix("/") else {
      throw SettingFault("It needs a folder, a file or an address, as in open = \"~/Pictures\".")
    }
    let tokenFile = try table["token-file"].map { value throws(SettingFault) in try Setting.string(value) }
    let tokenCommand = try table["token-command"].map { value throws(SettingFault) in try Setting.string(value) }
    if tokenFile != nil || tokenCommand != nil, !Self.isAddress(source) {
      throw SettingFault("A token is for the address of a server.")
    }
    if tokenFile != nil, tokenCommand != nil {
      throw SettingFault("There are “token-file” and “token-command”. Leave one out.")
    }
    if let tokenFile, Self.path(tokenFile)?.hasPrefix("/") != true {
      throw SettingFault("“token-file” takes the path of a file, as in \"~/.config/tintype/token\".")
    }
    if configuration.sources.contains(where: { $0.name == name.printable }) {
      throw SettingFault("There is another source “\(name)”. Give one of them another name.")
    }
    configuration.sources.append(
      NamedSource(
        name: name.printable, source: source, tokenFile: tokenFile.flatMap(Self.path), tokenCommand: tokenCommand))
  }

  private static func isAddress(_ source: String) -> Bool {
    ["http://", "https://", "immich://", "immich+http://", "dav://", "davs://", "s3://"].contains {
      source.lowercased().hasPrefix($0)
    }
  }

  /// Returns a path with the home folder in place of `~`; nil if there is no home folder.
  private static func path(_ text: String) -> String? {
    guard text == "~" || text.hasPrefix("~/") else { return text }
    return ProcessInfo.processInfo.environment["HOME"].map { $0 + text.dropFirst() }
  }

  private mutating func readCommand(_ table: TOMLTable) throws(SettingFault) {
    let name = try Self.name(of: table, among: ["name", "run", "key", "in"])
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
      // The number of a table says less than the line.
      let isTable = [Self.commands, Self.sources].contains(path[0])
      let name = isTable ? path[0] : path.joined(separator: ".")
      problems.append(
        ConfigurationProblem(
          file: file, line: lines.line(of: path), key: name.printable, reason: error.reason.printable))
    }
  }
}

extension ConfigurationProblem {
  /// Creates the problem of a document that is not TOML.
  init(invalid fault: TOMLDocument.Fault, in file: String) {
    self.init(file: file, line: fault.line, key: "", reason: fault.reason)
  }
}
