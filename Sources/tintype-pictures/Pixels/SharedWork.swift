import Dispatch
import Synchronization

/// Work that several threads share: each takes the next piece when it has finished one.
///
/// Each thread has a serial queue. Dispatch reads in `/proc` how busy the threads of concurrent queues are, and crashes if it
/// can't, as in a decoder.
final class SharedWork: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var idle: [DispatchQueue]
  }

  private let state: Mutex<State>
  private let group = DispatchGroup()

  init(threads: Int) {
    state = Mutex(State(idle: (0..<threads).map { DispatchQueue(label: "shared work \($0)") }))
  }

  /// Has a thread do a piece of the work.
  func add(_ piece: @escaping @Sendable () -> Void) {
    let queue = state.withLock { state in
      state.waiting.append(piece)
      return state.idle.popLast()
    }
    queue?.async(group: group) { [self] in while let piece = next(for: queue) { piece() } }
  }

  /// Waits until all pieces are done.
  func wait() { group.wait() }

  private func next(for queue: DispatchQueue?) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      if let queue { state.idle.append(queue) }
      return nil
    }
  }

  /// Calls `body` with each number below `shares`, on as many threads, and waits for all of them.
  static func perform(shares: Int, _ body: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      let work = SharedWork(threads: max(0, shares - 1))
      for share in 1..<max(1, shares) { work.add { body(share) } }
      if shares > 0 { body(0) }
      work.wait()
    }
  }
}
