import Foundation
import Gallery
import TestLimit
import Testing

@testable import Catalog

/// The small answers of services.
@Suite(.limited) struct JSONAnswerTests {
  private struct Answer: Decodable, Equatable {
    let name: String
    let counts: [Int]
    var isNew: Bool?
    var other: [String: Bool]?
  }

  private func fault(_ json: String) throws -> ContentFault? {
    do {
      _ = try JSONAnswer.decode(Answer.self, from: Data(json.utf8))
      return nil
    } catch { return error }
  }

  @Test func aByteOrderMarkIsLeftOut() throws {
    let json = Data("{\"name\": \"é\", \"counts\": [1]}".utf8)
    let answer = Answer(name: "é", counts: [1])
    #expect(try JSONAnswer.decode(Answer.self, from: json) == answer)
    #expect(try JSONAnswer.decode(Answer.self, from: [0xEF, 0xBB, 0xBF] + json) == answer)
    for mark: [UInt8] in [[0xFE, 0xFF], [0xFF, 0xFE]] {
      #expect(throws: ContentFault.utf16) { try JSONAnswer.decode(Answer.self, from: mark + json) }
    }
  }

  @Test(arguments: [
    (#"{"name": "a", "counts": []}"#, nil), (#"{"name": "a"}"#, ContentFault.value(path: "counts", .missing)),
    (#"{"name": null, "counts": []}"#, .value(path: "name", .null)),
    (#"{"name": 1, "counts": []}"#, .value(path: "name", .isNot(.text))),
    (#"{"name": "a", "counts": {}}"#, .value(path: "counts", .isNot(.list))),
    (#"{"name": "a", "counts": [0, "1"]}"#, .value(path: "counts[1]", .isNot(.integer))),
    (#"{"name": "a", "counts": [], "isNew": 1}"#, .value(path: "isNew", .isNot(.truth))),
    (#"{"name": "a", "counts": [], "other": 1}"#, .value(path: "other", .isNot(.object))),
    (#"{"name": "a", "counts": [], "other": {"b": 1}}"#, .value(path: "other.b", .isNot(.truth))),
    ("[]", .value(path: "", .isNot(.object))),
    ("{\n  x}", .syntax(line: 2, column: 3, .unexpected(UInt8(ascii: "x"), .key))),
  ])
  func aFaultHasItsPlace(json: String, fault: ContentFault?) throws {
    #expect(try self.fault(json) == fault)
  }
}
