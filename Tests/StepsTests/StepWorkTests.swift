import Foundation
import Gallery
import Services
import Sidecars
import Store
import Synchronization
import TestLimit
import Testing

@testable import Steps

/// The progress of long steps, and what becomes of those that the user stops.
@Suite(.limited) final class StepWorkTests: FileFixture {
  @Test func theProgressCountsPhotosAndCopiedBytes() async throws {
    let shots = try (0..<3).map { [try add("\($0).jpg", "12345")] }
    let service = makeService()
    let (move, copy) = (StepWork(), StepWork())
    let target = photos.appending("x".utf8)
    _ = await service.write(await service.keep([StepRequest(.files(.copy(to: target)), forShots: shots)])[0], copy)
    #expect(copy.progress.done == 3 && copy.progress.total == 3 && copy.progress.fraction == 1)
    #expect(copy.progress.plannedSize == 15 && copy.progress.copiedSize == 15)
    // A move on one disk copies nothing.
    _ = await service.undo(move)
    _ = await service.write(await service.keep([StepRequest(.files(.move(to: target)), forShots: shots)])[0], move)
    #expect(move.progress.done == 3 && move.progress.plannedSize == 0 && move.progress.fraction == 1)
  }

  @Test func theFractionIsThatOfAllBytes() {
    var progress = StepProgress(total: 4)
    #expect(progress.fraction == 0)
    progress.done = 1
    #expect(progress.fraction == 0.25)
    // Two photos of 10 bytes are planned, so four have 40.
    progress.planned = 2
    progress.plannedSize = 20
    progress.copiedSize = 30
    #expect(progress.fraction == 0.75)
    progress.copiedSize = 50
    #expect(progress.fraction == 1)
  }

  /// What is left can be made later, and all of it can be undone.
  @Test func aStepThatWasStoppedCanBeMadeLater() async throws {
    // Four photos are planned before the first is written.
    let shots = try (0..<6).map { [try add("\($0).jpg")] }
    let before = try contents(of: photos)
    let work = StepWork()
    let planned = Mutex(0)
    let service = makeService(photosAtOnce: 4) {
      // The user stops while the last two photos are planned.
      if planned.withLock({ count in
        count += 1
        return count > 4
      }) {
        work.stop()
      }
    }
    let step = await service.write(await service.keep([StepRequest(.files(.trash), forShots: shots)])[0], work)
    #expect(step.parts.count { $0.outcome == .done } == 4 && step.parts.suffix(2).allSatisfy(\.outcome.isWaiting))
    #expect(try names(in: photos).count == 2 && work.progress.done == 4)
    // The rest does not wait: only the user goes on with it.
    #expect(await makeService().resume() == nil)
    #expect(await makeService().redo()?.parts.count == 2)
    #expect(try names(in: photos) == [])
    #expect(await makeService().undo()?.parts.count == 2)
    #expect(await makeService().undo()?.parts.count == 4)
    #expect(try contents(of: photos) == before)
    #expect(await makeService().undo() == nil)
  }

  @Test func aStepThatWasStoppedBeforeItsFirstPhotoIsNone() async throws {
    let shots = [[try add("a.jpg")]]
    let service = makeService()
    #expect(await stopBeforeTheFirst(of: shots, with: service).isInJournal == false)
    #expect(await service.undo() == nil)
    #expect(await service.redo()?.parts.map(\.outcome) == [.done])
    #expect(try names(in: photos) == [])
  }

  /// Stops a move to the trash when it is kept and no photo is planned.
  private func stopBeforeTheFirst(of shots: [[Photo]], with service: StepService) async -> Step {
    let work = StepWork()
    let kept = await service.keep([StepRequest(.files(.trash), forShots: shots)])[0]
    work.stop()
    return await service.write(kept, work)
  }

  /// A crash would leave files that the journal does not know.
  @Test func aStepThatIsMadeAgainIsPlannedBeforeAFileIsMoved() async throws {
    let shots = try ["a.jpg", "b.jpg"].map { [try add($0)] }
    let before = try contents(of: photos)
    _ = await stopBeforeTheFirst(of: shots, with: makeService())
    let areThere = Mutex<[Bool]>([])
    let again = makeService { [photos] in
      let isThere = photos.appending("a.jpg".utf8).isThere
      areThere.withLock { $0.append(isThere) }
    }
    #expect(await again.redo()?.parts.map(\.outcome) == [.done, .done])
    #expect(areThere.withLock(\.self) == [true, true])
    #expect(try names(in: photos) == [])
    #expect(await makeService().undo()?.failures == [])
    #expect(try contents(of: photos) == before)
  }

