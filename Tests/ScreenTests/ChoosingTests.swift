import Foundation
import Harness
import TestLimit
import Testing

/// A folder that is removed with its object.
private final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes an executable shell script.
  ///
  /// A child process writes it: a program that another test starts meanwhile would inherit this process's descriptor, and
  /// the kernel does not execute a file that is open for writing (ETXTBSY of execve(2)).
  func script(_ name: String, _ text: String) async throws {
    let write = #"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 755 "$1""#
    #expect(try await Script.run(write, path(name), text, in: url).code == 0)
  }

  func text(_ name: String) -> String { (try? String(contentsOf: url.appending(path: name), encoding: .utf8)) ?? "" }
}

@Suite(.fewAtOnce, .limited) struct ChoosingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts the program with its standard output in a pipe that ends in the file `out`. When it has ended, the file
  /// `status` has its exit code.
  private func startInPipe(_ arguments: String...) throws -> TerminalSession {
    let command =
      "{ \"$0\" \"$@\" 2> \(folder.path("err").shellWord); echo $? > \(folder.path("status").shellWord); } | cat > "
      + folder.path("out").shellWord
    return try TerminalSession(
      "/bin/sh", ["-c", command, Program.path, "--pictures", "none", "--delay", "0"] + arguments,
      size: Size(columns: 80, rows: 24), environment: Program.environment)
  }

  @Test(arguments: [false, true])
  func markedPathsArePrintedWhileTheGalleryUsesTheTerminal(hasZeroBytes: Bool) async throws {
    let names = ["a b.jpg", "new\nline.jpg", "z.jpg"]
    for name in names { try Data("x".utf8).write(to: folder.url.appending(path: name)) }
    let list = folder.url.appending(path: "list")
    try Data((names.map { folder.path($0) + "\0" }.joined()).utf8).write(to: list)
    let command = "\"$0\" \"$@\" < \(list.path.shellWord) | cat > \(folder.path("out").shellWord)"
    let session = try TerminalSession(
      "/bin/sh",
      ["-c", command, Program.path, "--pictures", "none", "--print", "-0", "-"],
      size: Size(columns: 80, rows: 24), environment: Program.environment)
    defer { session.close() }
    try await session.waitForTexts("1/3", "standard input")
    #expect(session.screen.isAlternateScreen)
    session.type(hasZeroBytes ? "G k" : "q")
    guard hasZeroBytes else {
      #expect(try await session.waitForExit() == .exited(0))
      #expect(folder.text("out").isEmpty)
      return
    }
    try await session.waitForText("1 marked")
    session.type(" q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(folder.text("out") == "\(folder.path(names[1]))\0\(folder.path(names[2]))\0")
    #expect(!session.screen.isAlternateScreen)
  }

  @Test func pathsEndWithLineBreaksByDefault() async throws {
    let session = try startInPipe("--print")
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type(" j ")
    try await session.waitForTexts("2 marked", "4/36")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    let folder = URL(filePath: Program.bundledPhoto("fig.jpg")).deletingLastPathComponent().path
    #expect(self.folder.text("out") == "\(folder)/dune-hikers.jpg\n\(folder)/whale-calf.jpg\n")
    #expect(self.folder.text("status") == "0\n" && self.folder.text("err").isEmpty)
  }

  @Test func aClosedPipeEndsTheProgram() async throws {
    let session = try TerminalSession(
      "/bin/sh", ["-c", "\"$0\" \"$@\" | true", Program.path, "--pictures", "none", "--delay", "0", "--print"],
      size: Size(columns: 80, rows: 24), environment: Program.environment)
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type(" q")
    _ = try await session.waitForExit()
    #expect(!session.screen.isAlternateScreen && session.attributes == session.initialAttributes)
  }

  @Test func marksAreShownInRowsAndInTheHeader() async throws {
    let session = try await Program.open(columns: 80, rows: 24)
    defer { session.close() }
    session.type(" jV")
    try await session.waitForTexts("Marking a range – V to finish", "│ Range")
    session.type("\u{1B}")
    try await session.waitForText("1 marked · 36 photos")
    session.type("VjV")
    try await session.waitForTexts("3 marked", "4/36")
    #expect(session.screen.lines.filter { $0.contains("✓ Marked") }.count == 3)
    session.type("*")
    try await session.wait(for: "no mark") { !$0.contains("3 marked") && $0.contains("36 photos") }
    session.type("*")
    try await session.waitForTexts("36 marked", "* Unmark")
    session.type("*")
    try await session.wait(for: "no mark") { !$0.contains("arked") && $0.contains("36 photos") }
    session.type("/name:the\r")
    try await session.waitForText("1/5")
    session.type("*")
    try await session.waitForText("5 marked")
    session.type("\u{1B}")
    try await session.waitForTexts("5 marked", "1/36")
  }

  @Test func pathsAreCopiedToTheClipboard() async throws {
    let session = try await Program.open()
    defer { session.close() }
    let paths = ["dune-hikers.jpg", "torii.jpg"].map(Program.bundledPhoto)
    session.type("y")
    try await session.waitForText("Copied: /")
    session.type("  y")
    try await session.waitForText("Copied: 2 paths")
    let output = String(decoding: session.output, as: UTF8.self)
    for text in [paths[0], paths.joined(separator: "\n")] {
      #expect(output.contains("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"))
    }
  }

  @Test func tooManyPathsAreNotCopied() async throws {
    let catalog = try TemporaryCatalog.named((0..<2000).map { "\($0)" })
    let session = try Program.start(catalog.path)
    defer { session.close() }
    try await session.waitForText("1/2000")
    session.type("*y")
    try await session.waitForText("2000 paths are too many for the clipboard.")
    #expect(!String(decoding: session.output, as: UTF8.self).contains("\u{1B}]52;c"))
  }

  @Test func markedPhotosAreWrittenAsACatalog() async throws {
    let session = try TerminalSession(
      Program.path, ["--pictures", "none", "--delay", "0"], size: Size(columns: 80, rows: 24),
      environment: Program.environment, workingDirectory: folder.url.path)
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type(" j e")
    try await session.waitForTexts(" Save 2 photos as a catalog ", "File name", "marked.json", "Enter Save")
    session.type("\u{15}\r")
    try await session.waitForText("The name is empty.")
    session.type("mine.json\r")
    try await session.waitForTexts("Saved 2 photos in")
    #expect(FileManager.default.fileExists(atPath: folder.path("mine.json")))
    session.type("eno such/folder.json\u{01}/\r")
    try await session.waitForTexts(" Can't save the catalog ", "There is no folder")
    let again = try Program.start(folder.path("mine.json"), columns: 80, rows: 24)
    defer { again.close() }
    try await again.waitForTexts("1/2", "Dune in the", "Humpback wh")
  }

  @Test(arguments: [0, 3])
  func photosOpenInTheDefaultApp(status: Int) async throws {
    // The app writes to the gallery's terminal. A window's title does no harm there.
    try await folder.script(
      "xdg-open",
      "echo noise; echo noise >&2; printf '\\033]0;%s:%s\\007' $# \"$1\" > $(readlink /proc/$PPID/fd/0); exit \(status)"
    )
    let session = try await Program.open(changes: ["PATH": "\(folder.url.path):/usr/bin:/bin"])
    defer { session.close() }
    session.type("jo")
    let said = Array("\u{1B}]0;1:\(Program.bundledPhoto("torii.jpg"))\u{7}".utf8)
    try await session.waitForOutput("the script's word") { $0.firstRange(of: said) != nil }
    if status != 0 { try await session.waitForTexts(" Can't open the photo ", "There is no default program") }
    session.type(status == 0 ? "j" : "\rj")
    let screen = try await session.waitForText("3/36")
    #expect(!screen.contains("noise") && !screen.contains(" Can't open "))
  }

  @Test func aMissingDefaultAppIsReported() async throws {
    let session = try await Program.open(changes: ["PATH": folder.url.path])
    defer { session.close() }
    session.type("o")
    try await session.waitForTexts(" Can't open the photo ", "xdg-open is not installed.")
  }
}
