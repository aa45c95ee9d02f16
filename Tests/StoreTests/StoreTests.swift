import Foundation
import GRDB
import Gallery
import Synchronization
import TestLimit
import Testing
import Torture

@testable import Store

private let lost = "Follows, basket, searches and marks"

@Suite(.limited) final class StoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private let problems = Problems()
  private var path: String { folder + "/state.sqlite" }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func makeStore() -> StateStore {
    StateStore(folder: folder, onProblem: problems.add)
  }

  @Test func changesAreThereAfterReopening() async throws {
    let store = makeStore()
    try await store.setFollowing(true, member: 1)
    try await store.setFollowing(true, member: 2)
    try await store.setFollowing(true, member: 2)
    try await store.setFollowing(false, member: 1)
    try await store.setVisitor("Ada")
    try await store.setVisitor("Bea")
    _ = try await store.put(print(7, left: 3))
    let next = makeStore()
    #expect(try await next.followed() == [2])
    #expect(try await next.visitor() == "Bea")
    #expect(try await next.basket() == Basket(lines: [line(7, quantity: 1)]))
    #expect(problems.all == [])
  }

  /// SQLite accepts any value in any column, and its integrity check does not examine values.
  @Test(arguments: [
    "UPDATE basket SET quantity = 'abc'", "UPDATE basket SET quantity = 9000000000000000000",
    "UPDATE basket SET title = x'ff00'", "UPDATE basket SET minorUnits = 1.5e300",
    "INSERT INTO search VALUES ('a', x'ff00')", "INSERT INTO marks VALUES (1, x'00', 'a', 1)",
    "INSERT INTO marks VALUES (1, x'00', x'00', 'a')",
    // SQLite sees a table of another kind.
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'PRIMARY', 'PRIMARX') WHERE name = 'visitor'",
  ])
  func invalidValuesCountAsDamage(sql: String) async throws {
    _ = try await makeStore().put(print(7, left: 3))
    let queue = try DatabaseQueue(path: path)
    try await queue.write { try $0.execute(sql: sql) }
    try queue.close()
    try await expectSetAside(Data(contentsOf: URL(filePath: path)))
  }

  @Test(arguments: ["'abc'", "1e300", "x'00'"])
  func invalidDatesCountAsDamage(date: String) async throws {
    _ = try await GuestbookStore(folder: folder, onProblem: problems.add).add("Ada", date: .now)
    let queue = try DatabaseQueue(path: folder + "/guestbook.sqlite")
    try await queue.write { try $0.execute(sql: "UPDATE entry SET signedAt = \(date)") }
    try queue.close()
    #expect(try await GuestbookStore(folder: folder, onProblem: problems.add).entries().isEmpty)
    #expect(problems.all.map(\.fault) == [.damaged])
  }

  @Test func theNewestEntryComesFirst() async throws {
    let book = GuestbookStore(folder: folder, onProblem: problems.add)
    for (name, seconds) in [("a", 10.0), ("b", 30), ("c", 20.5), ("d", 30)] {
      _ = try await book.add(name, date: Date(timeIntervalSince1970: seconds))
    }
    let entries = try await GuestbookStore(folder: folder, onProblem: problems.add).entries()
    #expect(entries.map(\.name) == ["d", "b", "c", "a"])
    #expect(entries.map(\.date.timeIntervalSince1970) == [30, 30, 20.5, 10])
  }

  @Test func aClockThatJumpsLosesNoEntry() async throws {
    for seconds in [1_800_000_000.0, 0, 9_224_318_015, -1, .zero.nextUp, 1_800_000_001] {
      let book = GuestbookStore(folder: folder, onProblem: problems.add)
      _ = try await book.add("at \(seconds)", date: Date(timeIntervalSince1970: seconds))
    }
    let entries = try await GuestbookStore(folder: folder, onProblem: problems.add).entries()
    #expect(entries.count == 6)
    #expect(entries.map(\.date) == entries.map(\.date).sorted(by: >))
    #expect(problems.all == [])
  }

  @Test func theBasketHoldsNoMoreThanAreLeft() async throws {
    let store = makeStore()
    #expect(try await store.put(print(1, left: 0)) == nil)
    #expect(try await store.put(print(1, left: 2))?.quantity(of: 1) == 1)
    #expect(try await store.put(print(1, left: 2))?.quantity(of: 1) == 2)
    #expect(try await store.put(print(1, left: 2)) == nil)
    #expect(try await store.takeOut(1).quantity(of: 1) == 1)
    #expect(try await store.takeOut(1) == Basket())
    #expect(try await store.takeOut(1) == Basket())
  }

  @Test func theBasketHasThePresentPrice() async throws {
    let store = makeStore()
    _ = try await store.put(print(1, left: 3))
    let price = Money(minorUnits: 250, currency: "USD")
    let basket = try #require(try await store.put(print(1, left: 3, price: price)))
    #expect(basket.lines.map(\.price) == [price] && basket.quantity(of: 1) == 2)
    #expect(try await makeStore().basket() == basket)
  }

  @Test func searchesAreKeptByTheirNames() async throws {
    let (first, second) = (SavedSearch(name: "a", query: "1"), SavedSearch(name: "b", query: "2"))
    _ = try await makeStore().save(second)
    #expect(try await makeStore().save(first) == [first, second])
    let replaced = SavedSearch(name: "b", query: "3")
    #expect(try await makeStore().save(replaced) == [first, replaced])
    #expect(try await makeStore().removeSearch(named: "a") == [replaced])
    #expect(try await makeStore().searches() == [replaced])
  }

  @Test func searchesArePrintable() async throws {
    _ = try await makeStore().save(SavedSearch(name: "a\u{1B}[31m", query: "b\u{1B}[31m"))
    #expect(try await makeStore().searches() == [SavedSearch(name: "a\u{FFFD}[31m", query: "b\u{FFFD}[31m")])
  }

  @Test func twoCopiesAtOnceLoseNothing() async throws {
    // Both stores open at once, and find a file without a schema.
    let copies = [makeStore(), makeStore()]
    let puts = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await copies[number % 2].setFollowing(true, member: number)
          return try await copies[number % 2].put(print(1, left: 15)) != nil
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(puts.count(where: \.self) == 15)
    let next = makeStore()
    #expect(try await next.followed() == Set(0..<20))
    #expect(try await next.basket().quantity(of: 1) == 15)
    #expect(problems.all == [])
  }

  @Test func aMigrationByAnotherCopyIsNoFailure() async throws {
    let path = path
    let file = StoreFile(
      folder: folder, name: "state.sqlite",
      migrator: twoMigrations {
        let other = Result { try twoMigrations {}.migrate(DatabaseQueue(path: path)) }
        #expect(throws: Never.self) { try other.get() }
      }, onProblem: problems.add)
    #expect(try await file.read { db in try db.tableExists("b") })
    #expect(problems.all == [])
  }

  @Test func aFailedMigrationIsReportedOnce() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try await DatabaseQueue(path: path).write { db in try db.execute(sql: "CREATE TABLE follow (other)") }
    try await expectToWork(makeStore())
    #expect(problems.all.map(\.fault) == [.other(reason: "table follow already exists")])
  }

  @Test func aCopyKilledWhileWritingLosesNothing() async throws {
    let store = makeStore()
    for member in 1...3 { try await store.setFollowing(true, member: member) }
    let queue = try DatabaseQueue(path: path)
    let killed = folder + "/killed"
    try FileManager.default.createDirectory(atPath: killed, withIntermediateDirectories: true)
    try queue.inDatabase { db in
      // With so little memory, the unfinished transaction is already in the file.
      try db.execute(sql: "PRAGMA cache_size = 1")
      try db.inTransaction(.immediate) {
        try db.execute(sql: "DELETE FROM follow")
        for member in 0..<3000 { try db.execute(sql: "INSERT INTO follow VALUES (?)", arguments: [member << 40]) }
        // A killed process leaves this behind.
        for name in ["state.sqlite", "state.sqlite-journal"] {
          try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(killed)/\(name)")
        }
        return .rollback
      }
    }
    #expect(try Data(contentsOf: URL(filePath: killed + "/state.sqlite")).count > 40_000)
    #expect(try await StateStore(folder: killed, onProblem: problems.add).followed() == [1, 2, 3])
    #expect(problems.all == [])
  }

  @Test func theFileIsSafeAgainstPowerFailureAndTwoWriters() async throws {
    let file = StoreFile(folder: folder, name: "a.sqlite", migrator: StateStore.migrator, onProblem: problems.add)
    let settings = try await file.read { db in
      try ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map {
        try String.fetchOne(db, sql: "PRAGMA \($0)")
      }
    }
    #expect(settings == ["delete", "2", "1", "5000"])
  }

  @Test func aFolderThatCannotBeCreatedIsReportedOnce() async throws {
    let store = StateStore(folder: "/proc/tintype", onProblem: problems.add)
    try await expectToWork(store)
    #expect(problems.all.map(\.path) == ["/proc/tintype/state.sqlite"])
    #expect(
      problems.all.first?.message.hasPrefix(
        "\(lost) will not be kept after you quit. /proc/tintype/state.sqlite can't be used: ") == true)
  }

  @Test func aMissingFolderIsReportedOnce() async throws {
    try await expectToWork(StateStore(folder: nil, onProblem: problems.add))
    #expect(problems.all == [StoreProblem(contents: .state, path: nil, fault: .noPlace)])
  }

  @Test func aFileThatIsNoDatabaseIsSetAside() async throws {
    try await expectSetAside(Data(String(repeating: "my own notes\n", count: 400).utf8))
  }

  @Test func aDamagedDatabaseIsSetAside() async throws {
    let file = StoreFile(folder: folder, name: "state.sqlite", migrator: StateStore.migrator, onProblem: problems.add)
    try await file.write { db in
      for member in 0..<3000 { try db.execute(sql: "INSERT INTO follow VALUES (?)", arguments: [member << 40]) }
    }
    var bytes = try Data(contentsOf: URL(filePath: path))
    // The damage is in a middle page, since the first one contains the header and the schema.
    let middle = bytes.count / 2 / 4096 * 4096
    bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0xA5, count: 4096))
    try await expectSetAside(bytes)
  }

  @Test func aFileOfANewerVersionStaysUnchanged() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var newer = StateStore.migrator
    newer.registerMigration("later") { db in try db.execute(sql: "CREATE TABLE later (a)") }
    try newer.migrate(try DatabaseQueue(path: path))
    try await expectUnchanged(Data(contentsOf: URL(filePath: path)), fault: .newer)
  }

  @Test func aFullFileIsReportedAndKeepsItsContents() async throws {
    let file = StoreFile(folder: folder, name: "state.sqlite", migrator: StateStore.migrator, onProblem: problems.add)
    try await file.write { db in
      try db.execute(sql: "INSERT INTO follow VALUES (1)")
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    await #expect(throws: APIError.notKept(path: path, .full)) {
      try await file.write { db in
        try db.execute(sql: "INSERT INTO visitor VALUES (1, ?)", arguments: [String(repeating: "a", count: 20_000)])
      }
    }
    #expect(try await makeStore().followed() == [1])
    #expect(try await makeStore().visitor() == nil)
  }

  @Test func databaseWorkStaysOnTheCallersThread() throws {
    let queue = try DatabaseQueue()
    let caller = pthread_self()
    #expect(try queue.read { _ in pthread_self() } == caller)
    #expect(try queue.write { _ in pthread_self() } == caller)
  }

  /// Expects that a file with these bytes is renamed, that a new one is created, and that this is reported once.
  private func expectSetAside(_ bytes: Data) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try bytes.write(to: URL(filePath: path))
    try await expectToWork(makeStore())
    let problem = try #require(problems.all.first)
    let place = try #require(problem.setAside)
    #expect(problems.all.count == 1)
    #expect(place.wholeMatch(of: #/.*\/state\.sqlite\.damaged-\d{8}-\d{6}/#) != nil)
    #expect(
      problem.message == "\(lost) were reset. \(path) was damaged and is kept next to it as "
        + "\(URL(filePath: place).lastPathComponent). If you have a backup, quit and restore it.")
    #expect(try Data(contentsOf: URL(filePath: place)) == bytes)
    // The new file is stored.
    #expect(try await makeStore().visitor() == "Ada")
    #expect(problems.all.count == 1)
  }

  private func expectUnchanged(_ bytes: Data, fault: StoreFault) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try bytes.write(to: URL(filePath: path))
    try await expectToWork(makeStore())
    #expect(problems.all == [StoreProblem(contents: .state, path: path, fault: fault)])
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["state.sqlite"])
  }
}

