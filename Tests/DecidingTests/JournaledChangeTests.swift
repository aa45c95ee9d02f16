import Foundation
import Gallery
import Sidecars
import TestLimit
import Testing

@testable import Deciding

/// The journal is read by later versions of the program, and steps of earlier ones are undone.
@Suite(.limited) struct JournaledChangeTests {
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
    let journaled = JournaledChange(Data(#"{"decision":{"_0":\#(json),"keywords":["a"],"orientation":6}}"#.utf8))
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
    #expect(JournaledChange(Data(json.utf8)) == .exact(change))
    #expect(JournaledChange(Data(#"{"exact":{"_0":\#(json)}}"#.utf8)) == .exact(change))
  }

  @Test func aChangeOfALaterVersionIsNotRead() {
    #expect(JournaledChange(Data(#"{"decision":{"_0":{"mood":{"_0":1}},"keywords":[],"orientation":1}}"#.utf8)) == nil)
    #expect(JournaledChange(Data(#"{"move":{}}"#.utf8)) == nil)
  }
}
