import Foundation
import TestLimit
import Testing

@testable import Harness

/// No image stays on the terminal after a signal has ended or stopped the program.
@Suite(.fewAtOnce, .limited) struct ImagesGivenBackTests {
  /// A terminal with the answers that it gives and the beginning of each image that it gets.
  enum Form: String, CaseIterable {
    case placeholders, placed, sixel, iterm

    var arguments: [String] {
      switch self {
      case .placeholders: []
      case .placed: ["--pictures", "kitty", "--colors", "256"]
      case .sixel, .iterm: ["--pictures", rawValue]
      }
    }

    var answers: String {
      let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;9t\u{1B}[?62;c\u{1B}[?62;c"
      return switch self {
      case .placeholders: "\u{1B}P>|kitty(0.41.1)\u{1B}\\" + kitty
      case .placed: "\u{1B}P>|kitty(0.26.5)\u{1B}\\" + kitty
      case .sixel, .iterm: "\u{1B}[6;20;9t\u{1B}[?62;4;22c"
      }
    }

    var beginning: String {
      switch self {
      case .placeholders, .placed: "\u{1B}_Gq=2,f=100,"
      case .sixel: "\u{1B}P0;0;0q"
      case .iterm: "\u{1B}]1337;File="
      }
    }
  }

  /// Whether the output ends with the command that deletes all images in it.
  ///
  /// A sequence that was cut off is ended before that command. Images at placeholders can be deleted only by their
  /// numbers (kitty graphics protocol, "Deleting images").
  private func deletesAll(_ output: String, _ form: Form) throws -> Bool {
    guard form == .placeholders else {
      return output.contains(/\u{1B}\\\u{1B}_Gq=2,m=0;\u{1B}\\\u{1B}_Gq=2,a=d,d=A\u{1B}\\[^_]*$/)
    }
    let command = /\u{1B}\\\u{1B}_Gq=2,m=0;\u{1B}\\\u{1B}_Gq=2,a=d,d=R,x=(\d+),y=(\d+)\u{1B}\\[^_]*$/
    guard let match = output.firstMatch(of: command) else { return false }
    let (low, high) = (try #require(Int(match.1)), try #require(Int(match.2)))
    let sent = output.matches(of: /f=100,i=(\d+)/).compactMap { Int($0.1) }
    return !sent.isEmpty && sent.allSatisfy { (low...high).contains($0) } && high - low < 1000
  }

  @Test(arguments: Form.allCases, GivenBackTests.signals)
  func noImageIsLeftAfterASignal(form: Form, signal: Int32) async throws {
    let session = try TerminalSession(
      Program.path, ["--delay", "0"] + form.arguments, size: Size(columns: 120, rows: 36),
      environment: Program.environment, answersQueries: false)
    defer { session.close() }
    session.type(form.answers)
    // Some signals arrive during the first image, others after several.
    let count = 1 + Int(signal) % 3
    try await session.waitForOutput("\(count) images") {
      String(decoding: $0, as: UTF8.self).components(separatedBy: form.beginning).count > count
    }
    session.kill(signal)
    #expect(try await session.waitForExit() == .signalled(signal))
    try await session.expectGivenBack()
    let parts = String(decoding: session.output, as: UTF8.self).components(separatedBy: "\u{1B}[?1049l")
    try #require(parts.count == 2, "the main screen comes back once")
    for image in ["\u{1B}_G", "\u{1B}P", "\u{1B}]1337"] { #expect(!parts[1].contains(image)) }
    // The alternate screen takes other images with it.
    let isKitty = form == .placeholders || form == .placed
    #expect(try isKitty ? deletesAll(parts[0], form) : !parts[0].contains("a=d"))
  }

  /// A file asks the terminal whether it can read files of this machine. The file exists until the answer arrives.
  @Test(arguments: GivenBackTests.signals) func noFileForTheTerminalIsLeft(signal: Int32) async throws {
    let session = try TerminalSession(
      Program.path, ["--delay", "0"], size: Size(columns: 120, rows: 36), environment: Program.environment,
      answersQueries: false)
    defer { session.close() }
    session.type("\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}[?62;c")
    try await session.waitForOutput("the question") { $0.firstRange(of: Array("\u{1B}_Gi=32,".utf8)) != nil }
    session.kill(signal)
    session.type("\u{1B}[?62;c")
    #expect(try await session.waitForExit() == .signalled(signal))
    let names = try FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
    #expect(!names.contains { $0.hasPrefix("tintype-") && $0.hasSuffix("-\(session.processID)") })
  }

  /// Stopping the program deletes its images, and continuing sends them again.
  @Test(arguments: [Form.placeholders, .placed]) func noImageIsLeftAfterAStop(form: Form) async throws {
    let session = try await TerminalSession.shell(answersQueries: false)
    defer { session.close() }
    session.type("\(Program.path.shellWord) --delay 0 \(form.arguments.joined(separator: " "))\n")
    try await session.wait(for: "the gallery") { $0.isAlternateScreen }
    session.type(form.answers)
    let image = Array(form.beginning.utf8)
    try await session.waitForOutput("an image") { $0.firstRange(of: image) != nil }
    session.type("\u{1A}")
    try await session.waitForPrompt(isAnywhere: true)
    let count = session.output.count
    let parts = String(decoding: session.output, as: UTF8.self).components(separatedBy: "\u{1B}[?1049l")
    #expect(parts.count == 2 && !parts[1].contains("\u{1B}_G"))
    #expect(try deletesAll(parts[0], form))
    session.type("fg\n")
    try await session.waitForOutput("an image again") { $0[count...].firstRange(of: image) != nil }
    session.type("q")
    try await session.waitForPrompt(isAnywhere: true)
  }

  /// The rest of an image that was cut off would be text on the shell's screen.
  @Test func theRestOfAFrameIsNotSentAfterAStop() async throws {
    let line = Line(bytesPerSecond: 200_000, roundTrip: .zero)
    let session = try await TerminalSession.shell(answersQueries: false, line: line)
    defer { session.close() }
    let form = Form.sixel
    session.type("\(Program.path.shellWord) --delay 0 \(form.arguments.joined(separator: " "))\n")
    try await session.wait(for: "the gallery") { $0.isAlternateScreen }
    session.type(form.answers)
    // The image of the viewer takes seconds on this line.
    session.type("v")
    try await session.waitForOutput("a part of the viewer's image") { output in
      let image = output.ranges(of: Array(form.beginning.utf8)).last.map { output[$0.upperBound...] } ?? []
      return image.count > 40_000 && !image.contains(0x1B)
    }
    session.type("\u{1A}")
    try await session.waitForPrompt(isAnywhere: true)
    let stop = session.output.count
    session.type("fg\n")
    let screen = Array("\u{1B}[?1049h".utf8)
    let output = try await session.waitForOutput("the gallery again") { $0[stop...].firstRange(of: screen) != nil }
    // Before it, the shell repeats the keys and the command.
    #expect(try #require(output[stop...].firstRange(of: screen)).lowerBound - stop < 1000)
    session.kill(SIGKILL)
  }
}
