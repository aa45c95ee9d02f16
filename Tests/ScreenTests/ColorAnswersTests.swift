import Foundation
import Harness
import TestLimit
import Testing

/// The gallery on terminals of which only their own answers tell that they have 24-bit colors, as over SSH.
@Suite(.fewAtOnce, .limited) struct ColorAnswersTests {
  private static let first = "\u{1B}]11;rgb:1010/1010/1010\u{1B}\\\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?64;1;2c"
  private static let yes = "\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\\u{1B}[?64;1;2c"
  private static let no = "\u{1B}P1$r0;48:5:16m\u{1B}\\\u{1B}[?64;1;2c"
  private static let question = Array("\u{1B}P$qm".utf8)

  private func open(_ arguments: String..., changes: [String: String?] = [:]) throws -> TerminalSession {
    var environment = Program.environment
    environment["COLORTERM"] = nil
    for (name, value) in changes { environment[name] = value }
    return try TerminalSession(
      Program.path, ["--delay", "0"] + arguments, size: Size(columns: 120, rows: 36), environment: environment,
      answersQueries: false)
  }

  /// Answers the questions that every terminal is asked, and waits for the one about colors.
  private func waitForQuestion(_ session: TerminalSession) async throws {
    // An answer that comes before the program reads would be echoed.
    try await session.waitForOutput("the first questions") { $0.firstRange(of: Array("\u{1B}[c".utf8)) != nil }
    session.type(Self.first)
    try await session.waitForOutput("the question about colors") { $0.firstRange(of: Self.question) != nil }
  }

  private static func colors(of screen: Screen) -> Set<Color> {
    Set(screen.cells.joined().flatMap { [$0.style.foreground, $0.style.background] })
  }

  private static func has24Bits(_ color: Color) -> Bool { if case .rgb = color { true } else { false } }
  private static func isIndexed(_ color: Color) -> Bool { if case .indexed = color { true } else { false } }

  /// Waits until the interface and an image are on the screen, and returns their colors.
  private func colorsWithImage(_ session: TerminalSession) async throws -> Set<Color> {
    let screen = try await session.wait(for: "the list with images of characters") {
      $0.contains("1/36") && $0.contains("▀") && !$0.contains("┌")
    }
    return Self.colors(of: screen)
  }

  /// Waits until the interface and the images are in 24-bit colors alone.
  @discardableResult
  private func waitFor24Bits(_ session: TerminalSession) async throws -> Screen {
    try await session.wait(for: "24-bit colors alone") {
      let colors = Self.colors(of: $0)
      return $0.contains("1/36") && $0.contains("▀") && colors.contains(where: Self.has24Bits)
        && !colors.contains(where: Self.isIndexed)
    }
  }

  @Test func aTerminalThatSaysSoGets24BitColors() async throws {
    let session = try open()
    defer { session.close() }
    try await waitForQuestion(session)
    session.type(Self.yes)
    try await waitFor24Bits(session)
    // The alternate screen is entered once, and nothing is cleared between the frames.
    let output = String(decoding: session.output, as: UTF8.self)
    #expect(output.components(separatedBy: "\u{1B}[?1049h").count == 2)
    let change = try #require(output.range(of: "\u{1B}P+q524742")).upperBound
    let first = try #require(output.range(of: "8:2::", range: change..<output.endIndex)).lowerBound
    #expect(!output[first...].contains("\u{1B}[2J"))
    session.type("jq")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(session.screen.lines.allSatisfy { $0.isEmpty })
  }

  @Test(arguments: [no, "\u{1B}P0$r\u{1B}\\\u{1B}[?64;1;2c", "\u{1B}[?64;1;2c", ""])
  func aTerminalThatDoesNotSaySoKeeps256Colors(answer: String) async throws {
    let session = try open()
    defer { session.close() }
    try await waitForQuestion(session)
    session.type(answer)
    let colors = try await colorsWithImage(session)
    #expect(colors.contains(where: Self.isIndexed) && !colors.contains(where: Self.has24Bits))
  }

  /// The first batch of questions is answered, but has no word about colors.
  @Test func aTerminalWithoutANameIsNotAsked() async throws {
    let session = try open()
    defer { session.close() }
    session.type("\u{1B}[?1;2c")
    let colors = try await colorsWithImage(session)
    #expect(!colors.contains(where: Self.has24Bits) && session.output.firstRange(of: Self.question) == nil)
  }

