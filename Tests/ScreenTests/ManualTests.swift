import Foundation
import Harness
import TestLimit
import Testing

/// The manual page, which the program writes itself.
@Suite(.fewAtOnce, .limited) struct ManualTests {
  private func run(_ script: String) async throws -> Script {
    try await Script.run(script, in: FileManager.default.temporaryDirectory, changes: ["LC_ALL": "C.UTF-8"])
  }

  @Test(.enabled(if: InstalledShell.has("mandoc"), "SKIPPED: mandoc is not installed"))
  func mandocFindsNoFault() async throws {
    let result = try await run(#""$0" --generate-manual | mandoc -T lint"#)
    #expect((result.code, result.output) == (0, ""))
  }

  @Test(.enabled(if: InstalledShell.has("groff"), "SKIPPED: groff is not installed"))
  func groffFindsNoFault() async throws {
    let result = try await run(#""$0" --generate-manual | groff -man -ww -z -T utf8"#)
    #expect((result.code, result.errors) == (0, ""))
  }

  /// Every option of `--help` is in the page, and every section is there once.
  @Test func thePageHasTheOptionsOfTheHelp() async throws {
    let page = try await run(#""$0" --generate-manual"#).output.replacing("\\-", with: "-")
    for command in ["", "show", "catalogue", "thumbnails", "history", "doctor"] {
      #expect(page.contains("tintype \(command)".trimmingCharacters(in: .whitespaces)))
      let help = try await run(#""$0" \#(command) --help"#).output
      let options = help.matches(of: #/--[a-z-]+/#).map { String($0.output) }
      #expect(options.count > 0)
      for option in options { #expect(page.contains(option), "\(command) \(option)") }
    }
    let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SH") }.map { $0.split(separator: "\"")[1] }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SUBCOMMANDS", "KEYS", "SEARCH", "CONFIGURATION", "ENVIRONMENT",
        "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO",
      ])
  }

  /// The message about an unknown field lists all of them.
  @Test func thePageHasTheFieldsOfASearch() async throws {
    let page = try await run(#""$0" --generate-manual"#).output
    let search = try #require(page.components(separatedBy: ".SH \"SEARCH\"").last?.components(separatedBy: ".SH").first)
    let message = try await run(#"echo "[]" | "$0" list - nofield:1 2>&1"#).output
    let fields = try #require(message.firstMatch(of: #/Fields: ([a-z, ]+)\./#)).output.1.split(separator: ", ")
    #expect(fields.count > 20)
    for field in fields { #expect(search.contains("\\fB\(field):"), "\(field)") }
  }
}
