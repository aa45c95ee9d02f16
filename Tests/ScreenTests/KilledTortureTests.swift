import Foundation
import GRDB
import Harness
import TestLimit
import Testing
import Torture

/// Changes that the screen has shown as done are stored, whenever the program is killed.
@Suite(.fewAtOnceAndFirst, .limited) struct KilledTortureTests {
  private static let members = [
    "Hugo Vesper", "Edda Quill", "Cleo Marrowgate", "Dorian Pebble", "Alma Fernweh", "Greta Umbral", "Finn Tarn",
    "Bo Lindqvist-Pine",
  ]
  /// The keys that lead to each member from the one before.
  private static let ways = ["jjj", "jj", "jjjj", "jjjj", "jjjjj", "jjjj", "jjj", "jjjjj"]

  /// Two copies run at the same time, one on the wall, the other in the shop or the guestbook. Both write, and both are
  /// killed while they do. The files pass SQLite's check, and have all changes that either screen has shown.
  @Test(.timeLimit(.minutes(60))) func noChangeThatWasShownIsLostTorture() async throws {
    let home = try Home()
    var shown = Shown()
    for round in 0..<Torture.rounds(10, long: 200) {
      var random = SplitMix(seed: round)
      let isBook = round % 2 == 0
      let wall = try home.enter("wall", columns: 40, rows: 150)
      let other = try home.enter(isBook ? "guestbook" : "prints", columns: 200, rows: 200)
      defer {
        wall.close()
        other.close()
      }
      try await wall.waitForText("1/32")
      try await other.waitForText(isBook ? "Name " : "1/12+")
      wall.type("gg" + Self.ways.map { $0 + (Bool.random(using: &random) ? "f" : "") }.joined())
      if isBook {
        for number in 0..<Int.random(in: 0...3, using: &random) {
          other.type("\u{15}R\(round)N\(number)\r")
          try await other.waitForText("Hello R\(round)N\(number)!")
        }
        other.type("\u{15}R\(round)N9\r")
      } else {
        if shown.prints.isEmpty {
          // The third print is sold out.
          other.type("bjbjjb")
          try await other.wait(for: "three prints in the basket") { $0.prints.count > 2 }
        }
        other.type((0..<10).map { _ in (Bool.random(using: &random) ? "b" : "") + "j" }.joined())
      }
      // The amount of output chooses a random moment.
      let bytes = wall.output.count + Int.random(in: 0...4000, using: &random)
      _ = try? await wall.waitForOutput("\(bytes) bytes", timeout: .milliseconds(300)) { $0.count >= bytes }
      for session in [wall, other].shuffled(using: &random) { session.kill(SIGKILL) }
      for session in [wall, other] { #expect(try await session.waitForExit() == .signalled(SIGKILL)) }
      shown.add(wall: wall.screen, other: other.screen)
      try check(home, shown, round: round)
    }
    #expect(shown.entries.count > 2)
    #expect(shown.prints.count > 2)
  }

  /// The changes that the screens have shown as done.
  private struct Shown {
    var isFollowed: [String: Bool] = [:]
    var prints: [String: Int] = [:]
    var entries: Set<String> = []

    mutating func add(wall: Screen, other: Screen) {
      isFollowed = [:]
      for member in KilledTortureTests.members {
        let button = wall.followButton(of: member)
        if button == "✓ Following" || button == "+ Follow" { isFollowed[member] = button == "✓ Following" }
      }
      prints.merge(other.prints, uniquingKeysWith: max)
      for line in other.lines {
        if let match = line.firstMatch(of: #/^\W*(R\d+N\d+) .*\d\d:\d\d$/#) { entries.insert(String(match.1)) }
      }
    }
  }

  private func check(_ home: Home, _ shown: Shown, round: Int) throws {
    let state = try DatabaseQueue(path: home.state.appending(path: "state.sqlite").path)
    try state.read { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"], "round \(round)")
      let followed = try Int.fetchSet(db, sql: "SELECT memberID FROM follow")
      for (member, isFollowed) in shown.isFollowed {
        let id = try #require(Self.ids[member])
        #expect(followed.contains(id) == isFollowed, "round \(round): \(member)")
      }
      let rows = try Row.fetchAll(db, sql: "SELECT title, sum(quantity) AS count FROM basket GROUP BY title")
      let kept = Dictionary(uniqueKeysWithValues: rows.map { ($0["title"] as String, $0["count"] as Int) })
      for (title, count) in shown.prints { #expect(kept[title] ?? 0 >= count, "round \(round): \(title)") }
    }
    let path = home.data.appending(path: "guestbook.sqlite").path
    guard FileManager.default.fileExists(atPath: path) else { return #expect(shown.entries.isEmpty) }
    try DatabaseQueue(path: path).read { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"], "round \(round)")
      let lost = shown.entries.subtracting(try String.fetchAll(db, sql: "SELECT name FROM entry"))
      #expect(lost.isEmpty, "round \(round): \(lost)")
    }
  }

  /// The ids of the bundled wall's members, by name.
  private static let ids: [String: Int] = {
    struct Wall: Decodable {
      struct Member: Decodable {
        var id: Int
        var name: String
      }
      var members: [Member]
    }
    let path = URL(filePath: Program.path).deletingLastPathComponent()
      .appending(path: "tintype_Resources.resources/wall.json")
    let wall = (try? Data(contentsOf: path)).flatMap { try? JSONDecoder().decode(Wall.self, from: $0) }
    return Dictionary(uniqueKeysWithValues: (wall?.members ?? []).map { ($0.name, $0.id) })
  }()
}

extension Screen {
  /// How many of each print the shop shows as in the basket, by the print's title.
  fileprivate var prints: [String: Int] {
    var prints: [String: Int] = [:]
    for (title, below) in zip(lines, lines.dropFirst(2)) {
      guard let count = below.firstMatch(of: #/(\d+) in the basket/#).flatMap({ Int($0.1) }) else { continue }
      guard let name = title.firstMatch(of: #/^[ ▌](.+?) +\d+\.\d\d [A-Z]{3}/#).map({ String($0.1) }) else { continue }
      prints[name] = count
    }
    return prints
  }
}

/// A damaged file with the user's changes, as the user sees it.
@Suite(.fewAtOnce, .limited) struct DamagedStateTests {
  @Test func aDamagedFileIsRenamedAndReportedOnce() async throws {
    let home = try Home()
    let notes = Data(String(repeating: "no database", count: 1000).utf8)
    try FileManager.default.createDirectory(at: home.state, withIntermediateDirectories: true)
    try notes.write(to: home.state.appending(path: "state.sqlite"))
    let first = try home.enter("wall", columns: 120, rows: 36)
    defer { first.close() }
    try await first.waitForTexts(" Storage problem ", "reset.", "state.sqlite.damaged-", "1/32")
    first.type("\rjjjf")
    try await first.wait(for: "the button") { $0.followButton(of: "Hugo Vesper") == "✓ Following" }
    first.kill(SIGKILL)
    _ = try await first.waitForExit()
    let second = try home.enter("wall", columns: 120, rows: 36)
    defer { second.close() }
    let screen = try await second.wait(for: "the button") { $0.followButton(of: "Hugo Vesper") == "✓ Following" }
    #expect(screen.alert.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.state.path).sorted()
    #expect(names.count == 2)
    #expect(try Data(contentsOf: home.state.appending(path: #require(names.last))) == notes)
  }
}
