import Foundation
import Testing

/// No image is left where a signal ends the program.
@Suite(.fewAtOnce) struct ImagesGivenBackTests {
  /// A terminal by what it answers, and how images for it begin.
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
      case .placeholders, .placed: "\u{1B}_Gq=2,f=24,"
      case .sixel: "\u{1B}P0;0;0q"
      case .iterm: "\u{1B}]1337;File="
      }
    }
  }

  /// Whether what came before the main screen ends with what deletes all the images in it; a sequence that was cut off
  /// is ended first. Behind placeholders only numbers do so (kitty graphics protocol, "Deleting images").
  private func deletesAll(_ output: String, _ form: Form) throws -> Bool {
    guard form == .placeholders else { return output.contains(/\u{1B}\\\u{1B}_Gq=2,a=d,d=A\u{1B}\\[^_]*$/) }
    let command = /\u{1B}\\\u{1B}_Gq=2,a=d,d=R,x=(\d+),y=(\d+)\u{1B}\\[^_]*$/
    guard let match = output.firstMatch(of: command) else { return false }
    let (low, high) = (try #require(Int(match.1)), try #require(Int(match.2)))
    let sent = output.matches(of: /f=24,i=(\d+)/).compactMap { Int($0.1) }
    return !sent.isEmpty && sent.allSatisfy { (low...high).contains($0) } && high - low < 1000
  }

  @Test(arguments: Form.allCases, GivenBackTests.signals)
  func noImageIsLeft(form: Form, signal: Int32) async throws {
    let session = try TerminalSession(
      Program.path, ["--delay", "0"] + form.arguments, size: Size(columns: 120, rows: 36),
      environment: Program.environment, answersQueries: false)
    defer { session.close() }
    session.type(form.answers)
    // Of some signals in the middle of the first, of others when there are more.
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
    // Others are the alternate screen's, and go with it.
    let isKitty = form == .placeholders || form == .placed
    #expect(try isKitty ? deletesAll(parts[0], form) : !parts[0].contains("a=d"))
  }

  /// By which the terminal is asked whether it reads this machine's files; until it has answered it is there.
  @Test(arguments: GivenBackTests.signals) func noFileIsLeft(signal: Int32) async throws {
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

  /// The terminal of a shell that stops the program has no image, and gets them anew.
  @Test(arguments: [Form.placeholders, .placed]) func noImageIsLeftWhenItStops(form: Form) async throws {
    let session = try await TerminalSession.shell(answersQueries: false)
    defer { session.close() }
    session.type("\(Program.path.shellWord) --delay 0 \(form.arguments.joined(separator: " "))\n")
    try await session.wait(for: "the gallery") { $0.isAlternateScreen }
    session.type(form.answers)
    let image = Array(form.beginning.utf8)
    try await session.waitForOutput("an image") { $0.firstRange(of: image) != nil }
    session.type("\u{1A}")
    try await waitForPrompt(session)
    let count = session.output.count
    let parts = String(decoding: session.output, as: UTF8.self).components(separatedBy: "\u{1B}[?1049l")
    #expect(parts.count == 2 && !parts[1].contains("\u{1B}_G"))
    #expect(try deletesAll(parts[0], form))
    session.type("fg\n")
    try await session.waitForOutput("an image again") { $0[count...].firstRange(of: image) != nil }
    session.type("q")
    try await waitForPrompt(session)
  }

  /// Wherever it stands: the emulator keeps one cursor for both screens, and a placed image is drawn with that.
  private func waitForPrompt(_ session: TerminalSession) async throws {
    try await session.wait(for: "the shell's prompt") {
      // Behind the cursor may be what a long command left there.
      let before = $0.cells[$0.cursor.row][..<$0.cursor.column].map(\.text).joined()
      return !$0.isAlternateScreen && before.trimmingCharacters(in: .whitespaces).hasSuffix("shell>")
    }
  }
}
