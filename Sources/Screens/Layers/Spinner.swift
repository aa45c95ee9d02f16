import Gallery
import Terminal
import WorkerPool

/// The sign of work in progress. The whole screen shares one, which turns while it is used.
@MainActor
final class SharedSpinner {
  /// A use of the spinner, which keeps it turning as long as the object lives.
  @MainActor
  final class Use {
    private let onEnd: @MainActor () -> Void

    fileprivate init(onEnd: @escaping @MainActor () -> Void) { self.onEnd = onEnd }

    isolated deinit { onEnd() }
  }

  /// Called after each turn, to request a frame.
  var onTurn: () -> Void = {}

  private let clock: any Clock<Duration>
  private var users = 0
  private var step = 0
  private var turning: Task<Void, Never>?

  private static let symbols = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"]
  /// The time between two turns.
  private static let interval = Duration.milliseconds(80)

  init(clock: any Clock<Duration>) { self.clock = clock }

  var symbol: String { Self.symbols[step % Self.symbols.count] }

  /// The sentence that a failed request is made again.
  var retryText: String { localized("\(symbol) Trying again…") }

  func use() -> Use {
    users += 1
    if users == 1 { start() }
    return Use { [weak self] in self?.end() }
  }

  private func end() {
    users -= 1
    guard users == 0 else { return }
    turning?.cancel()
    turning = nil
  }

  private func start() {
    step = 0
    // A screen reader would read each turn.
    guard !Charset.isPlain else { return onTurn() }
    turning = Task.onMainActor { [weak self, clock] in
      while (try? await clock.sleep(for: Self.interval)) != nil {
        guard let self else { return }
        step += 1
        onTurn()
      }
    }
  }
}
