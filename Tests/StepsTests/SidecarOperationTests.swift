import Foundation
import Gallery
import Sidecars
import TestLimit
import Testing

@testable import Steps

/// The journal is read by later versions of the program, and steps of earlier ones are undone.
@Suite(.limited) struct SidecarOperationTests {
  @Test(arguments: [
    (#"{"stars":{"_0":4}}"#, DecisionChange.rating(4)), (#"{"label":{"_0":"Red"}}"#, .label("Red")),
    (#"{"label":{}}"#, .label(nil)), (#"{"caption":{"_0":"4"}}"#, .caption("4")), (#"{"caption":{}}"#, .caption(nil)),
    (#"{"keywords":{"added":["sea"],"removed":[]}}"#, .keywords(added: ["sea"], removed: [])),
    (#"{"rotation":{"quarters":1}}"#, .rotation(quarters: 1)),
  ])
  func requestedChangesKeepTheirForm(json: String, change: DecisionChange) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(change), as: UTF8.self) == json)
    let journaled = SidecarOperation(
      journal: Data(#"{"decision":{"_0":\#(json),"keywords":["a"],"orientation":6}}"#.utf8))
    #expect(journaled == .decision(change, keywords: ["a"], orientation: .rotated90))
  }

  @Test func changesOfSidecarsKeepTheirForm() throws {
    let json = """
      {"caption":{"keep":{}},"deletesEmptySidecar":false,"formerValues":{},"hierarchicalKeywords":{"keep":{}},\
      "keywords":{"set":{"_0":["sea"]}},"label":{"remove":{}},"orientation":{"set":{"_0":6}},"rating":{"set":{"_0":-1}}}
      """
    var change = SidecarChange()
    change[.rating] = .set(-1)
    change[.label] = .remove
    change[.keywords] = .set(["sea"])
    change[.orientation] = .set(6)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(change), as: UTF8.self) == json)
    #expect(SidecarOperation(journal: Data(json.utf8)) == .exact(change))
    #expect(SidecarOperation(journal: Data(#"{"exact":{"_0":\#(json)}}"#.utf8)) == .exact(change))
  }

  /// The changes as earlier versions read them.
  private enum FormerChange: Hashable, Codable {
    case decision(DecisionChange, keywords: [String], orientation: ImageOrientation, hasText: Bool? = nil)
    case exact(SidecarChange)
  }

  /// A copy of an earlier version may run at the same time.
  @Test func anEarlierVersionReadsWhatThisOneWrites() throws {
    var former = DecisionEdits()
    former[.rating] = .set(3)
    var change = SidecarChange()
    change[.rating] = .set(4)
    let operations: [(SidecarOperation, FormerChange)] = [
      (
        .decision(.rating(4), keywords: ["a"], orientation: .upright, former: former),
        .decision(.rating(4), keywords: ["a"], orientation: .upright)
      ),
      (.exact(change, former: .init(decisions: former, fileTime: 1)), .exact(change)),
    ]
    for (operation, expected) in operations {
      #expect(try JSONDecoder().decode(FormerChange.self, from: operation.data) == expected)
      #expect(SidecarOperation(journal: operation.data) == operation)
    }
  }

  @Test func aChangeOfALaterVersionIsNotRead() {
    #expect(
      SidecarOperation(journal: Data(#"{"decision":{"_0":{"mood":{"_0":1}},"keywords":[],"orientation":1}}"#.utf8))
        == nil)
    #expect(SidecarOperation(journal: Data(#"{"move":{}}"#.utf8)) == nil)
  }
}
