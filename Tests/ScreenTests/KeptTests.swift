import Foundation
import GRDB
import Harness
import TestLimit
import Testing
import Torture

/// Changes that the screen shows as done are stored. If they can't be, the gallery says so once and goes on.
@Suite(.fewAtOnce, .limited) struct KeptTests {
  @Test func theFileOfANewerVersionIsLeftUnchanged() async throws {
    let home = try Home()
    let first = try home.enter("wall", columns: 120, rows: 36)
    defer { first.close() }
    try await first.waitForText("1/32")
    try await first.follow(hugo, by: "jjj")
    first.kill(SIGKILL)
    _ = try await first.waitForExit()
    let file = home.state.appending(path: "state.sqlite")
    let queue = try DatabaseQueue(path: file.path)
    try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')") }
    try queue.close()
    let newer = try Data(contentsOf: file)
    let second = try home.enter("wall", columns: 120, rows: 36)
    defer { second.close() }
    try await second.expectOneAlert([
      "Follows, basket, searches and marks will not be kept", "newer version of Tintype wrote it; use that version",
    ])
    try await second.expectToGoOn()
    #expect(try Data(contentsOf: file) == newer)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.state.path) == ["state.sqlite"])
  }

  /// The file is as a program leaves it that is killed in the middle of its migration.
  @Test func aKilledMigrationLosesNothing() async throws {
    let home = try Home()
    let first = try home.enter("wall", columns: 120, rows: 36)
    defer { first.close() }
    try await first.waitForText("1/32")
    try await first.follow(hugo, by: "jjj")
    first.type("q")
    #expect(try await first.waitForExit() == .exited(0))
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = home.state.path as String] in
      try DatabaseQueue(path: path + "/state.sqlite").inDatabase { db in
        try db.execute(sql: "PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM follow; CREATE TABLE later (a, b)")
        for row in 1...3000 { try db.execute(sql: "INSERT INTO later VALUES (?, 'x')", arguments: [row]) }
        try #require(FileManager.default.fileExists(atPath: path + "/state.sqlite-journal"))
        kill(getpid(), SIGKILL)
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: home.state.path).sorted()
    try #require(names == ["state.sqlite", "state.sqlite-journal"])
    let second = try home.enter("wall", columns: 120, rows: 36)
    defer { second.close() }
    let wall = try await second.wait(for: "the button") { $0.followButton(of: hugo) == "✓ Following" }
    #expect(wall.alert.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.state.path) == ["state.sqlite"])
  }

  /// The terminal is the shell's while the last changes are saved, whatever `fg` and keys say.
  @Test func theTerminalStaysGivenBackWhileChangesAreSaved() async throws {
    let home = try Home()
    let session = try home.enter("photos", columns: 120, rows: 36)
    defer { session.close() }
    try await session.waitForTexts("1/36", "by Luca Zanon")
    let queue = try await lockedState(of: home)
    session.type(" q")
    try await session.waitForText("Saving your last changes…")
    session.type("j")
    session.kill(SIGCONT)
    try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(try await session.waitForExit() == .exited(0))
    try await session.expectGivenBack()
    #expect(session.output.ranges(of: Array("\u{1B}[?1049h".utf8)).count == 1)
  }

  /// The program doesn't end before a search that the user has just saved is on the disk.
  @Test func aSearchThatIsBeingSavedIsKept() async throws {
    let home = try Home()
    let session = try home.enter("photos", columns: 120, rows: 36)
    defer { session.close() }
    try await session.waitForTexts("1/36", "by Luca Zanon")
    session.type("/name:matador\r'")
    try await session.waitForText("Press Ctrl-s to save the current one.")
    let queue = try await lockedState(of: home)
    session.type("\u{13}")
    try await session.waitForText("─ Save search ─")
    // The first q leaves the search.
    session.type("Rocks\rqq")
    try await session.waitForText("Saving your last changes…")
    try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(try await session.waitForExit() == .exited(0))
    #expect(try await queue.read { try String.fetchAll($0, sql: "SELECT name FROM search") } == ["Rocks"])
  }

  /// Returns the database of the state after it has been locked, so that the program waits with its changes.
  private func lockedState(of home: Home) async throws -> DatabaseQueue {
    var configuration = Configuration()
    (configuration.busyMode, configuration.allowsUnsafeTransactions) = (.timeout(20), true)
    // The program opens the file after its first frame, which may be later.
    try FileManager.default.createDirectory(at: home.state, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(
      path: home.state.appending(path: "state.sqlite").path, configuration: configuration)
    try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    return queue
  }

  /// An entry stays in the guestbook even if the clock was wrong when it was signed.
  @Test func aClockThatJumpsLosesNothing() async throws {
    let home = try Home()
    // The last second of 9999, the first of year 0, and the present time.
    for (number, seconds) in [253_402_300_799.0, -62_167_219_200, nil].enumerated() {
      let session = try home.enter("guestbook", columns: 120, rows: 36)
      defer { session.close() }
      try await session.waitForText("Name ")
      session.type("Visitor \(number)\r")
      let screen = try await session.waitForTexts(
        "Hello Visitor \(number)!", number == 0 ? "1 entry" : "\(number + 1) entries")
      #expect(screen.alert.isEmpty)
      session.kill(SIGKILL)
      _ = try await session.waitForExit()
      guard let seconds else { continue }
      let queue = try DatabaseQueue(path: home.data.appending(path: "guestbook.sqlite").path)
      try await queue.write {
        try $0.execute(
          sql: "UPDATE entry SET signedAt = ? WHERE name = ?", arguments: [seconds, "Visitor \(number)"])
      }
      try queue.close()
    }
    let last = try home.enter("guestbook", columns: 120, rows: 36)
    defer { last.close() }
    let screen = try await last.waitForTexts("3 entries", "Signed by")
    let names = screen.lines.compactMap { $0.firstMatch(of: #/^ +(Visitor \d) /#) }
    #expect(names.map { String($0.1) } == ["Visitor 0", "Visitor 2", "Visitor 1"])
    let years = screen.lines.compactMap { $0.firstMatch(of: #/day, (\d{4})-/#) }
    #expect(years.first?.1 == "9999" && years.last?.1 == "0000")
  }
}

/// Storing on disks that the tests make.
@Suite(
  .fewAtOnce, .enabled(if: TestFileSystem.canBeMade, "NOT RUN: only root can make a full and a read-only disk"),
  .limited)
struct KeptOnDiskTests {
  /// Starts the program with all of its folders in a home on the disk.
  private func enter(_ disk: TestFileSystem, room: String = "wall") throws -> TerminalSession {
    try Program.start(
      "--delay", "0", "--room", room, columns: 120, rows: 36, changes: ["HOME": disk.folder])
  }

  private static let both = [
    "Follows, basket, searches and marks will not be kept", "Guestbook entries will not be kept",
  ]

  @Test func aFullDiskIsReportedOnce() async throws {
    let disk = try #require(TestFileSystem(size: 1024))
    disk.fill()
    let session = try enter(disk)
    defer { session.close() }
    try await session.expectOneAlert(Self.both, "the disk is full; free some space")
    try await session.expectToGoOn()
  }

  @Test func aDiskThatFillsUpLosesOnlyChangesThatAreNotShownAsDone() async throws {
    let disk = try #require(TestFileSystem(size: 1024))
    let first = try enter(disk)
    defer { first.close() }
    try await first.waitForText("1/32")
    try await first.follow(hugo, by: "jjj")
    // The guestbook is opened on its own, perhaps after the wall. It also needs room on the disk.
    try waitForFiles(in: URL(filePath: disk.folder), "the guestbook's table") {
      let guestbook = try? DatabaseQueue(
        path: disk.folder + "/.local/share/tintype/guestbook.sqlite", configuration: .readOnly)
      return (try? guestbook?.read { try $0.tableExists("entry") }) == true
    }
    disk.fill()
    first.type("ggjjjjjf")
    try await first.expectOneAlert(["Can't save to", "the disk is full; free some space."])
    try await first.wait(for: "what is so") {
      $0.followButton(of: hugo) == "✓ Following" && $0.followButton(of: edda) == "+ Follow"
    }
    disk.makeRoom()
    try await first.follow(edda, by: "jjjjj")
    first.kill(SIGKILL)
    _ = try await first.waitForExit()
    let second = try enter(disk)
    defer { second.close() }
    try await second.wait(for: "both") {
      $0.followButton(of: hugo) == "✓ Following" && $0.followButton(of: edda) == "✓ Following"
    }
  }

  @Test func aReadOnlyHomeIsLeftUnchanged() async throws {
    let disk = try #require(TestFileSystem(size: 1024))
    let first = try enter(disk)
    defer { first.close() }
    try await first.waitForText("1/32")
    try await first.follow(edda, by: "jjjjj")
    first.type("gb")
    try await first.waitForText("Name ")
    first.type("Ada\r")
    try await first.waitForText("Hello Ada!")
    first.type("\tq")
    #expect(try await first.waitForExit() == .exited(0))
    #expect(disk.becomeReadOnly())
    let second = try enter(disk)
    defer { second.close() }
    try await second.expectOneAlert(Self.both, "it is read-only; make it and its folder writable")
    try await second.expectToGoOn()
    let state = try DatabaseQueue(path: disk.folder + "/.local/state/tintype/state.sqlite", configuration: .readOnly)
    #expect(try await state.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM follow") } == 1)
  }
}

private let (hugo, edda) = ("Hugo Vesper", "Edda Quill")

extension Configuration {
  fileprivate static var readOnly: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    return configuration
  }
}

extension Screen {
  /// The text of the alert on one line; empty if there is no alert.
  var alert: String {
    guard let corner = position(of: "╭─ ") else { return "" }
    let rows = cells[(corner.row + 1)...].prefix { $0[corner.column].text == "│" }
    let texts = rows.map { row in row[(corner.column + 1)...].prefix { $0.text != "│" }.map(\.text).joined() }
    return texts.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }
}

extension TerminalSession {
  fileprivate func follow(_ member: String, by keys: String) async throws {
    // An alert may be there before the wall.
    try await waitForText("/32")
    type("gg\(keys)f")
    try await wait(for: "the button of \(member)") { $0.followButton(of: member) == "✓ Following" }
  }

  /// Waits for an alert that has each of the texts once and `reason` once for each of them, and closes it.
  fileprivate func expectOneAlert(_ texts: [String], _ reason: String? = nil) async throws {
    try await wait(for: "an alert of \(texts)") { screen in
      let said = screen.alert
      return texts.allSatisfy { said.components(separatedBy: $0).count == 2 }
        && reason.map { said.components(separatedBy: $0).count == texts.count + 1 } ?? true
    }
    type("\r")
    try await wait(for: "no alert") { $0.alert.isEmpty }
  }

  /// Makes a change in every room, and expects to see each of them and no further alert.
  fileprivate func expectToGoOn() async throws {
    try await follow(hugo, by: "jjj")
    type("gr")
    try await waitForText("1/12+")
    type("b")
    try await waitForText("1 print, 24.00 EUR")
    type("gb")
    try await waitForText("Name ")
    type("Bea\r")
    try await waitForTexts("Hello Bea!", "1 entry")
    type("\tgw")
    let wall = try await wait(for: "the wall") { $0.followButton(of: hugo) == "✓ Following" }
    #expect(wall.alert.isEmpty)
    type("q")
    #expect(try await waitForExit() == .exited(0))
  }
}
