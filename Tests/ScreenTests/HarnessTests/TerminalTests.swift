import Glibc
import Harness
import Testing

extension HarnessTests {
  @Suite struct TerminalTests {
    @Test func resizingSendsTheSignal() throws {
      let session = try shell(
        "trap 'printf \"[%s]\" \"$(stty size)\"' WINCH; stty size; while :; do read line; done",
        size: Size(columns: 50, rows: 10))
      try session.waitForText("10 50")
      session.resize(to: Size(columns: 33, rows: 7))
      let screen = try session.waitForText("[7 33]")
      #expect(screen.size == Size(columns: 33, rows: 7))
      #expect(screen.cells.count == 7 && screen.cells.allSatisfy { $0.count == 33 })
    }

    @Test func theEmulatorWorksAtEverySize() throws {
      let session = try display("世界 one two three\r\n\u{1B}[?1049h four five 世界")
      try session.waitForText("five")
      for step in 0..<200 {
        session.resize(to: Size(columns: 2 + step * 37 % 120, rows: 1 + step * 23 % 50))
        session.type("世x")
        #expect(session.screen.cells.count == session.screen.size.rows)
      }
      session.resize(to: standardSize)
      session.type("last")
      // How far the echo had come at each resize says where the text is, which may be at the end of a row.
      try session.wait(for: "the last word") { $0.text.split(separator: "\n").joined().contains("last") }
    }

    @Test func theKernelReportsTheSizeInPixels() throws {
      let session = try TerminalSession(
        "/usr/bin/python3",
        ["-c", "import fcntl,termios,struct;print(struct.unpack('4H',fcntl.ioctl(0,termios.TIOCGWINSZ,b' '*8)))"],
        size: Size(columns: 40, rows: 10), environment: environment, pixelsPerCell: (8, 16))
      try session.waitForText("(10, 40, 320, 160)")
    }

    @Test func attributesAreKnownAfterTheEndOfTheProgram() throws {
      let raw = try shell("stty raw -echo; printf set; read line; exit 0")
      try raw.waitForText("set")
      #expect(raw.attributes != raw.initialAttributes)
      #expect(!raw.attributes.echoes && !raw.attributes.isCanonical)
      raw.type("\n")
      raw.press(.ctrl("d"))
      raw.kill(SIGKILL)
      try raw.waitForExit()
      #expect(raw.attributes != raw.initialAttributes)

      let restored = try shell("saved=$(stty -g); stty raw -echo; stty \"$saved\"")
      #expect(try restored.waitForExit() == .exited(0))
      #expect(restored.attributes == restored.initialAttributes)
      #expect(restored.attributes.echoes && restored.attributes.makesSignals)
    }

    @Test func aHangUpEndsTheProgram() throws {
      let session = try TerminalSession("/bin/cat", size: standardSize, environment: environment)
      session.type("hello\n")
      try session.waitForText("hello")
      session.hangUp()
      #expect(try session.waitForExit() == .signalled(SIGHUP))
      #expect(session.attributes == session.initialAttributes)
      #expect(session.foregroundProcessGroup == nil)
    }

    @Test func aHangUpEndsAReadWithAnError() throws {
      let session = try shell("trap '' HUP; printf ready; read line || exit 7")
      try session.waitForText("ready")
      session.hangUp()
      #expect(try session.waitForExit() == .exited(7))
    }

    @Test func theProgramHasAControllingTerminalAndNoOtherDescriptor() throws {
      let session = try TerminalSession(
        "/bin/sh", ["-c", "tty; tty </dev/tty; ls /proc/self/fd | tr '\\n' ' '; pwd; env; printf end"],
        size: standardSize, environment: ["ONLY": "this"], workingDirectory: "/usr")
      #expect(try session.waitForExit() == .exited(0))
      let lines = session.screen.lines
      #expect(lines[0].hasPrefix("/dev/pts/"))
      #expect(lines[1] == "/dev/tty")
      // Descriptor 3 is the folder that ls reads.
      #expect(lines[2] == "0 1 2 3 /usr")
      #expect(session.screen.contains("ONLY=this") && !session.screen.contains("HOME="))
    }

    @Test func noSignalIsBlockedOrIgnored() throws {
      let handler = signal(SIGPIPE, SIG_IGN)
      defer { signal(SIGPIPE, handler) }
      let session = try shell("grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status; printf end")
      let screen = try session.waitForText("end")
      #expect(screen.lines[0].hasPrefix("SigBlk:") && screen.lines[0].hasSuffix("0000000000000000"))
      #expect(screen.lines[1].hasPrefix("SigIgn:") && screen.lines[1].hasSuffix("0000000000000000"))
    }
  }
}
