import Foundation
import Gallery
import Services
import Sidecars
import TestLimit
import Testing
import Torture

@testable import Steps

/// Three copies of the program that decide about the same photos at the same time, each about something else.
@Suite(.limited) final class DecidingCopiesTests: FileFixture {
  private func start(_ number: Int, steps: Int) throws -> (process: Process, output: Pipe) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = KilledStepsTests.program
    process.arguments = ["decide", folder.printable, "\(number)", "\(steps)"]
    process.standardOutput = pipe
    try process.run()
    return (process, pipe)
  }

  /// The sidecars have the last decision of each copy.
  @Test(.timeLimit(.minutes(60))) func noDecisionIsLostTorture() async throws {
    let photos = try (0..<4).map { try add("p\($0).jpg") }
    try add("p1.xmp", Self.sidecar)
    let copies = try (0..<3).map { try start($0, steps: Torture.rounds(30, long: 300)) }
    var expected: [String] = []
    for copy in copies {
      let text = String(decoding: try copy.output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      copy.process.waitUntilExit()
      expected += text.split(separator: "\n").map(String.init)
    }
    _ = await makeService().resume()
    let found = try photos.compactMap(\.file).flatMap { file in
      let edits = try Sidecars().edits(of: file)
      return edits.changed.compactMap { decision in
        edits[decision].value.map { "\(file.printableName) \(decision.rawValue) \($0.map { "\($0)" } ?? "")" }
      }
    }
    #expect(expected.count == 4 * 7)
    #expect(found.sorted() == expected.sorted())
    let journal = makeService()
    var undone = 0
    while let step = await journal.undo() {
      #expect(step.faults == [])
      undone += 1
    }
    #expect(undone > 0)
  }
}
