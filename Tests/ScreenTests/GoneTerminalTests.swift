import CVTerm
import Foundation
import TestLimit
import Testing

@testable import Harness

/// The program ends soon and without much work when its terminal is closed or is not read.
@Suite(.fewAtOnceAndFirst, .serialized, .limited) struct GoneTerminalTests {
  /// A program on a terminal whose output stays unread until the test reads it.
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

    /// Reads pieces of at most `size` bytes, with a pause of `pace` after each, until `condition` holds for the end of
    /// what was read.
    /// - Returns: Everything that was read.
    @discardableResult
    func read(_ size: Int = 65536, every pace: Duration = .zero, until condition: (String) -> Bool) throws -> String {
      var output: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: size)
      while !condition(String(decoding: output.suffix(100_000), as: UTF8.self)) {
        var ready = pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0)
        try #require(poll(&ready, 1, 20_000) > 0, "nothing comes any more")
        let count = Foundation.read(terminal.master, &bytes, bytes.count)
        try #require(count > 0)
        output += bytes[..<count]
        if pace > .zero { try #require(!hasEnded(within: pace), "it has ended") }
      }
      return String(decoding: output, as: UTF8.self)
    }

    /// The processor time that the program has used so far.
    var processorTime: Duration {
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(child.identifier, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .zero }
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Waits until the program has ended, at most for `time`, and returns whether it has.
    private func hasEnded(within time: Duration) -> Bool {
      let descriptor = cvterm_pidfd_open(child.identifier)
      defer { close(descriptor) }
      var ended = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&ended, 1, Int32(time / .milliseconds(1))) > 0
    }

    /// Reads a piece of at most `size` bytes each `pace` until the program has ended, then everything that is left.
    /// - Returns: The exit status, the bytes read before the end, and those read after it.
    func end(reading size: Int, every pace: Duration) throws -> (Harness.ExitStatus, [UInt8], [UInt8]) {
      let start = ContinuousClock.now
      var before: [UInt8] = []
      while !hasEnded(within: pace) {
        try #require(ContinuousClock.now - start < .seconds(60), "it does not end")
        before += piece(size)
      }
      var behind: [UInt8] = []
      while case let rest = piece(65536), !rest.isEmpty { behind += rest }
      return (try end().0, before, behind)
    }

    /// Types keys whose frames don't fit into the kernel's buffer. Pauses let the program handle each key by itself.
    func typeUnread() throws {
      for number in 0..<100 {
        type(number % 2 == 0 ? "G" : "gg")
        try #require(!hasEnded(within: .milliseconds(5)), "it has ended")
      }
    }

    /// Reads at most `size` bytes, and expects that the program does not end within `time`.
    func readPiece(_ size: Int, within time: Duration) throws {
      _ = piece(size)
      try #require(!hasEnded(within: time), "it has ended")
    }

    private func piece(_ size: Int) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = max(0, Foundation.read(terminal.master, buffer.baseAddress, size))
      }
    }

    /// Waits until the program has ended.
    /// - Returns: The exit status, the duration of the wait, and the processor time that the program has used in all.
    func end() throws -> (Harness.ExitStatus, Duration, Duration) {
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
      return (Harness.ExitStatus(waitStatus: status), time, used[0] + used[1])
    }
  }

  private static let gallery = "exec \"$0\" --delay 0 --pictures none"

  /// Returns whether one of three programs ends within a time. A program that waits for something does so each time, but a
  /// busy machine may delay any one of them. The times are long: what a program waits for in error never comes here, or
  /// comes much later.
  private func isSoon(_ limit: Duration, _ run: () throws -> Duration) rethrows -> Bool {
    for _ in 1...3 where try run() < limit { return true }
    return false
  }

  @Test(arguments: ["", "trap '' HUP;"])
  func theProgramEndsSoonWhenItsTerminalIsClosed(trap: String) throws {
    for keys in ["", "jjj", "v", "?", "/a"] {
      let isSoon = try isSoon(.seconds(10)) {
        let line = try Line("\(trap) \(Self.gallery)")
        try line.read { $0.contains("1/36") && $0.contains("\u{1B}[?2026l") }
        line.type(keys)
        let before = line.processorTime
        line.terminal.close()
        let (status, time, used) = try line.end()
        #expect(status == (trap.isEmpty ? .signalled(SIGHUP) : .exited(1)))
        // A program that spins does so until something ends it. Its last work takes up to 0.3 s on a busy machine.
        #expect(used - before < .seconds(1))
        return time
      }
      #expect(isSoon)
    }
  }

  @Test func theGalleryWorksWithoutAStandardInput() throws {
    // Keys come from the terminal, not from the standard input.
    let line = try Line("\(Self.gallery) <&- 2>&-")
    try line.read { $0.contains("1/36") }
    // Without a substitute, the next file that the program opens would get the descriptor of the standard error, and
    // messages would be written to it.
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
    ("exec \"$0\" > /dev/full", Harness.ExitStatus.exited(1)), ("exec \"$0\" show \"$0\" > /dev/full", .exited(1)),
    ("exec \"$0\" doctor > /dev/full", .exited(1)), ("exec \"$0\" - < /dev/null > /dev/full", .exited(1)),
    ("exec \"$0\" --help > /dev/full", .exited(0)),
    ("\"$0\" catalog \"${0%/*}/tintype_Resources.resources\" > /dev/full", .exited(1)),
  ])
  func aFullOutputEndsTheProgram(script: String, status: Harness.ExitStatus) throws {
    let isSoon = try isSoon(.seconds(5)) {
      let line = try Line("XDG_CACHE_HOME=/proc/none; export XDG_CACHE_HOME; \(script)")
      let (ending, time, _) = try line.end()
      #expect(ending == status)
      return time
    }
    #expect(isSoon)
  }

  @Test func aPipeWithoutAReaderEndsShow() throws {
    let isSoon = try isSoon(.seconds(5)) {
      let line = try Line(
        "for i in 1 2 3; do \"$0\" show \"${0%/*}/tintype_Resources.resources/photos/gull.jpg\" | true; done; exit 3")
      let (ending, time, _) = try line.end()
      #expect(ending == .exited(3))
      return time
    }
    #expect(isSoon)
  }

  @Test func anUnreadTerminalDoesNotDelayTheEnd() throws {
    for (signal, keys) in [(SIGTERM, ""), (0, "q")] {
      let isSoon = try isSoon(.seconds(10)) {
        let line = try Line(Self.gallery)
        try line.read { $0.contains("1/36") }
        try line.typeUnread()
        let idle = line.processorTime
        if signal != 0 { kill(line.child.identifier, signal) } else { line.type(keys) }
        let (ending, time, used) = try line.end()
        #expect(ending == (signal == 0 ? .exited(0) : .signalled(signal)))
        #expect(used - idle < .seconds(1))
        return time
      }
      #expect(isSoon)
    }
  }

  /// The long form reads a kilobyte per second. Most of the frames for 200 keys are skipped, and images are broken off.
  @Test(arguments: SlowForm.allCases) func tortureASlowTerminalGetsFewFrames(form: SlowForm) throws {
    let line = try Line(form.gallery, answers: form.answers)
    try line.read { $0.contains("1/36") }
    // The program handles each key by itself, and the test reads much less than it writes.
    for number in 0..<200 {
      line.type(number % 2 == 0 ? "G" : "gg")
      try line.readPiece(16, within: .milliseconds(5))
    }
    line.type("?")
    let all = try line.read(1024, every: .milliseconds(isTorture ? 1000 : 50)) { $0.contains("contact sheet") }
    print("slow terminal, \(form): \(all.utf8.count) bytes before the answer")
    #expect(all.utf8.count <= 64 << 10)
  }

  /// The program does not wait until the terminal has read everything.
  @Test(arguments: SlowForm.allCases) func aSlowTerminalDoesNotDelayTheEnd(form: SlowForm) throws {
    // A piece is read each second. All that is unsent would take more than a minute.
    let isSoon = try isSoon(.seconds(10)) {
      let line = try Line(form.gallery, answers: form.answers)
      try line.read { $0.contains("1/36") }
      try line.typeUnread()
      line.type("q")
      let (ending, before, behind) = try line.end(reading: 128, every: .seconds(1))
      let all = before + behind
      #expect(ending == .exited(0))
      #expect(all.count <= 32 << 10)
      #expect(String(decoding: all.suffix(100), as: UTF8.self).contains("\u{1B}[?1049l"))
      return .seconds(before.count / 128)
    }
    #expect(isSoon)
  }
}

/// The output format on a terminal that reads slowly.
enum SlowForm: String, CaseIterable {
  case none, placeholders, placed, sixel

  var gallery: String {
    "exec \"$0\" --delay 0 --pictures \(self == .none || self == .sixel ? rawValue : "kitty")"
  }

  var answers: String {
    let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;9t\u{1B}[?62;c\u{1B}[?62;c"
    return switch self {
    case .none, .sixel: "\u{1B}[6;20;9t\u{1B}[?62;4;22c"
    case .placeholders: "\u{1B}P>|kitty(0.41.1)\u{1B}\\" + kitty
    case .placed: "\u{1B}P>|kitty(0.26.5)\u{1B}\\" + kitty
    }
  }
}
