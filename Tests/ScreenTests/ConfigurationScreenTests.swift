import Foundation
import Harness
import TestLimit
import Testing

/// The user's configuration as the gallery shows it, and `tintype config`.
@Suite(.fewAtOnce, .limited) final class ConfigurationScreenTests {
  private let home = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(home)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  private var variables: [String: String?] {
    ["XDG_CONFIG_HOME": home.path, "XDG_STATE_HOME": home.path + "/state"]
  }

  private func write(_ text: String, to name: String = "config.toml") throws {
    let file = home.appending(path: "tintype/\(name)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  private func open(
    _ arguments: [String] = ["--delay", "0"], columns: Int = 120, changes: [String: String?] = [:]
  ) throws -> TerminalSession {
    try Program.start(
      Program.path, arguments, size: Size(columns: columns, rows: 36), changes: variables.merging(changes) { $1 })
  }

  /// The colors of all blank cells.
  private static func grounds(of screen: Screen) -> Set<Color> {
    Set(screen.cells.joined().filter { $0.text == " " }.map(\.style.background))
  }

  @Test func keysThemeAndOrderAreTheUsers() async throws {
    try write(
      """
      theme = "gruvbox"
      sort = "name"
      rows = "compact"
      [keys]
      quit = "Ctrl-q"
      mark = ["%", "Space"]
      search = "Alt-f"
      """)
    let session = try open()
    defer { session.close() }
    let screen = try await session.waitForTexts("by name ↑", "1/36", "Ctrl-q Quit")
    #expect(!Self.grounds(of: screen).contains(.default))
    #expect(screen.cells[30][0].style.background == .rgb(0x28, 0x28, 0x28))
    session.type("%")
    try await session.waitForTexts("1 marked", "2/36")
    session.type("/")
    session.type("\u{1B}f")
    try await session.waitForText("Keep results")
    session.type("\u{1B}")
    try await session.waitForText("Ctrl-q Quit")
    session.type("?mark or un")
    try await session.waitForText("%, Space")
    session.type("\u{15}start a s")
    try await session.waitForText("Alt-f")
    session.type("\u{1B}\u{1B}")
    try await session.waitForText("Ctrl-q Quit")
    session.type("q\u{11}")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func keysThatServeTwoCommandsAreReportedAtTheStart() async throws {
    try write("[keys]\nmark = \"x\"\nreload = \"x\"\n")
    let session = try open()
    defer { session.close() }
    try await session.waitForTexts("Configuration", "Keys: x is the key of both “mark” and", "Ok")
  }

  @Test func aRunningGalleryTakesOnWhatIsSaved() async throws {
    let session = try open()
    defer { session.close() }
    try await session.waitForTexts("Dune in the wind", "1/36")
    #expect(Self.grounds(of: session.screen).contains(.default))
    // The folder is not there yet.
    try write("theme = \"solarized\"\nsort = \"name\"\n")
    try await session.wait(for: "the theme and the order") {
      $0.contains("by name") && $0.cells[30][0].style.background == .rgb(0x00, 0x2B, 0x36)
    }
    try write("theme = \"mine\"\n")
    try await session.waitForTexts("Configuration", "“mine”. There are", "Ok")
    session.type("\r")
    try write("[dark]\nbackground = \"#123456\"\n", to: "themes/mine.toml")
    try await session.wait(for: "the user's own theme") { $0.cells[30][0].style.background == .rgb(0x12, 0x34, 0x56) }
    try write("[dark]\nbackground = \"#654321\"\n", to: "themes/mine.toml")
    try await session.wait(for: "the changed theme") { $0.cells[30][0].style.background == .rgb(0x65, 0x43, 0x21) }
    try FileManager.default.removeItem(at: home.appending(path: "tintype/config.toml"))
    try await session.wait(for: "the defaults") {
      $0.contains("catalog order") && Self.grounds(of: $0).contains(.default)
    }
  }

  private func file() throws -> String {
    try String(contentsOf: home.appending(path: "tintype/config.toml"), encoding: .utf8)
  }

  @Test func settingsAreChangedWithTheirEffectInViewAndKept() async throws {
    try write("# Mine\nrows = \"normal\"  # three lines\n[keys]\nmark = \"%\"\n")
    let session = try open(["--delay", "0", "--pictures", "symbols"])
    defer { session.close() }
    try await session.waitForTexts("by Luca Zanon", "% Mark")
    session.type(",")
    try await session.waitForTexts("─ Settings ─", "< normal >", "Set by --pictures.")
    // The theme, with the arrow and backwards with h.
    session.type("\u{1B}[C")
    try await session.waitForText("< color-blind >")
    session.type("lh")
    try await session.waitForText("< color-blind >")
    session.type("jjjl")
    try await session.waitForText("< large >")
    try await session.wait(for: "large rows") { $0.lines.prefix(8).contains { $0.contains("climb the shoulder") } }
    session.type("kkll")
    try await session.waitForText("< de >")
    try await session.wait(for: "the language of the footer and of the rows") {
      $0.contains("Zurück") && $0.contains("Verkäuflich")
    }
    session.type("hh")
    try await session.waitForTexts("Back", "For sale", "Language")
    session.type("\u{1B}")
    try await session.wait(for: "the list") { !$0.contains("─ Settings ─") }
    // Quitting waits until the last change is in the file.
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    let kept =
      "# Mine\nrows = \"large\"  # three lines\ntheme = \"color-blind\"\nlanguage = \"auto\"\n[keys]\nmark = \"%\"\n"
    #expect(try file() == kept)
  }

  @Test func aSettingThatCantBeSavedLastsUntilTheEnd() async throws {
    let text = "rows = \"normal\"\n[keys\n"
    try write(text)
    let session = try open()
    defer { session.close() }
    try await session.waitForTexts("Configuration", "Ok")
    session.type("\r,")
    try await session.waitForText("< normal >")
    session.type("jjjl")
    try await session.waitForTexts("Not saved: line 2 of config.toml is invalid.", "< large >")
    session.type("\u{1B}")
    try await session.wait(for: "the list") { !$0.contains("─ Settings ─") }
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(try file() == text)
  }

  @Test func aFaultyFileIsReportedAndTheGalleryStarts() async throws {
    try write("memory = 30\nrows = \"huge\"\n[keys]\nmrak = \"x\"\n")
    let session = try open()
    defer { session.close() }
    try await session.waitForTexts("config.toml:2: rows: It takes one of", "config.toml:4: keys.mrak:", "Ok")
    session.type("\r")
    try await session.waitForTexts("Dune in the wind", "1/36")
  }

  @Test func ownCommandsRunBesideTheGalleryAndInTheTerminal() async throws {
    let photos = home.appending(path: "photos $(x)")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["a 'b'.jpg", "c.jpg"] {
      try FileManager.default.copyItem(atPath: Program.photo("coffee.jpg"), toPath: photos.appending(path: name).path)
    }
    let list = home.appending(path: "list").path
    try write(
      """
      [[commands]]
      name = "List them"
      key = "F12"
      run = 'printf "%%s|" %s > \(list); echo %f >> \(list)'
      [[commands]]
      name = "Fail"
      key = "F11"
      run = "echo no luck >&2; exit 3"
      [[commands]]
      name = "Look"
      key = "Alt-l"
      run = "stty -a | grep -o ' icanon'; read x; echo got $x"
      in = "pause"
      [[commands]]
      name = "Break"
      key = "Alt-b"
      run = "exit 7"
      in = "terminal"
      """)
    let session = try open([photos.path])
    defer { session.close() }
    try await session.waitForTexts("a 'b'.jpg", "1/2")
    session.type("*\u{1B}[24~")
    try await session.waitForText("Done: List them")
    let first = photos.appending(path: "a 'b'.jpg").path
    #expect(
      try String(contentsOfFile: list, encoding: .utf8) == "\(first)|\(photos.appending(path: "c.jpg").path)|\(first)\n"
    )
    session.type("\u{1B}[23~")
    try await session.waitForTexts("“Fail” failed", "It ended with exit status 3: no luck")
    session.type("\r")
    // The command has the terminal and its keys, also Ctrl-Z, until Enter ends it.
    session.type("\u{1B}l")
    try await session.waitForText("icanon")
    session.type("q\u{1A}q\n")
    try await session.waitForTexts("got", "Press Enter to return.")
    session.type("\n")
    try await session.waitForTexts("a 'b'.jpg", "2 marked")
    session.type("\u{1B}b")
    try await session.waitForTexts("“Break” failed", "It ended with exit status 7.")
    session.type("\r")
    // In the list of commands, too.
    session.type("?Look")
    try await session.waitForText("Alt-l         Look")
    session.type("\u{15}List them\r")
    try await session.waitForText("Done: List them")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// The shell can't start with more marked photos than the kernel passes on, either.
  @Test func anOwnCommandThatCantStartIsReported() async throws {
    try write("[[commands]]\nname = \"Look\"\nkey = \"Alt-l\"\nrun = \"true\"\nin = \"terminal\"\n")
    let session = try open(changes: ["PATH": home.path])
    defer { session.close() }
    try await session.waitForTexts("Dune in the wind", "1/36")
    session.type("\u{1B}l")
    try await session.waitForTexts("“Look” failed", "The shell can't be started:")
    session.type("\rj")
    try await session.waitForText("2/36")
  }

  @Test func theCommandPrintsChecksAndListsThemes() async throws {
    let text = try await run("config")
    #expect(text.output.contains("#theme = \"auto\"") && text.output.contains("#rate-one = [\"1\"]"))
    #expect(try await run("config", "--themes").output.split(separator: "\n").contains("color-blind"))
    #expect(try await run("config", "--theme", "dark").output.hasPrefix("[dark]\n"))
    #expect(try await run("config", "--theme", "x").status == 1)
    #expect(try await run("config", "--check").status == 1)
    try write("[keys]\nreject = \"r\"\n")
    let valid = try await run("config", "--check")
    #expect(valid.status == 0)
    #expect(valid.output.contains("“reload” has no key left, since “reject” has r now."))
    try write("memory = 0\n")
    let faulty = try await run("config", "--check")
    #expect(faulty.status == 1)
    #expect(faulty.output.contains("config.toml:1: memory: It takes a number from 1 to 4096."))
    #expect(try await run("--theme", "x", "--pictures", "none").status == 64)
  }

  private func run(_ arguments: String...) async throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.arguments = arguments
    process.environment = Program.environment.merging(["XDG_CONFIG_HOME": home.path]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = Pipe()
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }
}
