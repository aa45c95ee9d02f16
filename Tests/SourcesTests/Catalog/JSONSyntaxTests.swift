import Foundation
import Gallery
import TestLimit
import Testing

@testable import Catalog

@Suite(.limited) struct JSONSyntaxTests {
  /// The parsing cases of nst/JSONTestSuite, or an empty list if they are not available.
  static let corpus: [URL] = {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let beside = here.appending(path: "../../../../shared/corpora").standardizedFileURL.path
    let folder = ProcessInfo.processInfo.environment["TINTYPE_CORPORA"] ?? beside
    let files = try? FileManager.default.contentsOfDirectory(
      at: URL(filePath: folder).appending(path: "json"), includingPropertiesForKeys: nil)
    return files ?? []
  }()

  @Test(arguments: JSONCases.accepted) func validJSONHasNoFault(text: [UInt8]) {
    #expect(JSONSyntax.firstFault(in: Data(text)) == nil, "\(String(decoding: text, as: UTF8.self))")
  }

  @Test(arguments: JSONCases.refused) func invalidJSONHasAFault(text: [UInt8]) {
    #expect(JSONSyntax.firstFault(in: Data(text)) != nil, "\(String(decoding: text, as: UTF8.self))")
  }

  @Test(.enabled(if: !corpus.isEmpty, "SKIPPED: no test corpora; set TINTYPE_CORPORA to their folder"))
  func corpusFilesAreAcceptedOrRejectedByTheirNames() throws {
    #expect(Self.corpus.count > 300)
    for file in Self.corpus {
      let name = file.lastPathComponent
      let fault = JSONSyntax.firstFault(in: try Data(contentsOf: file))
      if name.hasPrefix("y_") { #expect(fault == nil, "\(name)") }
      if name.hasPrefix("n_") { #expect(fault != nil, "\(name)") }
    }
  }

  @Test func thePlaceCountsLinesAndBytes() throws {
    let fault = try #require(JSONSyntax.firstFault(in: Data("{\n\"é\": 1,\n  \"b\": x}".utf8)))
    #expect((fault.line, fault.column) == (3, 8))
    #expect(fault.reason == .unexpected(UInt8(ascii: "x"), .value))
  }

  @Test(arguments: [#"["\ud800"]"#, #"["\ud800\u0041"]"#, #"["\ud800\ud800"]"#, #"["\udc00\ud800"]"#])
  func halfOfASurrogatePairIsRejected(text: String) throws {
    let fault = try #require(JSONSyntax.firstFault(in: Data(text.utf8)))
    #expect((fault.column, fault.reason) == (3, .unpairedSurrogate))
  }

  @Test func deepNestingIsRejected() throws {
    let fault = try #require(JSONSyntax.firstFault(in: Data(repeating: UInt8(ascii: "["), count: 1_000_000)))
    #expect(fault.reason == .tooDeep)
  }
}
