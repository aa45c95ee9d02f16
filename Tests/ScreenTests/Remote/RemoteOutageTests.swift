import Foundation
import Harness
import TestLimit
import Testing

/// Connections to another machine that break, and what the user does meanwhile.
@Suite(.fewAtOnce, .limited) final class RemoteOutageTests: RemoteFixture {
  @Test func theListStaysAndADecisionIsMadeOnceWhenTheConnectionBreaks() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    try server.killServers()
    session.type("4")
    try await session.waitForTexts("a.jpg", "★★★★", "2/3")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>4<") == true }
    session.type("u")
    try waitForSidecar("a.jpg") { $0 == nil }
    try await session.waitForText("Undone")
  }

  /// The other machine gets it when it has undone the last step, and not before.
  @Test func aDecisionThatFollowsAnUndoComesAfterItWhenTheConnectionBreaks() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    try server.killServers()
    // The next photo is highlighted after a rating.
    session.type("3u4")
    try waitForSidecar("b.jpg") { $0?.contains("<xmp:Rating>4<") == true }
    #expect(sidecar("a.jpg") == nil)
    session.type("u")
    try waitForSidecar("b.jpg") { $0 == nil }
  }

  /// Each new connection breaks as soon as it is open, before any photo has come.
  @Test func thePhotosStayWhileNewConnectionsBreak() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    let attempts = server.home.appending(path: "attempts")
    // Two lines greet. The answer to the opening is the last piece of the first channel.
    try server.replaceProgram(
      by: """
        exec python3 -c 'import os, subprocess, sys
        server = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE)
        os.write(1, server.stdout.readline() + server.stdout.readline())
        head = b""
        while head[:5] != b"\\1\\0\\0\\0\\1":
          head = server.stdout.read(9)
          os.write(1, head + server.stdout.read(int.from_bytes(head[5:], "little")))
        server.kill()
        open(sys.argv[1], "a").write(".")
        ' '\(attempts.path)' '\(Program.path)' "$@"
        """)
    try server.killServers()
    try wait("two attempts") { (try? Data(contentsOf: attempts).count) ?? 0 >= 2 }
    session.type("4")
    try await session.waitForTexts("a.jpg", "★★★★", "451×300", "2/3")
  }

  /// Each refused attempt is followed by one other. The server counts them.
  @Test func aRefusedConnectionIsTriedAgainOnce() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    let attempts = server.home.appending(path: "attempts")
    try server.replaceProgram(
      by: "date +%s%N >> '\(attempts.path)'; printf '\\ntintype-serve 999 7.8.9\\n'; cat > /dev/null")
    try server.killServers()
    func times() -> [Int] {
      ((try? String(contentsOf: attempts, encoding: .utf8)) ?? "").split(separator: "\n").compactMap { Int($0) }
    }
    try wait("four attempts") { times().count >= 4 }
    // The pauses before them are 0.2, 1, 2 and 5 seconds. Attempts of two chains would follow each other sooner.
    #expect(times()[3] - times()[0] > 7_500_000_000)
  }

  /// What was decided while the machine could not be reached is sent there when the folder is opened again.
  @Test func aDecisionOutlastsTheSessionWithoutAConnection() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    try await disconnect(session)
    session.type("5q")
    _ = try await session.waitForExit()
    #expect(sidecar("a.jpg") == nil)
    try repairServer()
    let next = try await start()
    defer { next.close() }
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>5<") == true }
  }

  /// The undo waits for the machine, but what was decided after it is kept at once.
  @Test func aDecisionAfterAnUndoOutlastsACrashWithoutAConnection() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("3")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>3<") == true }
    try await session.waitForTexts("2/3", "3 stars on a.jpg")
    try await disconnect(session)
    session.type("u4")
    try wait("the decision in the journal") { try self.server.outgoing().count == 1 }
    session.kill(SIGKILL)
    _ = try await session.waitForExit()
    try repairServer()
    let next = try await start()
    defer { next.close() }
    try waitForSidecar("b.jpg") { $0?.contains("<xmp:Rating>4<") == true }
  }

  /// Another gallery of this machine sends the decision before the undo, whose own connection is broken.
  @Test func aDecisionAfterAnUndoStaysIfAnotherGallerySendsItFirst() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("3")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>3<") == true }
    try await session.waitForTexts("2/3", "3 stars on a.jpg")
    try await disconnect(session)
    session.type("uj")
    try await session.waitForText("3/3")
    session.type("4")
    try wait("the decision in the journal") { try self.server.outgoing().count == 1 }
    session.kill(SIGSTOP)
    try repairServer()
    let other = try await start()
    defer { other.close() }
    try waitForSidecar("c.jpg") { $0?.contains("<xmp:Rating>4<") == true }
    #expect(sidecar("a.jpg")?.contains("<xmp:Rating>3<") == true)
    session.kill(SIGCONT)
    try waitForSidecar("a.jpg") { $0 == nil }
    #expect(sidecar("c.jpg")?.contains("<xmp:Rating>4<") == true)
  }

  /// The connection breaks while the gallery waits for its answer.
  @Test func theGalleryEndsIfTheConnectionBreaksMeanwhile() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    try server.send(SIGSTOP, to: .server)
    session.type("5q")
    try await session.waitForOutput("the note") { $0.firstRange(of: Array("Saving your last changes".utf8)) != nil }
    try server.replaceProgram(by: "exit 1")
    try server.killServers()
    #expect(try await session.waitForExit() == .exited(0))
    #expect(try server.outgoing().count == 1)
  }

  /// Ends the connection, and has new ones fail.
  private func disconnect(_ session: TerminalSession) async throws {
    try server.replaceProgram(by: "exit 1")
    try server.killServers()
    try await session.waitForTexts("Reconnecting to nas", "a.jpg", "c.jpg")
  }

  private func repairServer() throws {
    try server.removeProgram()
    try FileManager.default.createSymbolicLink(
      atPath: server.home.appending(path: ".local/bin/tintype").path, withDestinationPath: Program.path)
  }
}
