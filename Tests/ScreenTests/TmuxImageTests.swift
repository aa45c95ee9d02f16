import Foundation
import Harness
import TestLimit
import Testing

@testable import struct Terminal.OuterTerminal

/// Each start in tmux chooses the same output format, which follows from tmux's description of its terminal.
@Suite(.fewAtOnceAndFirst, .serialized, .limited) final class TmuxImageTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Starts a private tmux in a terminal that answers tmux's questions with `name`, after `delay`; nil for no answer.
  private func start(
    _ command: [String], size: Size = Size(columns: 120, rows: 36), in name: String? = "kitty(0.41.1)",
    passesThrough: Bool = true, delay: Duration = .zero, changes: [String: String] = [:]
  ) async throws -> TerminalSession {
    let tmux = try Tmux.command(in: folder, passesThrough: passesThrough) + command
    let session = try TerminalSession(
      tmux[0], Array(tmux.dropFirst()), size: size, environment: Program.environment.merging(changes) { $1 },
      answersQueries: false)
    try await session.waitForOutput("tmux's question for the terminal's version") {
      $0.firstRange(of: Array("\u{1B}[>q".utf8)) != nil
    }
    if let name { session.answer(Self.answer(name), after: delay) }
    return session
  }

  private static func answer(_ name: String) -> String { "\u{1B}[?62;c\u{1B}[>1;4000;41c\u{1B}P>|\(name)\u{1B}\\" }

  /// Has the private tmux carry out a command.
  private func perform(_ command: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: Tmux.path)
    process.arguments = ["-S", folder.appending(path: "tmux").path] + command
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }

  /// Waits until tmux reports a visibility of its first pane.
  private func wait(for visibility: OuterTerminal.Visibility) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while case let current = await Self.visibility(in: folder), current != visibility {
      try #require(ContinuousClock.now < deadline, "\(current)")
    }
  }

  @MainActor
  private static func visibility(in folder: URL) async -> OuterTerminal.Visibility {
    let variables = ["TMUX": "\(folder.appending(path: "tmux").path),1,0", "TMUX_PANE": "%0"]
    return await withCheckedContinuation { continuation in
      OuterTerminal.askForVisibility(environment: Program.environment.merging(variables) { $1 }) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Returns the numbers of the images in the output for kitty.
  private static func images(in output: [UInt8]) -> Set<Int> {
    let parts = String(decoding: output, as: UTF8.self).components(separatedBy: "\u{1B}_Gq=2,f=100,i=")
    return Set(parts.dropFirst().compactMap { Int($0.prefix { $0.isNumber }) })
  }

  /// Whether the output has all images of the gallery's first screen. The last of them replaces its preview.
  private static func hasFirstScreen(_ output: [UInt8]) -> Bool {
    images(in: output).count > 9 && output.firstRange(of: Array("\u{1B}_Gq=2,a=d,d=I,".utf8)) != nil
  }

  private static func hasOtherImages(_ output: [UInt8]) -> Bool {
    ["▀", "▄", "\u{1B}P0;0;0q"].contains { output.firstRange(of: Array($0.utf8)) != nil }
  }

  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"))
  func theFormatIsTheSameFiftyTimesUnderLoad() async throws {
    // A busy loop for each core, which the shell ends.
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let isLate = folder.appending(path: "late")
    let script = """
      for core in $(seq \(cores)); do while :; do :; done & done
      for start in $(seq 50); do \(Program.path.shellWord) show --size 6x3 \(Program.photo("chelsea.jpg").shellWord); done
      kill $(jobs -p)
      [ -n "$(tmux display -p '#{client_termtype}')" ] || touch \(isLate.path.shellWord)
      read -r
      """
    var output: [UInt8] = []
    // tmux waits a few seconds for the terminal's version. On a busy machine the answer can be too late.
    for _ in 1...3 {
      try? FileManager.default.removeItem(at: isLate)
      let session = try await start(["new-session", "bash", "-c", script])
      defer { session.close() }
      // tmux drops what a slow terminal has not read yet when the last program ends.
      _ = try? await session.waitForOutput("50 images", timeout: .seconds(240)) { output in
        Self.images(in: output).count == 50 || FileManager.default.fileExists(atPath: isLate.path)
      }
      session.type("\r")
      #expect(try await session.waitForExit(timeout: .seconds(240)) == .exited(0))
      output = session.output
      if !FileManager.default.fileExists(atPath: isLate.path) { break }
    }
    #expect(Self.images(in: output).count == 50)
    #expect(!Self.hasOtherImages(output))
  }

  /// The gallery starts while tmux still waits for the terminal's answer, also over a slow line.
  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"), arguments: [0, 250])
  func aGalleryThatStartsWithTmuxWaitsForTheTerminalsVersion(delay: Int) async throws {
    let session = try await start(["new-session", Program.path, "--delay", "0"], delay: .milliseconds(delay))
    defer { session.close() }
    try await session.waitForOutput("images for kitty") { Self.images(in: $0).count > 8 }
    #expect(!Self.hasOtherImages(session.output))
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"))
  func attachingAnotherTerminalChangesTheOutputFormat() async throws {
    let kitty = try await start(["new-session", Program.path, "--delay", "0"])
    defer { kitty.close() }
    try await kitty.waitForOutput("the images for kitty") { Self.hasFirstScreen($0) }
    let foot = try await start(
      ["attach-session", "-d"], size: Size(columns: 110, rows: 36), in: "foot(1.13.1)")
    defer { foot.close() }
    try await foot.waitForOutput("an image of characters") { Self.hasOtherImages($0) }
    foot.type("q")
    #expect(try await foot.waitForExit() == .exited(0))
  }

  /// The terminal answers tmux after the gallery has drawn its images with characters. These stay until others are there.
  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"))
  func aLateAnswerToTmuxReplacesTheImagesWithoutAGap() async throws {
    // tmux takes no answer after 5 seconds. On a busy machine, the characters can be too late for that.
    for _ in 1...5 {
      let session = try await start(["new-session", Program.path, "--delay", "0"], in: nil)
      defer { session.close() }
      try await session.waitForText("1/36")
      let before = session.screen.lines
      session.type("t")
      // Rows of another size have other images, which are framed until they are there.
      try await session.wait(for: "images of characters") { screen in
        screen.lines != before && screen.contains("▀") && !screen.contains("┌")
      }
      let start = session.output.count
      session.type(Self.answer("kitty(0.41.1)"))
      let images = try? await session.waitForOutput("images for kitty", timeout: .seconds(20)) {
        Self.images(in: $0).count > 4
      }
      if images == nil { continue }
      #expect(!String(decoding: session.output[start...], as: UTF8.self).contains("┌"))
      session.type("q")
      #expect(try await session.waitForExit() == .exited(0))
      return
    }
    Issue.record("tmux never waited long enough")
  }

  /// A window that keeps its size is not told of the other terminal.
  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"))
  func theFormatFollowsFromTerminalToTerminal() async throws {
    let first = try await start(
      ["set-option", "-g", "destroy-unattached", "off", ";", "new-session", Program.path, "--delay", "0"])
    defer {
      first.close()
      try? perform("kill-server")
    }
    try await first.waitForOutput("the images for kitty") { Self.hasFirstScreen($0) }
    first.type("\u{2}d")
    #expect(try await first.waitForExit() == .exited(0))
    let foot = try await start(["attach-session"], in: "foot(1.13.1)")
    defer { foot.close() }
    try await foot.wait(for: "images of characters only") { $0.contains("▀") && !$0.contains("\u{10EEEE}") }
    #expect(Self.images(in: foot.output).isEmpty)
    foot.type("\u{2}d")
    #expect(try await foot.waitForExit() == .exited(0))
    let second = try await start(["attach-session"])
    defer { second.close() }
    try await second.waitForOutput("the question whether the terminal is there") {
      $0.firstRange(of: Array("\u{1B}[14t".utf8)) != nil
    }
    #expect(Self.images(in: second.output).isEmpty, "tmux might drop them")
    second.answer("\u{1B}[4;720;1200t", after: .zero)
    try await second.waitForOutput("the images again, for the other kitty") {
      Self.images(in: $0).count > 8 && $0.firstRange(of: Array("\u{10EEEE}".utf8)) != nil
    }
    second.type("q")
    #expect(try await second.waitForExit() == .exited(0))
  }

  /// tmux drops what a hidden window sends, and doesn't say when it shows the window again.
  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"))
  func imagesThatWereSentWhileTmuxShowedAnotherWindowAreSentAgain() async throws {
    let session = try await start(["new-session", Program.path, "--delay", "0"])
    defer { session.close() }
    try await session.waitForOutput("the images for kitty") { Self.hasFirstScreen($0) }
    session.type("\u{2}c")
    try await session.wait(for: "the other window") { !$0.contains("Albums") }
    let left = session.output.count
    try perform("send-keys", "-t", ":0", "v")
    // The gallery asks tmux a moment after an image whether it was shown.
    try perform("send-keys", "-t", ":1", "sleep 2; echo gone-$((6 * 7))", "Enter")
    try await session.wait(for: "the other window's output") { $0.contains("gone-42") }
    session.type("\u{2}p")
    try await session.wait(for: "the viewer") { $0.contains("Slideshow") }
    #expect(Self.images(in: Array(session.output[left...])).isEmpty)
    try await session.waitForOutput("the question whether the terminal is there") {
      $0[left...].firstRange(of: Array("\u{1B}[14t".utf8)) != nil
    }
    let returned = session.output.count
    session.answer("\u{1B}[4;720;1200t", after: .zero)
    try await session.waitForOutput("the viewer's image") { !Self.images(in: Array($0[returned...])).isEmpty }
    try perform("kill-server")
    _ = try await session.waitForExit()
  }

  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"))
  func tmuxReportsWhetherThePaneIsSeenAndGetsKeys() async throws {
    let session = try await start(["new-session", "cat"])
    defer { session.close() }
    try await wait(for: .active)
    // The next key is tmux's.
    session.type("\u{2}")
    try await wait(for: .visible)
    // tmux shows the pane's history, to copy from.
    session.type("[")
    try await wait(for: .hidden)
    session.type("q")
    try await wait(for: .active)
  }

  /// On a busy machine, the process that says which terminal tmux is in may be faster than tmux's answer to the first questions.
  @Test(arguments: [true, false]) func theLineIsMeasuredWhicheverAnswerComesFirst(isLate: Bool) async throws {
    let tmux = folder.appending(path: "tmux")
    let script = """
      #!/bin/sh
      case "$*" in
      *client_termname*) printf 'xterm-kitty|RGB|0|1|kitty(0.41.1)\\non\\n' ;;
      *) echo '1|1|0|0|0|1' ;;
      esac
      """
    try Data(script.utf8).write(to: tmux)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tmux.path)
    let changes = [
      "TERM": "tmux-256color", "TMUX": "\(folder.path)/socket,1,0", "TMUX_PANE": "%0",
      "PATH": "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")",
      "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22",
    ]
    let session = try TerminalSession(
      Program.path, ["--delay", "0"], size: Size(columns: 120, rows: 36),
      environment: Program.environment.merging(changes) { $1 }, answersQueries: false)
    defer { session.close() }
    // Without an answer, images are sent after a second.
    let awaited = isLate ? "\u{1B}Ptmux;\u{1B}\u{1B}_G" : "\u{1B}[c"
    try await session.waitForOutput("the last of the first questions, or an image") {
      $0.firstRange(of: Array(awaited.utf8)) != nil
    }
    session.answer("\u{1B}[?62;c", after: .zero)
    try await session.waitForOutput("the question about the line") { $0.firstRange(of: Array("\u{1B}[5n".utf8)) != nil }
    session.type("q")
    _ = try await session.waitForExit()
  }

  /// After three seconds, the gallery asks whether the terminal is there. If the line was only slow, that is answered last.
  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"))
  func aLateAnswerAboutTheLineMeansThatNoImageIsLost() async throws {
    let session = try await start(
      ["new-session", Program.path, "--delay", "0"], changes: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"])
    defer { session.close() }
    let (line, presence) = (Array("\u{1B}[5n".utf8), Array("\u{1B}[14t".utf8))
    // On a busy machine, the first images may have left before a question about the line is worthwhile. The next one brings it.
    for attempt in 1... {
      do {
        try await session.waitForOutput("the question about the line", timeout: .seconds(5)) {
          $0.firstRange(of: line) != nil
        }
        break
      } catch  where attempt < 10 {
        session.type("j")
      }
    }
    try await session.waitForOutput("the question whether the terminal is there") {
      $0.firstRange(of: presence) != nil
    }
    let answered = session.output.count
    session.answer("\u{1B}[0n\u{1B}[4;720;1200t", after: .zero)
    session.type("v")
    let output = try await session.waitForOutput("the next question about the line") {
      $0[answered...].firstRange(of: line) != nil
    }
    let next = try #require(output[answered...].firstRange(of: line))
    #expect(output[answered..<next.lowerBound].firstRange(of: presence) == nil)
    try perform("kill-server")
    _ = try await session.waitForExit()
  }

  /// Neither the window nor tmux's socket changes when a second terminal of the same size is attached.
  @Test(.enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"))
  func theFormatSuitsTheTerminalInUse() async throws {
    let kitty = try await start(["new-session", Program.path, "--delay", "0"])
    defer { kitty.close() }
    try await kitty.waitForOutput("the images for kitty") { Self.hasFirstScreen($0) }
    let foot = try await start(["attach-session"], in: "foot(1.13.1)")
    defer { foot.close() }
    try await foot.waitForText("1/36")
    foot.type("j")
    try await foot.wait(for: "images of characters only") { $0.contains("▀") && !$0.contains("\u{10EEEE}") }
    foot.type("q")
    #expect(try await foot.waitForExit() == .exited(0))
  }

  @Test(
    .enabled(if: Tmux.isInstalled, "SKIPPED: there is no tmux here; install it"),
    arguments: [("kitty(0.41.1)", false), ("kitty(0.27.1)", true), ("foot(1.13.1)", true), ("Konsole 22.12.3", true)])
  func imagesAreSymbolsWhereKittysPlaceholdersDoNotWork(name: String, passesThrough: Bool) async throws {
    let session = try await start(
      ["new-session", Program.path, "--delay", "0"], in: name, passesThrough: passesThrough)
    defer { session.close() }
    try await session.waitForOutput("an image of characters") { Self.hasOtherImages($0) }
    #expect(Self.images(in: session.output) == [])
    #expect(session.output.firstRange(of: Array("\u{1B}P".utf8)) == nil)
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }
}
