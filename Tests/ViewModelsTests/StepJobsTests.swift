import Gallery
import Services
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct StepJobsTests {
  private let clock = ManualClock()
  private let jobs: StepJobs
  private let held = Held<String, Void>()

  init() {
    let clock = clock
    let start = ContinuousClock.now
    jobs = StepJobs(clock: clock) { start + ManualClock.Instant().duration(to: clock.now) }
  }

  private func add(_ title: String) -> Task<Void, Never> {
    jobs.add(title) { [held] _ in try? await held.ask(title) }
  }

  @Test func theProgressOfALongStepIsShown() async throws {
    var shown: [String?] = []
    jobs.onChange = { [jobs] in shown.append(jobs.shown?.progress?.text) }
    let job = add("Copy 300 photos to x")
    try await held.waitUntilAsked(1)
    #expect(jobs.shown == nil && jobs.all.map(\.title) == ["Copy 300 photos to x"])
    // It waits for the journal.
    try await clock.wait(forSleepers: 1)
    clock.advance(by: .milliseconds(500))
    try await clock.wait(forSleepers: 1)
    #expect(jobs.shown == nil && shown.isEmpty)
    jobs.all[0].work.update {
      $0 = StepProgress(total: 300)
      $0.done = 100
      $0.planned = 300
      $0.plannedSize = 300_000_000
      $0.copiedSize = 100_000_000
    }
    clock.advance(by: .milliseconds(500))
    try await clock.wait(forSleepers: 1)
    jobs.all[0].work.update {
      $0.done = 200
      $0.copiedSize = 200_000_000
    }
    clock.advance(by: .milliseconds(500))
    try await clock.wait(forSleepers: 1)
    #expect(shown == ["100 of 300", "200 of 300 · 200 MB/s · 1 s left"])
    try await held.answer(0, .success(()))
    await job.value
    #expect(jobs.all.isEmpty && shown.last == .some(nil))
    #expect(clock.sleeperCount == 0)
  }

  @Test func stepsFollowEachOther() async throws {
    let tasks = ["one", "two"].map(add)
    try await held.waitUntilAsked(1)
    #expect(jobs.all.map(\.title) == ["one", "two"])
    #expect(await held.requests == ["one"])
    try await held.answer(0, .success(()))
    try await held.answer(1, .success(()))
    for task in tasks { await task.value }
    #expect(await held.requests == ["one", "two"])
    #expect(jobs.all.isEmpty)
  }
}
