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
  private let onUpdate: @Sendable (StepProgress) -> Void

  private struct State {
    var progress = StepProgress()
    var isStopped = false
  }

  /// Creates work that has not begun.
  ///
  /// - Parameter onUpdate: Called after each change of the progress, on any thread.
  public init(onUpdate: @escaping @Sendable (StepProgress) -> Void = { _ in }) { self.onUpdate = onUpdate }

  /// The progress at the moment.
  public var progress: StepProgress { state.withLock { $0.progress } }

  /// Whether the user has stopped the work.
  public var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Stops the work before its next photo.
  public func stop() { state.withLock { $0.isStopped = true } }

  /// Changes the progress. The service calls this, from any thread.
  public func update(_ body: (inout StepProgress) -> Void) {
    let progress = state.withLock { state in
      body(&state.progress)
      return state.progress
    }
    onUpdate(progress)
  }
}
