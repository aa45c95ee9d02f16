import Foundation
import Gallery
import Services
import Store
import TestLimit
import Testing

@testable import Sidecars
@testable import Steps

/// Two copies of the program with one journal, of which one does not know what the other has left.
@Suite(.limited) final class TwoServicesTests: FileFixture {
  /// Returns a service whose disk is full.
  private func makeFullService() -> StepService {
    var system = SidecarSystem()
    system.sync = { _ in
      errno = ENOSPC
      return -1
    }
    return StepService(
      tools: StepTools(sidecars: Sidecars(system: system)),
      journal: StepJournal(folder: folder.appending("state".utf8).printable) { Issue.record("\($0.message)") },
      root: photos)
  }

  private func make(_ change: DecisionChange, _ photos: [Photo], with service: StepService) async -> Step {
    await service.write(await service.keep([StepRequest(.decision(change), for: photos)])[0], StepWork())
  }

  private func titlesOfUndo(_ service: StepService) async -> [String] {
    var titles: [String] = []
    while let step = await service.undo(StepWork()) { titles.append(step.title) }
    return titles
  }

  /// A part of the later step waits for the earlier one, which was killed before it wrote anything.
  @Test func stepsThatWaitForEachOtherAreUndoneInReverse() async throws {
    let (a, b, c) = (try add("a.jpg"), try add("b.jpg"), try add("c.jpg"))
    let before = try contents(of: photos)
    let other = makeService()
    // The other one knows that nothing waits.
    _ = await make(.rating(1), [c], with: other)
    _ = await makeService().keep([StepRequest(.decision(.label("Green")), for: [a, b])])
    #expect(await make(.rating(5), [b, c], with: other).parts.map(\.outcome) == [.waiting(nil), .done])
    let next = makeService()
    #expect(await next.resume(StepWork())?.succeeded.count == 2)
    #expect(await titlesOfUndo(next) == ["5 stars on 2 photos", "Label Green: 2 photos", "1 star on c.jpg"])
    #expect(try contents(of: photos) == before)
  }

  /// A copy that is killed while it writes a step leaves it to those that run, also if they have found it at work.
  @Test(arguments: [true, false]) func whatAKilledCopyLeavesIsWritten(isResumed: Bool) async throws {
    let (a, b) = (try add("a.jpg"), try add("b.jpg"))
    let journal = StepJournal(folder: folder.appending("state".utf8).printable) { Issue.record("\($0.message)") }
    let kept = await makeService().keep([StepRequest(.decision(.rating(5)), for: [a])])
    let lock = try #require(StepLock(kept[0].id ?? 0, of: journal))
    let other = makeService()
    if isResumed {
      #expect(await other.resume(StepWork())?.succeeded.isEmpty != false)
    } else {
      #expect(await other.write(kept[0], StepWork()).parts.map(\.outcome) == [.waiting(nil)])
    }
    #expect(await make(.rating(1), [b], with: other).parts.map(\.outcome) == [.done])
    let before = try contents(of: photos)
    lock.release()
    let end = ContinuousClock.now + .seconds(60)
    while try contents(of: photos) == before, ContinuousClock.now < end { await Task.yield() }
    #expect(try contents(of: photos) != before)
    withExtendedLifetime(other) {}
  }

  /// What another one could not undo is undone first.
  @Test func whatIsStillToBeUndoneComesFirst() async throws {
    let a = try add("a.jpg")
    let before = try contents(of: photos)
    let service = makeService()
    _ = await make(.rating(1), [a], with: service)
    _ = await make(.rotation(quarters: 1), [a], with: service)
    #expect(await makeFullService().undo(StepWork())?.isWaiting == true)
    #expect(await service.undo(StepWork())?.title == "1 star on a.jpg")
    #expect(try contents(of: photos) == before)
  }

  /// Each of two files is what the other was copied from, as when a photo was copied, moved away and copied back.
  @Test func ofTwoCopiesThatAreTakenAwayInTheSameInstantOneStays() throws {
    let (a, b) = (photos.appending("a.jpg".utf8), photos.appending("below/b.jpg".utf8))
    for name in ["a.jpg", "below/b.jpg"] { try add(name, "the same") }
    try beforeRemoval(by: FileMove(kind: .uncopy, source: a, target: b)) {
      try FileMove(kind: .uncopy, source: b, target: a).make()
    }
    #expect(try names(in: photos) == ["a.jpg", "below"])
  }

  /// While one copy of the program moves a photo to another disk, another takes what it finds there for a copy.
  @Test func aPhotoWhoseCopyIsTakenAwayIsNotRemoved() throws {
    let (near, far) = (photos.appending("a.jpg".utf8), other(isFar: true).appending("a.jpg".utf8))
    defer { try? FileManager.default.removeItem(atPath: far.folder.folder.folder.printable) }
    try FileManager.default.createDirectory(atPath: far.folder.printable, withIntermediateDirectories: true)
    try add("a.jpg")
    try beforeRemoval(by: FileMove(source: near, target: far)) {
      try FileMove(kind: .uncopy, source: far, target: near, original: near.stamp).make()
    }
    #expect(try names(in: photos) == ["a.jpg"])
    #expect(!far.isThere)
  }

  /// Makes a move, and does something when the move has checked everything and is about to remove its source.
  private func beforeRemoval(by move: FileMove, _ body: () throws -> Void) throws {
    let folder = open(move.source.folder.printable, O_RDONLY | O_CLOEXEC)
    try #require(flock(folder, LOCK_EX) == 0)
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? move.make()
      end.signal()
    }
    let limit = ContinuousClock.now + .seconds(60)
    while try !isAwaited(folder), ContinuousClock.now < limit { sched_yield() }
    #expect(try isAwaited(folder))
    defer { end.wait() }
    defer { close(folder) }
    try body()
  }

  /// Returns whether somebody waits for the lock of an open file.
  private func isAwaited(_ file: Int32) throws -> Bool {
    var status = stat()
    fstat(file, &status)
    let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
    return locks.split(separator: "\n").contains { $0.contains("-> FLOCK") && $0.contains(":\(status.st_ino) ") }
  }
}
