import Glibc
import Harness
import Testing

extension HarnessTests {
  @Suite struct ProcessTests {
    @Test func exitCodesAndSignalsAreReported() async throws {
      #expect(try await shell("exit 3").waitForExit() == .exited(3))
      let session = try TerminalSession("/bin/cat", size: standardSize, environment: environment)
      session.kill(SIGTERM)
      #expect(try await session.waitForExit() == .signalled(SIGTERM))
      #expect(session.exitStatus == .signalled(SIGTERM))
      session.kill(SIGTERM)
    }

    @Test func theLastOutputIsRead() async throws {
      for round in 0..<50 {
        let session = try shell("head -c 20000 /dev/zero | tr '\\0' x; printf 'last \(round)'")
        #expect(try await session.waitForExit() == .exited(0))
        #expect(String(decoding: session.output, as: UTF8.self).hasSuffix("last \(round)"))
        #expect(session.screen.contains("last \(round)"))
      }
    }

    @Test func failuresNameTheConditionAndShowTheScreen() async throws {
      let living = try display("something else")
      try await living.waitForText("else")
      let late = await #expect(throws: HarnessError.self) {
        try await living.wait(for: "the moon", timeout: .milliseconds(50)) { _ in false }
      }
      #expect(late?.kind == .timedOut)
      #expect(late?.description.contains("the moon") == true)
      #expect(late?.description.contains("│something else   ") == true)
      let ended = try shell("printf bye; exit 4")
      let early = #expect(throws: HarnessError.self) { try ended.wait(for: "more") { $0.contains("more") } }
      #expect(early?.kind == .programEnded)
      #expect(early?.description.contains("exited with code 4") == true)
      let missing = #expect(throws: HarnessError.self) {
        try TerminalSession("/proc/none", size: standardSize, environment: [:])
      }
      #expect(missing?.kind == .systemCall(ENOENT))
    }

    @Test func cancellingATaskEndsItsWait() async throws {
      let session = try display("here")
      let task = Task { try await session.waitForText("never") }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func jobControlStopsAndContinuesAProgram() async throws {
      let session = try TerminalSession(
        "/bin/bash", ["--norc", "--noprofile", "-i"], size: standardSize, environment: environment)
      try await session.waitForText("ready>")
      let shellAttributes = session.attributes
      session.type("less -R /etc/passwd\r")
      try await session.wait(for: "less") { $0.isAlternateScreen && $0.contains("root:") }
      #expect(session.foregroundProcessGroup != session.processID)
      session.press(.ctrl("z"))
      try await session.wait(for: "the shell") { $0.contains("Stopped") && !$0.isAlternateScreen }
      #expect(session.sessionProcessIDs.count == 2)
      session.type("fg\r")
      try await session.wait(for: "less again") { $0.isAlternateScreen && $0.contains("root:") }
      session.type("q")
      try await session.wait(for: "the prompt") { screen in
        !screen.isAlternateScreen && screen.lines[screen.cursor.row].hasPrefix("ready>")
      }
      #expect(session.attributes == shellAttributes)
      session.type("exit 5\r")
      #expect(try await session.waitForExit() == .exited(5))
    }

    @Test func closingKillsJobsInOtherGroups() async throws {
      let session = try TerminalSession(
        "/bin/bash", ["--norc", "--noprofile", "-i"], size: standardSize, environment: environment)
      session.type("(trap '' HUP TERM; exec cat /dev/zero >/dev/null) & cat\r")
      try await session.waitForOutput("a job") { String(decoding: $0, as: UTF8.self).contains("[1] ") }
      let processes = session.sessionProcessIDs
      #expect(processes.count >= 2)
      session.close()
      session.close()
      #expect(session.sessionProcessIDs.isEmpty)
      #expect(session.exitStatus == nil || session.exitStatus == .signalled(SIGKILL))
    }

    @Test func sessionsLeaveNoProcessBehind() async throws {
      let processes = try await withThrowingTaskGroup(of: Int32.self) { group in
        for number in 0..<20 {
          group.addTask {
            let session = try display("session \(number)|")
            defer { session.close() }
            try await session.waitForText("session \(number)|")
            if number % 3 == 0 { session.hangUp() }
            return session.processID
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(processes.count == 20)
      for process in processes { #expect(kill(process, 0) == -1 && errno == ESRCH) }
    }
  }
}
