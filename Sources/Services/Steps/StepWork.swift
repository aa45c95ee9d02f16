import Synchronization

/// The work on a step: its progress, which the service reports, and the user's wish to stop it.
///
/// The caller creates one for each call of a ``StepServiceProtocol``, and reads it whenever it likes:
///
/// ```swift
/// let work = StepWork()
/// async let step = service.write(kept, work)
/// show(work.progress.fraction)
/// work.stop()
/// ```
///
/// The service stops between two photos. The photos that are left become a step that can be made again.
public final class StepWork: Sendable {
  private let state = Mutex(State())

  private struct State {
    var progress = StepProgress()
    var isStopped = false
  }

  /// Creates work that has not begun.
  public init() {}

  /// The progress at the moment.
  public var progress: StepProgress { state.withLock { $0.progress } }

  /// Whether the user has stopped the work.
  public var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Stops the work before its next photo.
  public func stop() { state.withLock { $0.isStopped = true } }

  /// Changes the progress. The service calls this, from any thread.
  public func update(_ body: (inout StepProgress) -> Void) { state.withLock { body(&$0.progress) } }
}
