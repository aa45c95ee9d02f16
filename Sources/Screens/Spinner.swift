import Terminal
import WorkerPool

/// The sign that something is under way: one for the whole screen, turning while anybody uses it.
@MainActor
final class SharedSpinner {
  /// Keeps the spinner turning as long as it lives.
  @MainActor
  final class Use {
    private let onEnd: @MainActor () -> Void

    fileprivate init(onEnd: @escaping @MainActor () -> Void) { self.onEnd = onEnd }

    isolated deinit { onEnd() }
  }

  /// Called when it has turned.
  var onTurn: () -> Void = {}

  private let clock: any Clock<Duration>
  private var users = 0
  private var step = 0
  private var turning: Task<Void, Never>?

  private static let symbols = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"]
  /// How long one image of it stands.
  private static let interval = Duration.milliseconds(80)

  init(clock: any Clock<Duration>) { self.clock = clock }

  var symbol: String { Self.symbols[step % Self.symbols.count] }

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
    turning = Task.onMainActor { [weak self, clock] in
      while (try? await clock.sleep(for: Self.interval)) != nil {
        guard let self else { return }
        step += 1
        onTurn()
      }
    }
  }
}
