import Foundation
import GRDB
import Harness
import TestLimit
import Testing
import Torture

/// A copy of the program that is stopped, and what others can do meanwhile.
@Suite(.fewAtOnce, .limited) struct StoppedCopyTests {
  private let moment = Moment.inFolder("a stop")

  /// Ctrl-Z stops the program when it has no database and no folder locked, in the middle of whatever it writes.
  @Test func ctrlZLeavesNothingLockedTorture() async throws {
    let home = try moment.makeHome()
    let session = try await TerminalSession.shell()
    defer { session.close() }
    for (name, value) in Program.changes(home: home) {
      if let value { session.type("export \(name)=\(value.shellWord)\n") }
    }
    let photos = home.appending(path: "photos")
    session.type("\(Program.path.shellWord) --pictures none \(photos.path.shellWord)\n")
    try await session.waitForText("451×300")
    var random = SplitMix(seed: 1)
    for round in 0..<Torture.rounds(20, long: 300) {
      session.type((0..<3).map { _ in "gg\(Int.random(in: 1...5, using: &random))" }.joined())
      // The amount of output chooses a random moment.
      let bytes = session.output.count + Int.random(in: 0...1500, using: &random)
      _ = try? await session.waitForOutput("\(bytes) bytes", timeout: .milliseconds(200)) { $0.count >= bytes }
      session.type("\u{1A}")
      try await session.waitForPrompt(isAnywhere: true)
      for store in ["STATE", "CACHE"] {
        let folder = home.appending(path: "\(store)/tintype")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".sqlite") {
          #expect(Self.isFree(folder.appending(path: name)), "round \(round): \(name)")
        }
      }
      let descriptor = open(photos.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0, "round \(round): the photos")
      close(descriptor)
      session.type("fg\n")
      try await session.wait(for: "the gallery, round \(round)") { $0.isAlternateScreen && $0.contains("451×300") }
    }
    session.type("q")
    try await session.waitForPrompt(isAnywhere: true)
  }

  /// Whether another program may write a database at once.
  private static func isFree(_ file: URL) -> Bool {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    configuration.allowsUnsafeTransactions = true
    let queue = try? DatabaseQueue(path: file.path, configuration: configuration)
    return (try? queue?.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE; ROLLBACK") }) != nil
  }

  /// SIGSTOP can't be handled, so that a copy may be stopped while it has a database locked. Others say so, and go on.
  @Test func aLockThatStaysIsReportedAndDelaysNoKey() async throws {
    let home = try moment.makeHome()
    let session = try await moment.enter(home: home)
    defer { session.close() }
    let sidecar = home.appending(path: "photos/chelsea.jpg.xmp")
    func wait(for rating: Int) throws {
      try waitForFiles(in: home.appending(path: "photos"), "\(rating) stars") {
        (try? String(contentsOf: sidecar, encoding: .utf8))?.contains("<xmp:Rating>\(rating)<") == true
      }
    }
    try await session.waitForText("451×300")
    session.type("3")
    try wait(for: 3)
    var configuration = Configuration()
    configuration.busyMode = .timeout(20)
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(
      path: home.appending(path: "STATE/tintype/journal.sqlite").path, configuration: configuration)
    // The sidecar is there before the journal says so, and a lock in between would be in the way of the first rating.
    try waitForFiles(in: home.appending(path: "STATE/tintype"), "nothing that waits") {
      try queue.writeWithoutTransaction {
        try $0.execute(sql: "BEGIN EXCLUSIVE")
        if try Int.fetchOne($0, sql: "SELECT count(*) FROM part WHERE isWaiting") == 0 { return true }
        try $0.execute(sql: "ROLLBACK")
        return false
      }
    }
    session.type("gg5")
    try await session.waitForText("Saving 1 change")
    session.type("?")
    try await session.waitForText("─ Commands")
    session.type("\u{1B}[27u")
    try await session.wait(for: "the reason") { $0.alert.contains("journal.sqlite: another program is using it") }
    try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    session.type("\r")
    try await session.wait(for: "what is so") { $0.alert.isEmpty && $0.contains("★★★") && !$0.contains("★★★★") }
    session.type("gg4")
    try wait(for: 4)
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// A copy that is stopped in the middle of a long step delays no other one, which says so if it is to undo that step.
  @Test func aStepOfAStoppedCopyIsLeftToIt() async throws {
    let home = try moment.makeHome()
    let photos = home.appending(path: "photos")
    let image = try Data(contentsOf: photos.appending(path: "chelsea.jpg")).prefix(100)
    for number in 0..<800 { try image.write(to: photos.appending(path: "p\(number).jpg")) }
    let changes = Program.changes(home: home)
    let first = try Program.start(photos.path, changes: changes)
    defer { first.close() }
    try await first.waitForText("803 photos")
    first.type("*Y")
    try await first.waitForText("Copy 803 photos to")
    first.type("../copies\r")
    try await first.waitForText("Copy nothing")
    first.type("y")
    let copies = home.appending(path: "copies")
    try waitForFiles(in: home, "the first copies") { FileManager.default.fileExists(atPath: copies.path) }
    first.kill(SIGSTOP)
    func count() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: copies.path).count) ?? 0 }
    #expect(count() < 803)
    let second = try Program.start(photos.path, changes: changes)
    defer { second.close() }
    try await second.waitForText("803 photos")
    // The copy of the photo takes its sidecar along, so the rating waits. It is kept.
    second.type("4")
    try await second.waitForText("★★★★")
    second.type("u")
    try await second.waitForText("Undone: 4 stars")
    second.type("u")
    try await second.wait(for: "the reason") {
      $0.alert.contains("Another Tintype is still at work on “Copy 803 photos")
    }
    second.type("\r")
    // What the stopped copy leaves is done by the other one.
    first.kill(SIGKILL)
    try waitForFiles(in: home, "all copies") { count() == 803 }
    second.type("u")
    try await second.waitForText("Undone: Copy 803 photos to copies")
    #expect(count() == 0)
  }
}
