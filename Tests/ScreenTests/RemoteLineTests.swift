import Foundation
import TestLimit
import Testing

@testable import Harness

/// Over SSH images come in steps, each of which fits the line, and only while the user stays on the photo.
@Suite(.fewAtOnce, .limited) struct RemoteLineTests {
  /// The answers to the two batches of questions about the terminal.
  private static let answers = [
    "\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}[6;20;9t\u{1B}[?62;c", "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c",
  ]
  private static let answer = "\u{1B}[?62;c"

  private func open(_ changes: [String: String] = ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]) throws
    -> TerminalSession
  {
    try TerminalSession(
      Program.path, ["--delay", "0"], size: Size(columns: 120, rows: 36),
      environment: Program.environment.merging(changes) { $1 }, answersQueries: false)
  }

  private func questionCount(_ output: String) -> Int { output.components(separatedBy: "\u{1B}[c").count - 1 }

  /// Answers each question after an image until the output meets a condition.
  ///
  /// - Parameter delay: The time that the line needs for what has been sent, in milliseconds.
  private func answerQuestions(
    of session: TerminalSession, after delay: Int = 400, answered: inout Int,
    until condition: @escaping @Sendable (String) -> Bool
  ) async throws {
    while true {
      let count = answered
      try await session.waitForOutput("question \(count + 1)") {
        let output = String(decoding: $0, as: UTF8.self)
        return condition(output) || questionCount(output) > count
      }
      if condition(String(decoding: session.output, as: UTF8.self)) { return }
      // The first answer shows the round trip.
      session.answer(
        answered < Self.answers.count ? Self.answers[answered] : Self.answer,
        after: answered == 0 ? .zero : .milliseconds(delay))
      answered += 1
    }
  }

  @Test func imagesBecomeSharperWhileTheUserStays() async throws {
    let session = try open()
    defer { session.close() }
    var answered = 0
    try await answerQuestions(of: session, answered: &answered) { $0.contains("_Gq=2,f=100,") }
    let list = session.output.count
    session.type("v")
    let viewer = { @Sendable (output: String) in
      SentPNG.all(in: String(decoding: Array(output.utf8).dropFirst(list), as: UTF8.self)).map(\.width)
    }
    // Up to the image in full size: the photo is larger than the 33 rows of 20 pixels.
    try await answerQuestions(of: session, answered: &answered) { (viewer($0).max() ?? 0) > 900 }
    let widths = viewer(String(decoding: session.output, as: UTF8.self))
    #expect(widths.count > 1 && widths[0] < widths[widths.count - 1], "\(widths)")
    session.type("i")
    try await answerQuestions(of: session, answered: &answered) { $0.contains("Line") && $0.contains("B/s") }
  }

  /// At 100 % and at the next photo, no image is larger than the window, though the photos are: 1600 pixels wide.
  @Test func onlyTheVisiblePartOfAZoomedPhotoIsSent() async throws {
    let session = try open()
    defer { session.close() }
    var answered = 0
    try await answerQuestions(of: session, after: 50, answered: &answered) { $0.contains("_Gq=2,f=100,") }
    session.type("v")
    let list = session.output.count
    let widths = { @Sendable (output: String, start: Int) in
      SentPNG.all(in: String(decoding: Array(output.utf8).dropFirst(start), as: UTF8.self)).map(\.width)
    }
    try await answerQuestions(of: session, after: 50, answered: &answered) { (widths($0, list).max() ?? 0) > 900 }
    for key in ["z", "n"] {
      let start = session.output.count
      session.type(key)
      // 120 columns of 9 pixels.
      try await answerQuestions(of: session, after: 50, answered: &answered) { widths($0, start).contains(1080) }
      let output = String(decoding: session.output, as: UTF8.self)
      #expect(widths(output, start).max() == 1080)
      // The pixels in base64, as if they could not be compressed.
      #expect(session.output.count - start < 3 * 1080 * 680 * 3 * 4 / 3)
    }
  }

  @Test func withoutAnAnswerNothingBetterIsSent() async throws {
    let session = try open()
    defer { session.close() }
    var answered = 0
    try await answerQuestions(of: session, answered: &answered) { [questionCount] in questionCount($0) == 2 }
    session.answer(Self.answers[1], after: .milliseconds(400))
    try await session.waitForOutput("the question after the first images") { [questionCount] in
      questionCount(String(decoding: $0, as: UTF8.self)) == 3
    }
    session.type("vi")
    try await session.waitForOutput("the image and the information about it") {
      let output = String(decoding: $0, as: UTF8.self)
      return output.contains("Pixels") && !SentPNG.all(in: output).isEmpty
    }
    let output = String(decoding: session.output, as: UTF8.self)
    #expect(!SentPNG.all(in: output).contains { $0.width > 900 })
    #expect(questionCount(output) == 3)
  }

  @Test func aLocalTerminalIsNotAskedAboutTheLine() async throws {
    let session = try open([:])
    defer { session.close() }
    var answered = 0
    try await answerQuestions(of: session, answered: &answered) {
      $0.components(separatedBy: "_Gq=2,f=100,").count > 3
    }
    session.type("v")
    try await session.waitForOutput("the viewer's image") {
      SentPNG.all(in: String(decoding: $0, as: UTF8.self)).contains { $0.width > 900 }
    }
    #expect(questionCount(String(decoding: session.output, as: UTF8.self)) == 2)
  }
}
