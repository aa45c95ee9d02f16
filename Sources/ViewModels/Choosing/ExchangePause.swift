import Gallery
import WorkerPool

/// The moment after another shot of a stack has taken the place of the one that the user saw. Decisions are refused in it,
/// because the user may press a key for the shot before.
@MainActor
public final class ExchangePause {
  /// Called when the pause is over.
  public var onEnd: () -> Void = {}

  private let clock: any Clock<Duration>
  private var running: Task<Void, Never>?

  /// The time that the user needs to see that another shot has appeared.
  private static let length = Duration.milliseconds(400)

  /// Creates a pause that has not begun.
  public init(clock: any Clock<Duration>) { self.clock = clock }

  deinit { running?.cancel() }

  /// The reason why no decision is accepted at the moment, or nil.
  public var refusal: String? {
    running == nil ? nil : localized("Another shot of the stack has just appeared. Press the key again.")
  }

  /// Begins the pause, or begins it again.
  public func begin() {
    running?.cancel()
    running = Task.onMainActor { [weak self, clock] in
      guard (try? await clock.sleep(for: Self.length)) != nil, let self else { return }
      running = nil
      onEnd()
    }
  }

  /// Ends the pause early, because the user looks at another photo.
  public func end() {
    running?.cancel()
    running = nil
  }
}
