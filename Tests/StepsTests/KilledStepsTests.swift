import Foundation
import Gallery
import Services
import TestLimit
import Testing
import Torture

@testable import Steps

/// Whatever two copies of the program are doing with the same photos when they are killed, all of it can be undone.
@Suite(.limited) final class KilledStepsTests: FileFixture {
  /// The program that was built with the tests.
  static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "torture-steps")

  private func start(seed: Int) throws -> Process {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = [folder.printable, "\(seed)"]
    process.environment = ["XDG_DATA_HOME": folder.appending("data".utf8).printable, "HOME": folder.printable]
    try process.run()
    return process
  }

  /// Makes the folder with photos, starts copies of the program, which end in the middle of their steps, and undoes all, again and
  /// again.
  private func torture(copies count: Int, check: (_ round: Int, _ undone: [Step]) throws -> Void) async throws {
    for number in 0..<8 {
      try add("p\(number).jpg")
      if number % 3 == 0 { try add("p\(number).raf") }
      if number % 4 == 1 { try add("p\(number).xmp", Self.sidecar) }
      if number % 2 == 0 { try add("p\(number).jpg.xmp", Self.sidecar) }
    }
    try add("below/p1.jpg", "another")
    for name in ["c0.jpg", "c1.jpg", "c1.raf", "c1.xmp"] { try add("../card/\(name)") }
    for round in 0..<Torture.rounds(8, long: 200) {
      let copies = try (0..<count).map { try start(seed: count * round + $0) }
      for copy in copies {
        copy.waitUntilExit()
        #expect(copy.terminationReason == .uncaughtSignal && copy.terminationStatus == SIGALRM)
      }
      let service = makeService()
      _ = await service.resume()
      var undone: [Step] = []
      while let step = await service.undo() { undone.append(step) }
      try check(round, undone)
    }
  }

  /// The last words of the photos' contents.
  private static let texts: Set<String> = [
    "another", "p0.jpg", "p0.raf", "p1.jpg", "p2.jpg", "p3.jpg", "p3.raf", "p4.jpg", "p5.jpg", "p6.jpg", "p6.raf",
    "p7.jpg",
  ]

  private var far: FilePath { FilePath("/dev/shm/\(folder.printableName)") }

  /// What this test has in the trash of the other disk, where the last copies of photos go, too.
  private var trashOfFar: [(file: FilePath, record: FilePath)] {
    guard let trash = try? Trash.own.place(for: far) else { return [] }
    let (files, info) = (trash.folder.appending("files".utf8), trash.folder.appending("info".utf8))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: files.printable)) ?? []
    return names.map { (files.appending($0.utf8), info.appending("\($0).trashinfo".utf8)) }.filter {
      String(decoding: $0.record.head(1000), as: UTF8.self).contains(folder.printableName)
    }
  }

  @Test(.timeLimit(.minutes(60))) func everythingIsUndoneAfterAKillTorture() async throws {
    defer { try? FileManager.default.removeItem(atPath: far.printable) }
    var before: [String: String]?
    try await torture(copies: 1) { round, undone in
      for step in undone { #expect(step.failures == [], "round \(round): \(step.title)") }
      // A sidecar has a temporary name in the moment in which it is replaced.
      let all = try contents(of: photos).filter { !$0.key.hasSuffix(".tmp") }
      let now = all.filter { !$0.key.hasSuffix(".xmp") }.merging(sidecarTexts(all)) { $1 }
      let old = before ?? now
      #expect(Set(now.keys).union(old.keys).filter { now[$0] != old[$0] }.sorted() == [], "round \(round)")
      before = old
      #expect(!far.isThere && !folder.appending("near".utf8).isThere, "round \(round)")
    }
    #expect(before?.count == 19)
  }

  /// Two or three copies work on the same photos at the same time. Their steps may be in each other's way when they are undone, but
  /// no photo is lost or replaced.
  @Test(.timeLimit(.minutes(60)), arguments: [2, 3]) func noPhotoIsLostByCopiesTorture(copies: Int) async throws {
    defer {
      for path in [far] + trashOfFar.flatMap({ [$0.file, $0.record] }) {
        try? FileManager.default.removeItem(atPath: path.printable)
      }
    }
    try await torture(copies: copies) { round, _ in
      var texts = trashOfFar.map { String(decoding: $0.file.head(100), as: UTF8.self) }
      for place in [folder, far] { texts += try contents(of: place).values }
      let found = Set(texts.map { String($0.split(separator: " ").last ?? "") })
      try #require(Self.texts.subtracting(found).sorted() == [], "round \(round)")
    }
  }
}