  /// Those that were undone later are still to be made again.
  @Test func aStepThatIsMadeAgainAfterACrashLeavesTheOthers() async throws {
    let shots = try ["a.jpg", "b.jpg"].map { [try add($0)] }
    for shot in shots { _ = await stopBeforeTheFirst(of: [shot], with: makeService()) }
    let journal = StepJournal(folder: folder.appending("state".utf8).printable) { _ in }
    let first = try #require(await journal.lastUndoneStep(in: photos))
    // The program ends before it has planned a part.
    _ = try await journal.setUndone(false, first.id)
    _ = await makeService().resume()
    #expect(try names(in: photos) == ["b.jpg"])
    #expect(await makeService().redo()?.parts.map(\.outcome) == [.done])
    #expect(try names(in: photos) == [])
    for _ in shots { #expect(await makeService().undo()?.failures == []) }
    #expect(try names(in: photos) == ["a.jpg", "b.jpg"])
  }

  /// It waits for the user, not for the disk.
  @Test func aStepThatCantBeMadeAgainYetStays() async throws {
    let shots = [[try add("x/a.jpg")]]
    let before = try contents(of: photos)
    _ = await stopBeforeTheFirst(of: shots, with: makeService())
    let (folder, aside) = ("\(photos.printable)/x", "\(photos.printable)/y")
    try FileManager.default.moveItem(atPath: folder, toPath: aside)
    #expect(await makeService().redo()?.parts.map(\.outcome) == [.missing])
    try FileManager.default.moveItem(atPath: aside, toPath: folder)
    #expect(await makeService().redo()?.parts.map(\.outcome) == [.done])
    #expect(await makeService().undo()?.failures == [])
    #expect(try contents(of: photos) == before)
  }

  @Test func anUndoThatWasStoppedCanBeMadeLater() async throws {
    let before = try contents(of: photos)
    let shots = try (0..<2).map { [try add("\($0).jpg")] }
    let all = try contents(of: photos)
    _ = await throwAway(shots)
    let work = StepWork()
    work.stop()
    #expect(await makeService().undo(work)?.parts.isEmpty == true)
    #expect(try contents(of: photos) == before)
    #expect(await makeService().undo()?.parts.map(\.outcome) == [.done, .done])
    #expect(try contents(of: photos) == all)
    #expect(await makeService().undo() == nil)
  }

  /// Another copy of the program does not take it for a step that a crash has interrupted.
  @Test func aStepThatIsBeingWrittenBelongsToItsWriter() async throws {
    let shots = [[try add("a.jpg")]]
    let kept = await makeService().keep([StepRequest(.files(.trash), forShots: shots)])[0]
    let journal = StepJournal(folder: folder.appending("state".utf8).printable) { _ in }
    var lock = StepLock(try #require(kept.id), of: journal)
    #expect(lock != nil)
    _ = await makeService().resume()
    #expect(await makeService().write(kept).parts.map(\.outcome) == [.waiting(nil)])
    #expect(await makeService().undo()?.failures.first?.hasPrefix("Another Tintype is still at work on") == true)
    #expect(try names(in: photos) == ["a.jpg"])
    withExtendedLifetime(lock) {}
    lock = nil
    _ = await makeService().resume()
    #expect(try names(in: photos) == [])
  }

  /// Otherwise, another copy could make it late, with the paths of before a later step.
  @Test func aStepThatWasKeptBelongsToItsWriter() async throws {
    let service = makeService()
    let kept = await service.keep([StepRequest(.files(.trash), forShots: [[try add("a.jpg")]])])[0]
    _ = await makeService().resume()
    #expect(try names(in: photos) == ["a.jpg"])
    #expect(await service.write(kept).parts.map(\.outcome) == [.done])
    #expect(try names(in: photos) == [])
  }

  /// Thousands of steps can wait for a disk, and a process may have no more than a thousand descriptors.
  @Test func aLockOfManyStepsIsReleasedStepByStep() throws {
    let journal = StepJournal(folder: folder.appending("state".utf8).printable) { _ in }
    try FileManager.default.createDirectory(
      atPath: folder.appending("state".utf8).printable, withIntermediateDirectories: true)
    let lock = StepLock(Set(1...3000), of: journal)
    #expect(lock.steps.count == 3000)
    #expect(StepLock(Set(1...4000), of: journal).steps == Set(3001...4000))
    lock.release([1500])
    #expect(StepLock(Set(1...3000), of: journal).steps == [1500])
    lock.release()
    #expect(StepLock(Set(1...3000), of: journal).steps.count == 3000)
  }

  #if os(Linux)
    /// A process that is being started has a copy of every descriptor until it executes its program.
    @Test func aLockEndsWhileAnotherProcessHasItsFile() throws {
      let journal = StepJournal(folder: folder.appending("state".utf8).printable) { _ in }
      try FileManager.default.createDirectory(
        atPath: folder.appending("state".utf8).printable, withIntermediateDirectories: true)
      let lock = try #require(StepLock(1, of: journal))
      let path = folder.appending("state/journal.lock".utf8).printable
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      }
      let copies = descriptors.compactMap { Int32($0) }.map { dup($0) }
      defer { for copy in copies { close(copy) } }
      #expect(copies.count == 1)
      lock.release()
      #expect(StepLock(1, of: journal) != nil)
    }
  #endif

  /// The journal learns of each slice when it is written.
  @Test func aSliceEndsWhenItsFilesReachTheSizeOrAFileIsChangedAgain() {
    func part(of photo: FilePath, copying size: Int64) -> PartWriter.PlannedPart {
      PartWriter.PlannedPart(
        part: StepJournal.Part(photo: .file(photo), undo: Data(), redo: Data()), isUndone: false,
        plan: StepPlan(
          operation: SidecarOperation.exact(SidecarChange()), inverse: nil, effect: Step.Effect(), copiedSize: size,
          busy: StepFault(title: "", message: ""), write: { .written() }), isElsewhere: false)
    }
    let parts = [("/a", 40), ("/b", 59), ("/c", 1), ("/d", 7), ("/e", 0), ("/d", 0)]
      .map { part(of: FilePath($0), copying: Int64($1)) }
    #expect(parts.slices(copying: 100).map(\.count) == [3, 2, 1])
  }
}
