import Foundation
import Harness
import TestLimit
import Testing
import Torture

/// Stops, changes of the window, and the end of the terminal, at every moment.
@Suite(.fewAtOnceAndFirst, .serialized, .limited) struct TroubleTests {
  /// Esc as a sequence that can't be the beginning of another one.
  private static let escape = "\u{1B}[27u"

  /// The program and its workers end with the terminal, and leave no process.
  @Test(arguments: Moment.all) func aTerminalThatVanishesEndsTheProgram(moment: Moment) async throws {
    let session = try await moment.enter()
    defer { session.close() }
    let processes = session.sessionProcessIDs
    session.hangUp()
    #expect(try await session.waitForExit() == .signalled(SIGHUP))
    try expectEnd(of: processes, moment.name)
  }

  /// A process that has ended is no longer in the session, or waits for whoever started it.
  private func expectEnd(of processes: [Int32], _ name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try waitForFiles(in: folder, "the end of the workers: \(name)") { processes.allSatisfy { !Self.lives($0) } }
  }

  private static func lives(_ process: Int32) -> Bool {
    let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    let state = stat.split(separator: ") ").last?.first
    return state != nil && state != "Z" && state != "X"
  }

  /// Stops that can't be handled, with a window that changes meanwhile. The last frame is right, and keys are answered.
  @Test(arguments: Moment.all) func aStormOfStopsAndSizesChangesNothingTorture(moment: Moment) async throws {
    let session = try await moment.enter()
    defer { session.close() }
    var random = SplitMix(seed: moment.name.utf8.count)
    for _ in 0..<Torture.rounds(20, long: 200) {
      session.kill(SIGSTOP)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        session.resize(
          to: Size(columns: .random(in: 2...200, using: &random), rows: .random(in: 1...60, using: &random)))
      }
      for signal in [SIGCONT, SIGWINCH, SIGCONT] { session.kill(signal) }
    }
    session.resize(to: Moment.size)
    if let text = moment.shownText { try await session.waitForText(text) }
    try await expectQuit(session)
  }

  /// Returns to the room and quits. A step that is under way asks first.
  private func expectQuit(_ session: TerminalSession) async throws {
    // Without photos, an alert may come again.
    try await session.waitForOutput("a frame") { $0.firstRange(of: Array("\u{1B}[?2026l".utf8)) != nil }
    for _ in 0..<20 {
      session.type(String(repeating: Self.escape, count: 4) + "q")
      if let status = try? await session.waitForExit(timeout: .seconds(2)) {
        #expect(status == .exited(0))
        return try await session.expectGivenBack()
      }
      if session.screen.contains("Quit before the step is done?") { session.type("y") }
    }
    Issue.record("The program does not end: \(session.screen.lines)")
  }

  /// The gallery waits for no worker. Those that are stopped can't notice its end, but end with it.
  @Test(arguments: ["none of them", "v", "c", "*C", "Q", "vp"]) func stoppedWorkersDelayNothing(keys: String)
    async throws
  {
    let moment = Moment.inFolder(
      "stopped workers", of: ["film.mp4", "chelsea.jpg", "coffee.jpg"], pictures: "symbols")
    let session = try await moment.enter()
    defer { session.close() }
    try await session.waitForTexts("chelsea", "451×300")
    let processes = session.sessionProcessIDs
    let workers = processes.filter { $0 != session.processID }
    #expect(!workers.isEmpty)
    for worker in workers { kill(worker, SIGSTOP) }
    if keys.count < 3 { session.type(keys) }
    session.type("?")
    try await session.waitForText("─ Commands")
    // A cull may open later than the commands, and is closed before them.
    session.type(String(repeating: Self.escape, count: 3))
    try await session.wait(for: "the commands to close") { !$0.contains("─ Commands") }
    try await expectQuit(session)
    try expectEnd(of: processes, keys)
  }

  /// What is pasted is a text, wherever it goes: no part of it is a command. It takes little memory.
  @Test(arguments: ["", "/", "T", "*K", "I", "Q", "v", "gk", "*C"])
  func aLargePasteIsNoCommandTorture(keys: String) async throws {
    let moment = Moment.inFolder("a paste")
    let home = try moment.makeHome()
    let photos = home.appending(path: "photos").path
    let session = try await moment.enter(home: home)
    defer { session.close() }
    try await session.waitForText("451×300")
    session.type(keys + "\u{0C}")
    try await session.waitForOutput("the layer of “\(keys)”") { $0.firstRange(of: Array("\u{1B}[2J".utf8)) != nil }
    let before = try ProcessFigures(of: session.processID)
    // As keys, these would rate, reject, trash and quit.
    let text = String(repeating: "1 2 X D y\rd y\r3\t\u{301}漢q\n", count: Torture.rounds(1 << 12, long: 1 << 16))
    session.paste(text)
    session.type(String(repeating: Self.escape, count: 4) + "?")
    try await session.waitForText("─ Commands")
    let after = try ProcessFigures(of: session.processID)
    #expect(after.memory - before.memory < 16 << 10, "\(before), then \(after)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: photos).sorted() == moment.photos)
    session.type(Self.escape)
    try await expectQuit(session)
  }

  /// Without brackets, what is pasted is keys. The program carries them out and goes on.
  @Test(arguments: [("", "jk"), ("/", "dune "), ("T", "text "), ("v", "np"), ("", "\u{1B}[A\u{1B}[B"), ("", "漢é")])
  func manyKeysAtOnceAreCarriedOutTorture(keys: String, typed: String) async throws {
    let session = try await Moment.inFolder("keys").enter()
    defer { session.close() }
    try await session.waitForText("451×300")
    session.type(keys)
    let before = try ProcessFigures(of: session.processID)
    session.type(String(repeating: typed, count: Torture.rounds(1 << 11, long: 1 << 13)))
    session.type(String(repeating: Self.escape, count: 4) + "?")
    try await session.waitForText("─ Commands", timeout: .seconds(300))
    let after = try ProcessFigures(of: session.processID)
    #expect(after.memory - before.memory < 16 << 10, "\(before), then \(after)")
    session.type(Self.escape)
    try await expectQuit(session)
  }

  /// While the terminal does not read, decisions reach the disk and nothing piles up. Then it shows the last frame.
  @Test(arguments: ["none", "symbols"]) func aStalledTerminalDelaysNoDecisionTorture(pictures: String) async throws {
    let moment = Moment.inFolder("a stall", ("Q", "1 of 3"), pictures: pictures)
    let home = try moment.makeHome()
    let session = try await moment.enter(home: home)
    defer { session.close() }
    let before = try ProcessFigures(of: session.processID)
    session.pauseReading()
    for round in 0..<Torture.rounds(20, long: 2000) {
      // Each frame is larger than the buffer of the kernel.
      session.tell(Size(columns: 100 + round % 50, rows: 30))
      session.type("?\(Self.escape)")
    }
    session.type("24")
    let photos = home.appending(path: "photos")
    try waitForFiles(in: photos, "both sidecars") {
      ["chelsea.jpg.xmp": 2, "coffee.jpg.xmp": 4].allSatisfy { name, rating in
        (try? String(contentsOf: photos.appending(path: name), encoding: .utf8))?.contains("<xmp:Rating>\(rating)<")
          == true
      }
    }
    let after = try ProcessFigures(of: session.processID)
    #expect(after.memory - before.memory < 16 << 10 && after.threads <= before.threads + 2, "\(before), then \(after)")
    session.resumeReading()
    session.resize(to: Moment.size)
    try await session.waitForText("3 of 3 · 2 picked · 0 rejected")
    try await expectQuit(session)
  }
}
