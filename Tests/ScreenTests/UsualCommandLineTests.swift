import ArgumentParser
import TestLimit
import Testing

@testable import tintype

/// The gallery's command lines that are read without ArgumentParser.
@Suite(.limited) struct UsualCommandLineTests {
  private static let pieces = [
    ".", "a.jpg", "nas:photos", "https://example.org/a.json", "über alles", "", "--pictures", "none", "kitty",
    "--delay", "0", "2.5", "-1", "--strict", "--theme", "--", "-", "-0", "--pictures=none", "--help", "photos",
  ]

  /// Every property is compared by its description, so that an option which is added to the command and not set fails, too.
  @Test func theyMeanWhatArgumentParserSays() throws {
    var state: UInt64 = 1
    func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var usualCount = 0
    for _ in 0..<1500 {
      let arguments = (0..<next(below: 5)).map { _ in Self.pieces[next(below: Self.pieces.count)] }
      let parsed = Result { try Browse.parse(arguments) }
      switch Result(catching: { try Browse.usual(arguments) }) {
      case .success(nil): continue
      case .success(let command?):
        usualCount += 1
        #expect(throws: Never.self, "\(arguments)") { try parsed.get() }
        #expect(try "\(command)" == "\(parsed.get())", "\(arguments)")
      case .failure(let error):
        guard case .failure(let parserError) = parsed else {
          Issue.record("Only the usual way refuses \(arguments): \(error)")
          continue
        }
        #expect(Browse.message(for: parserError) == Browse.message(for: error), "\(arguments)")
      }
    }
    // Most have an option that is not as usual, or a part of one.
    #expect(usualCount > 150)
  }
}
