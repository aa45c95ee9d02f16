import Glibc
import TestLimit
import Testing

@testable import Harness

/// A program on a terminal that reads slowly, as over a slow line.
private final class SlowTerminal {
  private(set) var output: [UInt8] = []
  private var terminal: PseudoTerminal
  private let child: ChildProcess

  init(_ arguments: [String], size: Size) throws {
    let terminal = try PseudoTerminal(size: size, pixelsPerCell: nil)
    self.terminal = terminal
    child = try ChildProcess(
      executable: Program.path, arguments: arguments, environment: Program.environment, workingDirectory: nil,
      terminalPath: terminal.path)
  }

  deinit {
    kill(child.identifier, SIGKILL)
    _ = child.reap()
    terminal.close()
  }

  func type(_ text: String) { _ = write(terminal.master, text, text.utf8.count) }

  /// Reads small pieces until `condition` holds for the end of the output after `start`.
  func read(from start: Int, until condition: (String) -> Bool) throws {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while !condition(String(decoding: output[max(start, output.count - 8192)...], as: UTF8.self)) {
      var ready = pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0)
      try #require(poll(&ready, 1, 20_000) > 0, "nothing comes any more")
      let count = Glibc.read(terminal.master, &bytes, bytes.count)
      output += bytes[..<max(0, count)]
    }
  }
}

/// Frames on a terminal that reads slowly.
@Suite(.fewAtOnce, .limited) struct SlowTerminalTests {
  @Test func aFrameDoesNotWaitForAnImage() throws {
    let terminal = try SlowTerminal(["--delay", "0", "--pictures", "kitty"], size: Size(columns: 120, rows: 36))
    terminal.type("\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;9t\u{1B}[?62;c\u{1B}[?62;c")
    try terminal.read(from: 0) { $0.contains("m=0;") }
    let list = terminal.output.count
    terminal.type("v")
    // The viewer's image is as high as the screen.
    try terminal.read(from: list) { SentPNG.all(in: $0).contains { (600..<700).contains($0.height) } }
    let viewer = terminal.output.count
    terminal.type("?")
    // The popup's corner is always written. Of its text, only the cells that change are.
    try terminal.read(from: viewer) { $0.contains("╭") }
    let early = String(decoding: terminal.output[viewer...], as: UTF8.self)
    #expect(!early.contains("m=0;"), "the image came first")
    // kitty would never show an image that arrives after its placeholders.
    #expect(!early.hasPlaceholders, "placeholders came before their image")
    try terminal.read(from: viewer) { $0.hasPlaceholders }
    let all = String(decoding: terminal.output[viewer...], as: UTF8.self)
    let before = all.prefix { $0.unicodeScalars.first != "\u{10EEEE}" }
    #expect(before.contains("m=0;"), "placeholders came before the image's end")
  }
}

extension String {
  /// Whether the text has a placeholder. Its scalars are compared, since marks follow it in the same character.
  fileprivate var hasPlaceholders: Bool { unicodeScalars.contains("\u{10EEEE}") }
}