/// Tests in a file system of their own, which they make full or read-only.
@Suite(
  .enabled(if: TestFileSystem.canBeMade, "NOT RUN: only root can make a full and a read-only file system"), .limited)
struct StoreFileSystemTests {
  private let problems = Problems()

  @Test func aFullDiskIsReportedOnce() async throws {
    let disk = try #require(TestFileSystem())
    disk.fill()
    try await expectToWork(StateStore(folder: disk.folder, onProblem: problems.add))
    #expect(
      problems.all == [
        StoreProblem(contents: .state, path: disk.folder + "/state.sqlite", fault: .full)
      ])
  }

  @Test func aDiskThatFillsUpLaterFailsTheWrite() async throws {
    let disk = try #require(TestFileSystem())
    let store = StateStore(folder: disk.folder, onProblem: problems.add)
    try await store.setFollowing(true, member: 1)
    disk.fill()
    await #expect(throws: APIError.notKept(path: disk.folder + "/state.sqlite", .full)) {
      try await store.setFollowing(true, member: 2)
    }
    #expect(try await store.followed() == [1])
    #expect(problems.all == [])
  }

  @Test func aReadOnlyDiskIsReportedOnce() async throws {
    let disk = try #require(TestFileSystem())
    try await StateStore(folder: disk.folder, onProblem: problems.add).setFollowing(true, member: 1)
    #expect(disk.becomeReadOnly())
    try await expectToWork(StateStore(folder: disk.folder, onProblem: problems.add))
    #expect(
      problems.all == [
        StoreProblem(contents: .state, path: disk.folder + "/state.sqlite", fault: .readOnly)
      ])
  }
}

