import Foundation
import TestLimit
import Testing

@testable import ImageWire

/// The inputs in `Tests/Corpus`, which once broke a promise. Each target runs in a separate process.
@Suite(.limited) struct ReplayTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus")

  private static func inputs(of target: FuzzTarget) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: corpus.appending(path: target.rawValue), includingPropertiesForKeys: nil)
  }

  @Test(arguments: FuzzTarget.allCases) func everyInputKeepsThePromises(target: FuzzTarget) async throws {
    #expect(try !Self.inputs(of: target).isEmpty)
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [name = target.rawValue as String] in
      let target = try #require(FuzzTarget(rawValue: name))
      for input in try Self.inputs(of: target) {
        // After a crash, the output ends with the input that caused it.
        FileHandle.standardError.write(Data("\(target)/\(input.lastPathComponent)\n".utf8))
        let bytes = [UInt8](try Data(contentsOf: input))
        do { try target.check(bytes) } catch { Issue.record("\(target)/\(input.lastPathComponent): \(error)") }
      }
    }
    if result == nil { Issue.record("\(target): run it again with make fuzz, which names the input.") }
  }

  /// From an invalid message, the fuzzer learns only how it begins.
  @Test func theMessagesToAndFromWorkersAreValid() throws {
    for input in try Self.inputs(of: .wire) {
      var buffer = WireBuffer()
      buffer.append(WireBody(bytes: Array(try Data(contentsOf: input).dropFirst(2))).framed)
      let name = input.lastPathComponent
      if name.hasPrefix("request-") { #expect(try buffer.next(ImageRequest.self) != nil, "\(name)") }
      if name.hasPrefix("answer-") { #expect(try buffer.next(ImageAnswer.self) != nil, "\(name)") }
    }
  }
}
