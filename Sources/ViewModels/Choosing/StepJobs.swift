import Gallery
import Services
import WorkerPool

/// The steps that are being written, undone or made again, one after the other.
///
/// Most take a moment. The progress of one that takes longer is shown in ``shown``, and the user can stop it:
///
/// ```swift
/// let written = jobs.add("Copy to backup: 300 photos") { work in show(await service.write(step, work)) }
/// jobs.shown?.progress  // 120 of 300 · 85 MB/s · 40 s left
/// jobs.shown?.stop()
/// ```
@MainActor
public final class StepJobs {
  /// The work on one step.
  @MainActor
  public final class Job {
    /// The step in words.
    public let title: String
    /// The progress, or nil while the work has not taken half a second.
    public fileprivate(set) var progress: ShownProgress?
    /// Whether the user has stopped the work, which ends after the photo that is being written.
    public var isStopped: Bool { work.isStopped }
    let work = StepWork()
    /// The progress when the first photos were seen to be done, from which the rest is estimated.
    fileprivate var first: (progress: StepProgress, time: ContinuousClock.Instant)?

    init(_ title: String) { self.title = title }

    /// Stops the work between two photos.
    public func stop() { work.stop() }
  }

  /// Called when the progress has changed that is shown.
  var onChange: () -> Void = {}
  /// The jobs: the first one is at work, and the others wait for it.
  public private(set) var all: [Job] = []
  /// The end of the last job.
  private(set) var last: Task<Void, Never>?
  private let clock: any Clock<Duration>
  private let now: () -> ContinuousClock.Instant

  /// The time between two looks at the progress, and the time before the first one.
  private static let interval = Duration.milliseconds(500)

  init(clock: any Clock<Duration>, now: @escaping () -> ContinuousClock.Instant = { .now }) {
    self.clock = clock
    self.now = now
  }

  /// The job that has taken so long that its progress is shown, or nil if there is none.
  public var shown: Job? { all.first { $0.progress != nil } }

  /// Does work after that of the earlier jobs.
  func add(_ title: String, _ body: @escaping @MainActor (Job) async -> Void) -> Task<Void, Never> {
    let job = Job(title)
    all.append(job)
    let task = Task.onMainActor { [self, before = last] in
      await before?.value
      let watching = watch(job)
      await body(job)
      watching.cancel()
      all.removeAll { $0 === job }
      if job.progress != nil { onChange() }
    }
    last = task
    return task
  }

  private func watch(_ job: Job) -> Task<Void, Never> {
    Task.onMainActor { [weak self, clock] in
      while (try? await clock.sleep(for: Self.interval)) != nil, let self {
        // While a step waits for the journal, it has no progress.
        let progress = job.work.progress
        guard progress.total > 0 else { continue }
        if job.first == nil, progress.fraction > 0 { job.first = (progress, now()) }
        job.progress = progress.shown(since: job.first.map { ($0.progress, $0.time.duration(to: now())) })
        onChange()
      }
    }
  }
}
