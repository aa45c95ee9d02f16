import CVTerm
import Foundation
import Testing

/// When the terminal goes, so does the program, at once and without a last effort.
@Suite(.fewAtOnce, .serialized) struct GoneTerminalTests {
  /// A program on a terminal that nobody reads unless the test does.
  private final class Line {
    var terminal: PseudoTerminal
    let child: ChildProcess
    private var isReaped = false

    init(_ script: String, answers: String = "\u{1B}[?62;c") throws {
      let terminal = try PseudoTerminal(size: Size(columns: 120, rows: 36), pixelsPerCell: nil)
      self.terminal = terminal
      child = try ChildProcess(
        executable: "/bin/sh", arguments: ["-c", script, Program.path], environment: Program.environment,
        workingDirectory: nil, terminalPath: terminal.path)
      type(answers)
    }

    deinit {
      if !isReaped {
        kill(child.identifier, SIGKILL)
        _ = child.reap()
      }
      terminal.close()
    }

    func type(_ text: String) { _ = write(terminal.master, text, text.utf8.count) }

    /// Reads until `condition` holds for all that came, in pieces of so many bytes.
    @discardableResult
    func read(_ size: Int = 65536, until condition: (String) -> Bool) throws -> String {
      var output: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: size)
      while !condition(String(decoding: output.suffix(100_000), as: UTF8.self)) {
        var ready = pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0)
        try #require(poll(&ready, 1, 20_000) > 0, "nothing comes any more")
        let count = Foundation.read(terminal.master, &bytes, bytes.count)
        try #require(count > 0)
        output += bytes[..<count]
      }
      return String(decoding: output, as: UTF8.self)
    }

    /// Of the processor, so far.
    var processorTime: Duration {
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(child.identifier, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .zero }
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Waits for the end, and tells how it came, how long it took, and the processor's time from the start on.
    func end() throws -> (ExitStatus, Duration, Duration) {
      let start = ContinuousClock.now
      let descriptor = cvterm_pidfd_open(child.identifier)
      var ended = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&ended, 1, 60_000) > 0, "it does not end")
      close(descriptor)
      let time = ContinuousClock.now - start
      var (status, usage) = (Int32(0), rusage())
      wait4(child.identifier, &status, 0, &usage)
      isReaped = true
      let used = [usage.ru_utime, usage.ru_stime].map { Duration.seconds($0.tv_sec) + .microseconds($0.tv_usec) }
      return (ExitStatus(waitStatus: status), time, used[0] + used[1])
    }
  }

  private static let gallery = "exec \"$0\" --delay 0 --pictures none"

  @Test(arguments: ["", "trap '' HUP;"])
  func masterIsClosed(trap: String) throws {
    for keys in ["", "jjj", "v", "?", "/a"] {
      let line = try Line("\(trap) \(Self.gallery)")
      try line.read { $0.contains("1/20") && $0.contains("\u{1B}[?2026l") }
      line.type(keys)
      let before = line.processorTime
      line.terminal.close()
      let (status, time, used) = try line.end()
      #expect(status == (trap.isEmpty ? .signalled(SIGHUP) : .exited(1)))
      #expect(time < .seconds(1), "it took \(time)")
      #expect(used - before < .milliseconds(50), "it took \(used - before) of the processor")
    }
  }

  @Test func inputIsClosed() throws {
    // Keys come from the terminal, not from the standard input.
    let line = try Line("\(Self.gallery) <&- 2>&-")
    try line.read { $0.contains("1/20") }
    // Else the next file that is opened would be in their place, and written to as what they are.
    for descriptor in [STDIN_FILENO, STDERR_FILENO] {
      let link = try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(line.child.identifier)/fd/\(descriptor)")
      #expect(link == "/dev/null")
    }
    line.type("q")
    #expect(try line.end().0 == .exited(0))
    let other = try Line("\(Self.gallery) - <&-")
    try other.read { $0.contains("cannot be read") }
    other.type("\rq")
    #expect(try other.end().0 == .exited(0))
  }

  @Test(arguments: [
    ("exec \"$0\" > /dev/full", ExitStatus.exited(1)), ("exec \"$0\" show \"$0\" > /dev/full", .exited(1)),
    ("exec \"$0\" doctor > /dev/full", .exited(1)), ("exec \"$0\" - < /dev/null > /dev/full", .exited(1)),
    ("exec \"$0\" --help > /dev/full", .exited(0)),
    ("\"$0\" catalogue \"${0%/*}/tintype_Resources.resources\" > /dev/full", .exited(1)),
  ])
  func outputIsFull(script: String, status: ExitStatus) throws {
    let line = try Line("XDG_CACHE_HOME=/proc/none; export XDG_CACHE_HOME; \(script)")
    let (ending, time, _) = try line.end()
    #expect(ending == status)
    #expect(time < .seconds(5), "it took \(time)")
  }

  @Test func readerOfThePipeIsGone() throws {
    let line = try Line(
      "for i in 1 2 3; do \"$0\" show \"${0%/*}/tintype_Resources.resources/photos/chelsea.jpg\" | true; done; exit 3")
    let (ending, time, _) = try line.end()
    #expect(ending == .exited(3))
    #expect(time < .seconds(5), "it took \(time)")
  }

  @Test func aTerminalThatDoesNotRead() throws {
    for (signal, keys) in [(SIGTERM, ""), (0, "q")] {
      let line = try Line(Self.gallery)
      try line.read { $0.contains("1/20") }
      // More frames than the kernel keeps for the terminal.
      for _ in 0..<300 { line.type("Gg") }
      let idle = line.processorTime
      if signal != 0 { kill(line.child.identifier, signal) } else { line.type(keys) }
      let (ending, time, used) = try line.end()
      #expect(ending == (signal == 0 ? .exited(0) : .signalled(signal)))
      #expect(time < .seconds(1), "it took \(time)")
      #expect(used - idle < .seconds(1))
    }
  }

  /// A kilobyte a second: the kernel keeps 64, and of the frames for 400 keys the others are not made.
  @Test func tortureATerminalThatReadsSlowly() throws {
    let line = try Line(Self.gallery)
    try line.read { $0.contains("1/20") }
    for _ in 0..<200 { line.type("Gg") }
    line.type("?")
    let all = try line.read(1024) { $0.contains("half a page") }
    print("slow terminal: \(all.utf8.count) bytes before the answer")
    let frames = all.components(separatedBy: "\u{1B}[?2026h").count - 1
    #expect(frames < 200, "\(frames) frames for 401 keys")
    line.type("qq")
    let (ending, time, _) = try line.end()
    #expect(ending == .exited(0))
    #expect(time < .seconds(1), "it took \(time)")
  }
}