  /// Images that were drawn in 256 colors keep their looks until they come in 24-bit colors.
  @Test func aLateAnswerChangesTheColorsWithoutAGap() async throws {
    let session = try open()
    defer { session.close() }
    try await waitForQuestion(session)
    let before = try await colorsWithImage(session)
    #expect(!before.contains(where: Self.has24Bits))
    let start = session.output.count
    session.type(Self.yes)
    let after = try await waitFor24Bits(session)
    let output = session.output[start...]
    for gap in ["┌", "\u{1B}[2J"] { #expect(output.firstRange(of: Array(gap.utf8)) == nil) }
    // A number that was taken for a color would be almost black.
    let isDark = Self.colors(of: after).contains { if case .rgb(0, 0, 16...) = $0 { true } else { false } }
    #expect(!isDark)
  }

  /// The second screen of ncurses follows the size of the window, and restores what a popup has covered.
  @Test func theGalleryGoesOn() async throws {
    let session = try open("--pictures", "none")
    defer { session.close() }
    try await waitForQuestion(session)
    session.type(Self.yes)
    try await session.wait(for: "24-bit colors") {
      $0.contains("1/36") && Self.colors(of: $0).contains(where: Self.has24Bits)
    }
    session.resize(to: Size(columns: 100, rows: 30))
    session.type("j")
    let smaller = try await session.waitForTexts("2/36", "Quit")
    #expect(!Self.colors(of: smaller).contains(where: Self.isIndexed) && smaller.size.rows == 30)
    session.type("?")
    try await session.waitForText("Toggle contact sheet")
    session.type("\u{1B}")
    let closed = try await session.wait(for: "the list") { !$0.contains("Toggle contact sheet") }
    #expect(closed.text == smaller.text)
  }

  @Test(
    arguments: [
      (["NO_COLOR": "1"], []), ([:], ["--colors", "256"]), (["TERM": "xterm-16color"], []), (["TERM": "vt100"], []),
      (["TERM": "linux"], []),
    ] as [([String: String], [String])])
  func whatTheUserSaysCounts(changes: [String: String], arguments: [String]) async throws {
    var environment = Program.environment.merging(changes) { $1 }
    environment["COLORTERM"] = nil
    let session = try TerminalSession(
      Program.path, ["--delay", "0", "--pictures", "symbols"] + arguments, size: Size(columns: 120, rows: 36),
      environment: environment, answersQueries: false)
    defer { session.close() }
    session.type(Self.first)
    session.type(Self.yes)
    try await session.waitForText("1/36")
    session.type("j")
    let screen = try await session.waitForText("2/36")
    #expect(!Self.colors(of: screen).contains(where: Self.has24Bits))
    #expect(session.output.firstRange(of: Self.question) == nil)
  }

  @Test func theConfigurationCounts() async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(home)
    try FileManager.default.createDirectory(
      at: home.appending(path: "tintype"), withIntermediateDirectories: true)
    try Data("colors = \"256\"\n".utf8).write(to: home.appending(path: "tintype/config.toml"))
    let session = try open("--pictures", "none", changes: ["XDG_CONFIG_HOME": home.path])
    defer { session.close() }
    session.type(Self.first + Self.yes)
    try await session.waitForText("1/36")
    #expect(session.output.firstRange(of: Self.question) == nil)
  }

  // MARK: Commands

  @Test(arguments: [(yes, "\u{1B}[48;2;"), (no, "\u{1B}[48;5;")])
  func showUsesTheAnswer(answer: String, color: String) async throws {
    var environment = Program.environment
    environment["COLORTERM"] = nil
    let session = try TerminalSession(
      Program.path, ["show", "--size", "8x4", Program.photo("chelsea.jpg")], size: Size(columns: 80, rows: 24),
      environment: environment, answersQueries: false)
    defer { session.close() }
    try await waitForQuestion(session)
    session.type(answer)
    #expect(try await session.waitForExit() == .exited(0))
    let output = String(decoding: session.output, as: UTF8.self)
    #expect(output.contains(color) && output.contains("48;2;") == (answer == Self.yes))
  }

  @Test(arguments: [(yes, "colors      truecolor (from terminal)"), (no, "colors      256 (from TERM)")])
  func doctorSaysWhereTheNumberComesFrom(answer: String, line: String) async throws {
    var environment = Program.environment
    environment["COLORTERM"] = nil
    let session = try TerminalSession(
      Program.path, ["doctor", "--pictures", "symbols"], size: Size(columns: 120, rows: 60), environment: environment,
      answersQueries: false)
    defer { session.close() }
    try await waitForQuestion(session)
    session.type(answer)
    #expect(try await session.waitForExit() == .exited(0))
    #expect(session.screen.contains(line))
  }

  /// The program ends while the answer is on its way.
  @Test func aLateAnswerDoesNotReachTheShell() async throws {
    let session = try await TerminalSession.shell(answersQueries: false)
    defer { session.close() }
    session.type("unset COLORTERM; \(Program.path.shellWord) --pictures none --delay 0\n")
    try await session.waitForText("1/36")
    try await waitForQuestion(session)
    session.type("q")
    session.answer(Self.yes, after: .milliseconds(300))
    try await session.waitForAnswers()
    try await session.waitForPrompt()
    session.type("echo clean-$((1+1))\n")
    let screen = try await session.waitForText("clean-2")
    for piece in ["48:2", "$r", "64;1"] { #expect(!screen.contains(piece)) }
  }
}
