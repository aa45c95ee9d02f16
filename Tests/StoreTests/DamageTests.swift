import Foundation
import GRDB
import Gallery
import Synchronization
import TestLimit
import Testing
import Torture

@testable import Store

/// The consequences of a damaged file: neither the program nor the file is lost.
@Suite(.limited) final class DamageTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private let told = Told()
  private var path: String { folder + "/state.sqlite" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func makeStore() -> StateStore { StateStore(folder: folder, onProblem: told.add) }

  private func fill() async throws -> Data {
    let store = makeStore()
    for member in 1...40 { try await store.setFollowing(true, member: member) }
    for id in 1...10 { _ = try await store.put(print(id)) }
    try await store.setVisitor("Ada [Lovelace]")
    return try Data(contentsOf: URL(filePath: path))
  }

  private func print(_ id: Int) -> Print {
    Print(
      id: id, title: "A [print]", image: .file("/a.jpg"), price: Money(minorUnits: 100, currency: "EUR"), size: "A4",
      paper: "matte", left: 3)
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

  /// The store works with any wrong bits, reports at most one problem, and loses no byte of the file.
  @Test func flippedBitsCauseAtMostOneReportTorture() async throws {
    let whole = try await fill()
    // Without writing, nothing is lost.
    let places = whole.indices.filter { whole[$0] != 0 }
    var setAside = 0
    for seed in 1...Torture.rounds(200, long: 4000) {
      var random = SplitMix(seed: seed)
      var bytes = whole
      for _ in 0...Int.random(in: 0...3, using: &random) {
        bytes[try #require(places.randomElement(using: &random))] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      try reset(to: bytes)
      let store = makeStore()
      for text in [try await store.visitor() ?? ""] + (try await store.basket().lines.map(\.title)) {
        #expect(text == text.printable, "seed \(seed)")
      }
      try await store.setVisitor("Bea")
      #expect(try await store.visitor() == "Bea", "seed \(seed)")
      let problems = told.take()
      #expect(problems.count <= 1, "seed \(seed)")
      if let place = problems.first?.setAside {
        setAside += 1
        #expect(try Data(contentsOf: URL(filePath: place)) == bytes, "seed \(seed)")
        #expect(try await makeStore().visitor() == "Bea", "seed \(seed)")
      } else if !problems.isEmpty {
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes, "seed \(seed)")
      }
    }
    #expect(setAside > 20)
  }

  private func reset(to bytes: Data) throws {
    for name in try names() { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
    try bytes.write(to: URL(filePath: path))
  }

  /// An index that can be rebuilt is rebuilt, wherever it is damaged.
  @Test func flippedBitsInTheIndexLoseAtMostTheIndexTorture() async throws {
    let photos = FilePath("/p")
    func entries() -> [PhotoIndex.Entry] {
      (0..<60).map { number in
        var metadata = PhotoMetadata()
        metadata.takenAt = CaptureTime(clock: Double(number), offset: 3600)
        (metadata.width, metadata.height, metadata.camera, metadata.keywords) = (6000, 4000, "C[1]", ["[a]", "b"])
        let stamp = PhotoIndex.Stamp(size: number, modifiedAt: number)
        let path = photos.appending("\(number).jpg".utf8)
        return PhotoIndex.Entry(path: path, stamp: stamp, metadata: MetadataRecord(metadata))
      }
    }
    try await PhotoIndex(folder: folder).add(entries())
    let index = folder + "/index.sqlite"
    let whole = try Data(contentsOf: URL(filePath: index))
    for seed in 1...Torture.rounds(200, long: 4000) {
      var random = SplitMix(seed: seed)
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      try bytes.write(to: URL(filePath: index))
      unlink(index + "-journal")
      // An index that cannot be read is written again.
      let read = try? await PhotoIndex(folder: folder).entries(in: [photos])
      for metadata in (read ?? PhotoIndex.Entries()).map(\.metadata.metadata) {
        #expect([metadata.camera, metadata.keywords.first].allSatisfy { $0 == $0?.printable }, "seed \(seed)")
        #expect(metadata.width.multipliedReportingOverflow(by: metadata.height).overflow == false, "seed \(seed)")
      }
      try? await PhotoIndex(folder: folder).add(entries())
    }
  }

  /// A copy that already runs continues with the new file.
  @Test func aFileThatAnotherCopySetAsideIsReopened() async throws {
    let first = makeStore()
    try await first.setFollowing(true, member: 1)
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xA5, count: 4096))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.write(contentsOf: bytes)
    try file.close()
    let second = makeStore()
    try await second.setFollowing(true, member: 2)
    #expect(told.take().map { $0.setAside != nil } == [true])
    try await first.setFollowing(true, member: 3)
    #expect(try await first.followed() == [2, 3])
    #expect(try await second.followed() == [2, 3])
    #expect(told.take() == [])
  }

  @Test func aFileThatTheUserMovedAwayIsReopened() async throws {
    let store = makeStore()
    try await store.setFollowing(true, member: 1)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".mine")
    try await store.setFollowing(true, member: 2)
    #expect(try await store.followed() == [2])
    #expect(try await makeStore().followed() == [2])
    #expect(told.take() == [])
  }

  /// If many copies start at once with a damaged file, one of them sets it aside.
  @Test func oneOfManyCopiesSetsADamagedFileAsideTorture() async throws {
    for round in 0..<Torture.rounds(20, long: 400) {
      try reset(to: Data(repeating: 0x61, count: 9000))
      try await withThrowingTaskGroup { group in
        for member in 0..<8 {
          group.addTask { [folder, told] in
            try await StateStore(folder: folder, onProblem: told.add).setFollowing(true, member: member)
          }
        }
        try await group.waitForAll()
      }
      #expect(told.take().map { $0.setAside != nil } == [true], "round \(round)")
      #expect(try names().count == 2, "round \(round)")
      #expect(try await makeStore().followed() == Set(0..<8), "round \(round)")
    }
  }

  /// SQLite accepts any value in any column.
  @Test(arguments: [
    "size = 'x'", "modifiedAt = 1e300", "metadata = 'x'", "metadata = x''", "metadata = x'ffffffffffffffffff01'",
    "metadata = x'7e'", "path = '/p/' || char(47)",
  ])
  func invalidValuesInTheIndexAffectNothingElse(change: String) async throws {
    let entry = PhotoIndex.Entry(
      path: FilePath("/p/a.jpg"), stamp: PhotoIndex.Stamp(size: 1, modifiedAt: 1),
      metadata: MetadataRecord(PhotoMetadata()))
    try await PhotoIndex(folder: folder).add([entry])
    let queue = try DatabaseQueue(path: folder + "/index.sqlite")
    try await queue.write { try $0.execute(sql: "UPDATE photo SET \(change)") }
    try queue.close()
    _ = try? await PhotoIndex(folder: folder).entries(in: [FilePath("/p")])
    try await PhotoIndex(folder: folder).add([entry])
    #expect(try await PhotoIndex(folder: folder).entries(in: [FilePath("/p")])[entry.path] == entry)
  }

  @Test func damagedMetadataInTheIndexIsPrintableAndInRange() async throws {
    var metadata = PhotoMetadata()
    (metadata.width, metadata.height, metadata.rating, metadata.iso) = (1 << 62, 10, 99, -1)
    metadata.takenAt = CaptureTime(clock: .infinity)
    (metadata.latitude, metadata.longitude) = (1, .nan)
    (metadata.camera, metadata.lens, metadata.label) = ("a\u{1B}", "\u{9B}", "\u{1B}")
    (metadata.title, metadata.caption, metadata.keywords) = ("\u{9B}", "a\n\u{202E}", ["a\u{7}"])
    let entry = PhotoIndex.Entry(
      path: FilePath("/p/a.jpg"), stamp: PhotoIndex.Stamp(size: 1, modifiedAt: 1),
      metadata: MetadataRecord(PhotoMetadata()))
    try await PhotoIndex(folder: folder).add([entry])
    var packed: [UInt8] = []
    metadata.pack(into: &packed)
    let queue = try DatabaseQueue(path: folder + "/index.sqlite")
    try await queue.write { [packed] in
      try $0.execute(sql: "UPDATE photo SET metadata = ?", arguments: [Data(packed)])
    }
    try queue.close()
    let read = try #require(
      try await PhotoIndex(folder: folder).entries(in: [FilePath("/p")])[entry.path]?.metadata.metadata)
    #expect((read.width, read.height) == (0, 10))
    #expect(read.rating == nil && read.iso == nil && read.takenAt == nil && read.latitude == nil)
    for text in [read.camera, read.lens, read.title, read.label] + read.keywords {
      #expect(text != nil && text == text?.printable)
    }
    #expect(read.caption == "a\n\u{FFFD}")
  }

  @Test func damagedTextsArePrintable() async throws {
    _ = try await fill()
    let book = GuestbookStore(folder: folder, onProblem: told.add)
    _ = try await book.add("Ada", date: .now)
    for (file, change) in [
      ("state", "visitor SET name = 'A' || char(27) || 'c'"), ("state", "basket SET title = char(155) || '2J'"),
      ("state", "basket SET currency = char(27)"), ("guestbook", "entry SET name = 'A' || char(8238)"),
    ] {
      let queue = try DatabaseQueue(path: "\(folder)/\(file).sqlite")
      try await queue.write { try $0.execute(sql: "UPDATE \(change)") }
      try queue.close()
    }
    #expect(try await makeStore().visitor() == "A\u{FFFD}c")
    let line = try #require(try await makeStore().basket().lines.first)
    #expect([line.title, line.price.currency] == ["\u{FFFD}2J", "\u{FFFD}"])
    #expect(try await book.entries().map(\.name) == ["A\u{FFFD}"])
    #expect(told.take() == [])
  }

  @Test func settingAsideOverwritesNoFile() async throws {
    for number in 1...3 {
      try Data("notes \(number)".utf8).write(to: URL(filePath: path))
      _ = try await makeStore().visitor()
    }
    let places = told.take().compactMap(\.setAside)
    let contents = try places.map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(contents == ["notes 1", "notes 2", "notes 3"])
  }

  /// A process is killed during a migration. The next start finds the old contents, and migrates them.
  @Test func aKilledMigrationIsRepeated() async throws {
    let store = makeStore()
    for member in 1...3 { try await store.setFollowing(true, member: member) }
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
      let file = StoreFile(
        folder: folder, name: "state.sqlite",
        migrator: later { db in
          // With so little memory, the unfinished migration is already in the file.
          try db.execute(sql: "PRAGMA cache_size = 1")
          for member in 1...3000 { try db.execute(sql: "INSERT INTO later VALUES (?, 'x')", arguments: [member]) }
          try #require(FileManager.default.fileExists(atPath: folder + "/state.sqlite-journal"))
          kill(getpid(), SIGKILL)
        }, onProblem: { _ in })
      _ = try await file.read { try Int.fetchOne($0, sql: "SELECT 1") }
    }
    #expect(try names() == ["state.sqlite", "state.sqlite-journal"])
    let file = StoreFile(folder: folder, name: "state.sqlite", migrator: later { _ in }, onProblem: told.add)
    let (follows, rows) = try await file.read { db in
      try (
        Int.fetchAll(db, sql: "SELECT memberID FROM follow ORDER BY 1"),
        Int.fetchOne(db, sql: "SELECT count(*) FROM later")
      )
    }
    #expect(follows == [1, 2, 3])
    #expect(rows == 0)
    #expect(told.take() == [])
  }
}

/// The program's migrations and a later one.
private func later(_ body: @escaping @Sendable (Database) throws -> Void) -> DatabaseMigrator {
  var migrator = StateStore.migrator
  migrator.registerMigration("later") { db in
    try db.execute(sql: "DELETE FROM follow WHERE memberID = -1; CREATE TABLE later (a, b)")
    try body(db)
  }
  return migrator
}

private final class Told: Sendable {
  private let problems = Mutex<[StoreProblem]>([])

  @Sendable func add(_ problem: StoreProblem) { problems.withLock { $0.append(problem) } }

  /// Removes and returns the problems since the last call.
  func take() -> [StoreProblem] {
    problems.withLock { problems in
      defer { problems = [] }
      return problems
    }
  }
}
