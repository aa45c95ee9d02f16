import ArgumentParser
import Finding
import Screens

/// The manual page, `tintype.1`. Its commands and options are those of `--help`, its keys those of the gallery's help, and its
/// search fields those of the parser.
struct ManualPage {
  /// The option that prints the page.
  static let option = "--generate-manual"

  /// The date of the last change to the texts below.
  private static let date = "2026-11-25"

  private let gallery: CommandDescription
  private let subcommands: [CommandDescription]
  private var page: Roff

  /// Returns the page in the macros of man(7).
  static func text() throws -> String {
    var manual = try ManualPage()
    manual.write()
    return manual.page.text
  }

  private init() throws {
    page = Roff(title: "TINTYPE", date: Self.date, source: "Tintype \(Tintype.version)", manual: "User Commands")
    gallery = try CommandDescription(of: Browse.self)
    let names = Tintype.configuration.subcommands.map { $0.configuration.commandName }
    // ArgumentParser adds a subcommand `help`, which ``Main/main()`` does not have.
    subcommands = try CommandDescription(of: Tintype.self).subcommands?.filter { names.contains($0.commandName) } ?? []
  }

  private mutating func write() {
    page.section("NAME")
    page.add("tintype \\- photo gallery for the terminal")
    writeSynopsis()
    page.section("DESCRIPTION")
    for text in ManualTexts.description { page.paragraph(text) }
    page.section("OPTIONS")
    write(gallery.visibleArguments)
    page.section("SUBCOMMANDS")
    for command in subcommands { write(command) }
    writeKeys()
    writeSearch()
    page.section("CONFIGURATION")
    for text in ManualTexts.configuration { page.paragraph(text) }
    page.section("ENVIRONMENT")
    write(ManualTexts.environment)
    page.section("FILES")
    write(ManualTexts.files)
    page.section("EXIT STATUS")
    write(ManualTexts.exitStatus)
    page.section("EXAMPLES")
    write(ManualTexts.examples)
    page.section("SEE ALSO")
    for text in ManualTexts.seeAlso { page.paragraph(text) }
  }
}

// MARK: - Sections

extension ManualPage {
  private mutating func writeSynopsis() {
    page.section("SYNOPSIS")
    page.add(synopsis(of: gallery, name: gallery.commandName))
    for command in subcommands {
      page.add(".br")
      page.add(synopsis(of: command, name: "\(gallery.commandName) \(command.commandName)"))
    }
  }

  private func synopsis(of command: CommandDescription, name: String) -> String {
    let places = command.visibleArguments.filter(\.isPositional).map { argument in
      let place = Roff.italic(argument.valueName ?? "") + (argument.isRepeating ? " ..." : "")
      return argument.isOptional ? "[\(place)]" : place
    }
    return ([Roff.bold(name), "[" + Roff.italic("options") + "]"] + places).joined(separator: " ")
  }

  private mutating func write(_ command: CommandDescription) {
    page.subsection("\(gallery.commandName) \(command.commandName)")
    page.paragraph([command.abstract, command.discussion].compactMap(\.self).joined(separator: " "))
    if let aliases = command.aliases, !aliases.isEmpty {
      let names = aliases.map { "`\(gallery.commandName) \($0)`" }.joined(separator: ", ")
      page.paragraph("Alias: \(names).")
    }
    let (shared, own) = command.visibleArguments.partitioned { argument in
      gallery.visibleArguments.contains { $0.tag == argument.tag && $0.abstract == argument.abstract }
    }
    write(own)
    let names = shared.compactMap(\.spelledNames.last).map { "`\($0)`" }
    if !names.isEmpty { page.paragraph("It also takes \(names.listed), as above.") }
  }

  private mutating func write(_ arguments: [ArgumentDescription]) {
    for argument in arguments.joiningInversions { page.item(argument.tag, argument.text) }
  }

  private mutating func write(_ items: [(tag: String, text: String)]) {
    for item in items { page.item(Roff.bold(item.tag), item.text) }
  }

  private mutating func writeKeys() {
    page.section("KEYS")
    page.paragraph(ManualTexts.keys)
    for section in KeySection.all {
      page.subsection(section.heading)
      for row in section.rows { page.item(Roff.bold(row.keys), row.title, columns: 16, isCompact: true) }
    }
  }

  /// Writes the fields that take the same values as one item.
  private mutating func writeSearch() {
    page.section("SEARCH")
    for text in ManualTexts.search { page.paragraph(text) }
    let fields = PhotoQuery.fields
    for (index, field) in fields.enumerated()
    where !fields[..<index].contains(where: { $0.values == field.values }) {
      let names = fields.filter { $0.values == field.values }.map { Roff.bold("\($0.name):") }
      page.item(names.joined(separator: ", "), field.values)
    }
  }
}

// MARK: - Descriptions

extension CommandDescription {
  fileprivate var visibleArguments: [ArgumentDescription] { (arguments ?? []).filter(\.shouldDisplay) }
}

extension ArgumentDescription {
  /// The names and the value, in roff.
  fileprivate var tag: String {
    let value = Roff.italic(valueName ?? "")
    if isPositional { return value }
    let names = spelledNames.map { Roff.bold($0) }.joined(separator: ", ")
    return kind == "option" ? "\(names) \(value)" : names
  }

  /// The abstract, the values and the default.
  fileprivate var text: String {
    var sentences = [(abstract ?? "").replacing(#/ \(default: (.*)\)$/#) { " Default: \($0.1)." }]
    if let allValues, !allValues.isEmpty {
      sentences.append("Values: \(allValues.map { "`\($0)`" }.joined(separator: ", ")).")
    }
    if let defaultValue { sentences.append("Default: `\(defaultValue)`.") }
    return sentences.joined(separator: " ")
  }
}

extension [ArgumentDescription] {
  /// The arguments, with `--ask` and `--no-ask` as one.
  fileprivate var joiningInversions: [ArgumentDescription] {
    reduce(into: []) { arguments, argument in
      guard let last = arguments.last, last.kind == "flag", argument.kind == "flag", last.abstract == argument.abstract
      else { return arguments.append(argument) }
      arguments[arguments.count - 1].names = (last.names ?? []) + (argument.names ?? [])
    }
  }
}

extension Array {
  /// Returns the elements that satisfy a condition, and the others.
  fileprivate func partitioned(by condition: (Element) -> Bool) -> (matching: [Element], others: [Element]) {
    (filter(condition), filter { !condition($0) })
  }
}

extension [String] {
  /// The texts in a sentence, such as "a, b and c".
  fileprivate var listed: String {
    count > 1 ? dropLast().joined(separator: ", ") + " and " + self[count - 1] : joined()
  }
}
