import Foundation
import GRDB
import Harness
import TestLimit
import Testing
import Torture

/// Decisions about photos on another machine are made once, whatever is killed at whatever moment.
@Suite(.fewAtOnce, .limited) final class RemoteTortureTests {
  private var server: PrivateSSH
  private static let photoCount = 40

  init() throws {
    server = try PrivateSSH()
    try addPhotos()
  }

  private func addPhotos() throws {
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for number in 0..<Self.photoCount {
      try FileManager.default.copyItem(
        atPath: Program.photo("chelsea.jpg"), toPath: photos.appending(path: name(number)).path)
    }
  }

  private var photos: URL { server.home.appending(path: "photos") }
  private func name(_ number: Int) -> String { "p\(100 + number).jpg" }

  private func open() async throws -> TerminalSession {
    let session = try Program.start("nas:photos", changes: server.changes)
    try await session.waitForTexts("/\(Self.photoCount)", "p100.jpg")
    return session
  }

  private enum Accident: CaseIterable {
    case none, deadServer, deadGallery, deadLine, stall
  }

  /// The server, the gallery or ssh is killed, or the line stalls, some hundred ratings are given meanwhile, and each is written
  /// once.
  @Test(.timeLimit(.minutes(60))) func noRatingIsLostOrMadeTwiceTorture() async throws {
    var random = SplitMix(seed: 37)
    var (expected, count) = ([Int](repeating: 0, count: Self.photoCount), 0)
    var session = try await open()
    defer { session.close() }
    for round in 0..<Torture.rounds(6, long: 100) {
      // From the first photo on, each rating moves to the next one.
      session.type("gg")
      let ratings = (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 1...5, using: &random) }
      var stopped: [pid_t] = []
      let stallsLong = Torture.isLong && round % 25 == 24
      if stallsLong { try wait("a connection") { try !self.server.processes(of: .server).isEmpty } }
      switch stallsLong ? .stall : Accident.allCases.randomElement(using: &random) ?? .none {
      case .none, .deadGallery: break
      case .deadServer: try server.killServers()
      case .deadLine: try server.send(SIGKILL, to: .client)
      case .stall:
        stopped = try server.processes(of: .client)
        for id in stopped { kill(id, SIGSTOP) }
      }
      for (number, rating) in ratings.enumerated() {
        // The same stars again would change nothing.
        let new = rating == expected[number] ? rating % 5 + 1 : rating
        expected[number] = new
        count += 1
        session.type("\(new)")
      }
      try wait("the last rating of round \(round) is safe") {
        try self.isKept(self.name(ratings.count - 1), count)
      }
      // A line that stalls for about a minute is replaced by another one.
      if stallsLong {
        try wait("another line in round \(round)", limit: 120) {
          let now = try self.server.processes(of: .client)
          return !now.isEmpty && Set(now).isDisjoint(with: stopped)
        }
      }
      for id in stopped { kill(id, SIGCONT) }
      switch Accident.allCases.randomElement(using: &random) ?? .none {
      case .none, .stall: break
      case .deadServer: try server.killServers()
      case .deadLine: try server.send(SIGKILL, to: .client)
      case .deadGallery:
        session.kill(SIGKILL)
        _ = try await session.waitForExit()
        session = try await open()
      }
    }
    // What waited for a server that was killed in the middle is written by the next step or at the next start.
    // While a step is under way, the program asks whether to quit.
    session.type("qy")
    _ = try await session.waitForExit()
    session = try await open()
    try wait("all ratings are there") {
      try expected.enumerated().allSatisfy { number, rating in try self.rating(of: self.name(number)) == rating }
    }
    try wait("nothing is left here") { try self.server.outgoing().isEmpty }
    // A rating that was made twice would be a step more.
    try wait("there are \(count) steps, not \(try steps())") { try self.steps() == count }
  }

  /// The lines of which each has the kilobytes in a second and the round trip in milliseconds.
  private static let lines =
    Torture.isLong ? [20, 200, 2000].flatMap { rate in [20, 100, 600].map { (rate, $0) } } : [(200, 100)]

  /// Whatever the line is like, the folder is listed, images come, and ratings are kept, also if it breaks.
  @Test(arguments: lines) func aFolderIsUsableOverAnyLineTorture(rate: Int, roundTrip: Int) async throws {
    server = try PrivateSSH(line: Line(bytesPerSecond: rate * 1000, roundTrip: .milliseconds(roundTrip)))
    try addPhotos()
    let session = try Program.start("nas:photos", "--pictures", "symbols", changes: server.changes)
    defer { session.close() }
    try await session.waitForTexts("/\(Self.photoCount)", "p100.jpg", "451×300")
    session.type("v")
    for number in 0..<5 {
      try await session.wait(for: "photo \(number)") { screen in
        screen.text.contains("\(number + 1)/\(Self.photoCount)") && screen.hasImage
      }
      if number == 2 { try server.send(SIGKILL, to: .client) }
      // It moves to the next photo.
      session.type("\(number + 1)")
    }
    try wait("all ratings are there", limit: 120) {
      try (0..<5).allSatisfy { try self.rating(of: self.name($0)) == $0 + 1 }
    }
    try wait("there are five steps") { try self.steps() == 5 }
  }

  private func wait(
    _ description: @autoclosure () throws -> String, limit: Int = 60, _ condition: () throws -> Bool
  ) throws {
    try waitForFiles(in: server.folder, try description(), timeout: .seconds(limit), until: condition)
  }

  private func rating(of name: String) throws -> Int {
    guard let text = try? String(contentsOf: photos.appending(path: name + ".xmp"), encoding: .utf8),
      let match = text.firstMatch(of: #/<xmp:Rating>(\d)</#)
    else { return 0 }
    return Int(match.1) ?? 0
  }

  /// Whether as many ratings are in one of the two journals, and that of a photo is among them.
  private func isKept(_ name: String, _ count: Int) throws -> Bool {
    let outgoing = try server.outgoing()
    let there = try steps(except: Set(outgoing.map(\.token)))
    return there + outgoing.reduce(0) { $0 + $1.count } >= count
  }

  /// The number of steps in the journal of the server, without those of some calls.
  private func steps(except tokens: Set<String> = []) throws -> Int {
    try server.readJournal(in: "home/state") { db in
      let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM step") ?? 0
      let calls = try Row.fetchAll(db, sql: "SELECT token, numbers FROM call")
      let others = calls.filter { tokens.contains($0["token"]) }
      return all - others.reduce(0) { $0 + ($1["numbers"] as String).split(separator: " ").count }
    } ?? 0
  }
}

extension Screen {
  /// Whether the middle of the screen has the colors of an image.
  fileprivate var hasImage: Bool {
    cells[cells.count / 2].contains { if case .rgb = $0.style.background { true } else { false } }
  }
}
