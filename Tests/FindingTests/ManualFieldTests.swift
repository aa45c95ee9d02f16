import Foundation
import TestLimit
import Testing

@testable import Finding

/// The fields of a search in the manual page.
@Suite(.limited) struct ManualFieldTests {
  /// The page has the fields, and the values that they take.
  @Test func thePageHasTheFieldsOfASearch() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../packaging/tintype.1")
    let page = try String(contentsOf: file, encoding: .utf8)
    let search = try #require(
      page.components(separatedBy: ".SH SEARCH\n").last?.components(separatedBy: "\n.SH ").first)
    let items = search.components(separatedBy: "\n.TP\n").dropFirst().flatMap { item in
      let lines = item.split(separator: "\n")
      let values = lines.dropFirst().joined(separator: " ").replacing("\\-", with: "-")
      return lines[0].matches(of: #/([a-z]+):/#).map { "\($0.output.1): \(values)" }
    }
    #expect(items.count > 20)
    #expect(items.sorted() == QueryField.all.map { "\($0.name): \($0.expected)" }.sorted())
  }
}