/// Expects an empty store that works.
private func expectToWork(_ store: StateStore) async throws {
  #expect(try await store.followed() == [])
  try await store.setFollowing(true, member: 1)
  try await store.setVisitor("Ada")
  #expect(try await store.followed() == [1])
  #expect(try await store.visitor() == "Ada")
}

/// Creates a migrator with two migrations.
///
/// - Parameter afterFirst: Called between the first migration and the second.
private func twoMigrations(afterFirst: @escaping @Sendable () -> Void) -> DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("v1") { db in
    try db.execute(sql: "CREATE TABLE a (a)")
    db.afterNextTransaction { _ in afterFirst() }
  }
  migrator.registerMigration("v2") { db in try db.execute(sql: "CREATE TABLE b (b)") }
  return migrator
}

private func print(
  _ id: Int, left: Int, price: Money = Money(minorUnits: 100, currency: "EUR")
) -> Print {
  Print(
    id: id, title: "A", image: .file("/a.jpg"), price: price, size: "1 × 1 cm", paper: "matte", left: left)
}

private func line(_ id: Int, quantity: Int) -> Basket.Line {
  Basket.Line(printID: id, title: "A", price: Money(minorUnits: 100, currency: "EUR"), quantity: quantity)
}

private final class Problems: Sendable {
  private let told = Mutex<[StoreProblem]>([])

  var all: [StoreProblem] { told.withLock(\.self) }

  @Sendable func add(_ problem: StoreProblem) {
    told.withLock { $0.append(problem) }
  }
}
