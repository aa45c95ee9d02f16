import Foundation
import Harness
import TestLimit
import Testing

/// The manual page, `packaging/tintype.1`, which has the commands and the options of the program and no others.
/// `ManualKeyTests` compares its keys, and `ManualFieldTests` its fields of a search.
@Suite(.fewAtOnce, .limited) struct ManualTests {
  private let page: [String]

  init() throws {
    let text = try String(contentsOf: checkout.appending(path: "packaging/tintype.1"), encoding: .utf8)
    page = text.split(separator: "\n").map(String.init)
  }

  private func run(_ script: String) async throws -> Script {
    try await Script.run(script, in: checkout, changes: ["LC_ALL": "C.UTF-8"])
  }

  @Test(.enabled(if: InstalledShell.has("mandoc"), "SKIPPED: mandoc is not installed"))
  func mandocFindsNoFault() async throws {
    let result = try await run("mandoc -T lint packaging/tintype.1")
    #expect((result.code, result.output) == (0, ""))
  }

  @Test(.enabled(if: InstalledShell.has("groff"), "SKIPPED: groff is not installed"))
  func groffFindsNoFault() async throws {
    let result = try await run("groff -man -ww -z -T utf8 packaging/tintype.1")
    #expect((result.code, result.errors) == (0, ""))
  }

  /// Returns the lines between a heading and the next one, without the fonts.
  private func section(_ heading: String) throws -> [String] {
    let start = try #require(page.firstIndex(of: heading), "\(heading)")
    return page[(start + 1)...].prefix { !$0.hasPrefix(".S") }.map { $0.replacing(#/\\f[BIR]/#, with: "") }
  }

  /// The tags of the paragraphs in a section.
  private func tags(_ lines: [String]) -> [String] {
    zip(lines, lines.dropFirst()).filter { $0.0.hasPrefix(".TP") }.map { $0.1 }
  }

  /// Returns the names of options in lines of the page, with their dashes.
  private func options(_ lines: [String]) -> Set<String> {
    let words = lines.flatMap { $0.replacing("\\-", with: "-").split { " ,.\"".contains($0) } }
    return Set(words.filter { $0.hasPrefix("-") }.map(String.init))
  }

  /// The subcommands in the program's help.
  private var subcommands: [String] {
    get async throws {
      try await run(#""$0" --help"#).output.matches(of: #/(?m)^ *tintype ([a-z]+) /#).map { String($0.output.1) }
    }
  }

  @Test func thePageHasTheSubcommandsOfTheProgram() async throws {
    let subcommands = try await subcommands
    #expect(subcommands.count > 5)
    #expect(page.filter { $0.hasPrefix(".SS tintype ") } == subcommands.map { ".SS tintype \($0)" })
    let synopses = try section(".SH SYNOPSIS").filter { $0 != ".br" }
    #expect(synopses.map { $0.prefix { $0 != "[" } } == ["tintype "] + subcommands.map { "tintype \($0) " })
  }

  /// The options and arguments of each command, with the values that they take.
  @Test func thePageHasTheOptionsOfTheProgram() async throws {
    for command in [""] + (try await subcommands) {
      let help = try Help(json: try await run(#""$0" \#(command) --experimental-dump-help"#).output)
      let lines = try section(command.isEmpty ? ".SH OPTIONS" : ".SS tintype \(command)")
      // The options that a subcommand shares with the gallery are named in its last paragraph, each by its long name.
      let shared = (lines.lastIndex { $0.hasPrefix("It also takes") }).map { Array(lines[$0...]) } ?? []
      let expected = help.options.subtracting(command.isEmpty ? [] : ["-h"])
      #expect(options(tags(lines) + shared) == expected, "\(command)")
      let text = lines.joined(separator: " ").replacing("\\-", with: "-")
      for word in help.places + help.values(except: options(shared)) {
        #expect(text.contains(word), "\(command): \(word)")
      }
      for alias in help.aliases { #expect(text.contains("tintype \(alias)")) }
    }
  }
}

/// A command's arguments, as ArgumentParser's `--experimental-dump-help` prints them.
private struct Help {
  private struct Tool: Decodable { let command: Command }

  private struct Command: Decodable {
    let aliases: [String]?
    let arguments: [Argument]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let names: [Name]?
    let valueName: String?
    let allValues: [String]?
    let shouldDisplay: Bool

    var options: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
  }

  private let command: Command
  private var arguments: [Argument] { (command.arguments ?? []).filter(\.shouldDisplay) }

  init(json: String) throws { command = try JSONDecoder().decode(Tool.self, from: Data(json.utf8)).command }

  var aliases: [String] { command.aliases ?? [] }
  var options: Set<String> { Set(arguments.flatMap(\.options)) }
  /// The names of the arguments that are no options.
  var places: [String] { arguments.filter { $0.kind == "positional" }.compactMap(\.valueName) }

  /// Returns the values of options, without those that are described elsewhere.
  func values(except others: Set<String>) -> [String] {
    arguments.filter { others.isDisjoint(with: $0.options) }.flatMap { $0.allValues ?? [] }
  }
}
