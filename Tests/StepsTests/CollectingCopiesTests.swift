import Bundled
import Foundation
import Gallery
import Services
import Store
import TestLimit
import Testing
import Torture

@testable import Steps

/// Copies of the program that move, rename, trash, import, rate and collect photos in the same folders at the same time, each its own ones.
@Suite(.limited) final class CollectingCopiesTests: FileFixture {
  private var collections: KeptCollections {
    KeptCollections(store: StateStore(folder: folder.appending("state".utf8).printable) { Issue.record("\($0)") })
  }

  /// A copy that makes steps, and writes a byte after each.
  private final class Copy {
    let process = Process()
    private let output = Pipe()
    private(set) var text = ""

    init(in folder: FilePath, number: Int, steps: Int) throws {
      process.executableURL = KilledStepsTests.program
      process.arguments = ["collect", folder.printable, "\(number)", "\(steps)"]
      process.standardOutput = output
      process.environment = ["XDG_DATA_HOME": folder.appending("data".utf8).printable, "HOME": folder.printable]
      try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Waits until it has made a number of steps, or all.
    func wait(for count: Int) throws {
      for _ in 0..<count {
        text += String(decoding: try output.fileHandleForReading.read(upToCount: 1) ?? Data(), as: UTF8.self)
      }
    }

    /// Stops it as Ctrl-Z does, and waits until it is stopped or has ended.
    func stop() throws {
      kill(process.processIdentifier, SIGUSR1)
      let end = ContinuousClock.now + .seconds(60)
      while let state = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
        .split(separator: ") ").last?.first, !"TZX".contains(state)
      {
        try #require(ContinuousClock.now < end, "it does not stop")
        sched_yield()
      }
    }

    func end() throws -> [String] {
      kill(process.processIdentifier, SIGCONT)
      text += String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return text.split(separator: "\n").dropFirst().map(String.init)
    }
  }

  /// The contents below a folder, but for sidecars.
  private func words(below folder: FilePath) throws -> [String] {
    try contents(of: folder).filter { $0.key.hasSuffix(".jpg") || $0.key.hasSuffix(".raf") }.values.map {
      String($0.split(separator: " ").last ?? "")
    }
  }

  private func sorted(_ contents: [String: String]) -> [String: String] {
    // A new folder that another copy had something in when its step was undone is left empty.
    contents.filter { !$0.key.hasSuffix(".xmp") && !$0.value.hasPrefix("NSFileTypeDirectory") }
      .merging(sidecarTexts(contents)) { $1 }
  }

  /// Nothing is lost, and nothing is there twice. A copy that is stopped in the middle of a step delays no other one. All is undone.
  @Test(.timeLimit(.minutes(60)), arguments: [2, 3]) func nothingIsLostOrDoneTwiceTorture(count: Int) async throws {
    for number in 0..<count {
      for photo in 0..<8 {
        try add("\(number)p\(photo).jpg")
        if photo % 3 == 0 { try add("\(number)p\(photo).raf") }
        if photo % 4 == 1 { try add("\(number)p\(photo).xmp", Self.sidecar) }
      }
      for photo in 0..<3 { try add("../card/\(number)c\(photo).jpg", "the file \(number)c\(photo).jpg") }
    }
    let before = sorted(try contents(of: photos))
    let (own, card) = (try words(below: photos), try words(below: folder.appending("card".utf8)))
    let copies = try (0..<count).map { try Copy(in: folder, number: $0, steps: Torture.rounds(40, long: 400)) }
    // Each has handled its signals by then.
    for copy in copies { try copy.wait(for: 1) }
    var random = SplitMix(seed: count)
    for _ in 0..<Torture.rounds(20, long: 200) {
      let some = copies.shuffled(using: &random)
      try some[0].wait(for: Int.random(in: 0..<2, using: &random))
      try some[0].stop()
      try some[1].wait(for: 3)
      kill(some[0].process.processIdentifier, SIGCONT)
    }
    let expected = try copies.map { try $0.end() }
    let faults = expected.joined().filter { $0.hasPrefix("fault") }
    // Hundreds of steps on a busy machine may be in each other's way for seconds. Then they say so.
    #expect(faults.allSatisfy { Torture.isLong && $0.contains("another program is using it") }, "\(faults)")
    // A step that another copy has found first may have been left to it.
    let service = makeService(collections: collections)
    _ = await service.resume()
    let found = try words(below: photos) + words(below: trash.appending("files".utf8))
    #expect(found.filter { !card.contains($0) }.sorted() == own.sorted())
    let imported = found.filter(card.contains)
    #expect(Set(imported).count == imported.count && !imported.isEmpty)
    for name in ["Best", "Print"] {
      let files = try await collections.files(of: name) ?? []
      let members = files.map { file in
        String((try? String(contentsOfFile: file.printable, encoding: .utf8))?.split(separator: " ").last ?? "")
      }
      for (number, lines) in expected.enumerated() {
        #expect(
          members.filter { $0.hasPrefix("\(number)") }.map { "\(name) \($0)" }
            == lines.filter { $0.hasPrefix("\(name) ") })
      }
      #expect(members.count == expected.joined().filter { $0.hasPrefix("\(name) ") }.count)
    }
    var undone = 0
    while let step = await service.undo() {
      #expect(step.faults == [], "\(step.title)")
      undone += 1
    }
    print("\(count) copies: \(undone) steps undone")
    let after = sorted(try contents(of: photos))
    let lost = before.filter { after[$0.key] != $0.value }
    let left = after.filter { before[$0.key] != $0.value }
    #expect(after == before, "before: \(lost), now: \(left)")
    #expect(try await collections.collections() == [])
  }
}
