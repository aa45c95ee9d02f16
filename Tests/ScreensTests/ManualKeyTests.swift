import Foundation
import TestLimit
import Testing

@testable import Screens

/// The keys in the manual page.
@Suite(.limited) struct ManualKeyTests {
  /// The page has the sections, the keys and the commands of the help, in its order.
  @Test func thePageHasTheKeysOfTheHelp() throws {
    let table = CommandTable.standard
    let help = table.sections(of: "", []).flatMap { section in
      [".SS \(section.heading)"]
        + section.bindings.flatMap { [table.keyNames(of: $0.command).joined(separator: ", "), $0.title] }
    }
    #expect(help.count > 100)
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../packaging/tintype.1")
    let page = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let keys = page.drop { $0 != ".SH KEYS" }.dropFirst().prefix { !$0.hasPrefix(".SH ") }.drop {
      !$0.hasPrefix(".SS ")
    }
    .filter { !$0.hasPrefix(".TP") && !$0.hasPrefix(".PD") }
    .map { $0.replacing(#/^\.B /#, with: "").replacing("\\-", with: "-").replacing("\\(aq", with: "'") }
    .map { $0.replacing(#/\\\[u([0-9A-F]+)\]/#) { String(UnicodeScalar(UInt32($0.1, radix: 16) ?? 0) ?? "?") } }
    #expect(keys.map { String($0) } == help)
  }
}
