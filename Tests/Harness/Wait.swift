/// A wait for a condition of a session.
struct Wait: Sendable {
  /// The cancellation state of a wait.
  ///
  /// `@unchecked Sendable`: `isCancelled` is used only with the session's monitor held.
  final class Ticket: @unchecked Sendable {
    var isCancelled = false
  }

  let core: SessionCore
  /// The condition in words, for the error.
  let description: String
  let timeout: Duration
  var ticket = Ticket()
  /// Whether the end of the program makes the condition impossible.
  var endsWithProgram = true

  /// Blocks until `accept` returns a value for the result of `sample`, and returns that value.
  ///
  /// `sample` runs with the monitor held. `accept` runs without it, so that it may use the session.
  func run<Sample, Value>(
    sample: (SessionCore) -> Sample, accept: (Sample) throws -> Value?
  ) throws -> Value {
    let deadline = Deadline(after: timeout)
    while true {
      let (seen, taken, hasEnded, isClosed, isCancelled) = core.monitor.withLock {
        (core.generation, sample(core), core.exitStatus != nil, core.isClosed, ticket.isCancelled)
      }
      if isCancelled { throw CancellationError() }
      if let value = try accept(taken) { return value }
      if isClosed { throw failure(.sessionClosed) }
      if hasEnded, endsWithProgram, core.monitor.withLock({ core.members.isEmpty }) { throw failure(.programEnded) }
      let isLate = core.monitor.withLock {
        while core.generation == seen {
          if !core.monitor.wait(until: deadline) { return core.generation == seen }
        }
        return deadline.hasPassed
      }
      if isLate { throw failure(.timedOut) }
    }
  }

  /// Runs a wait on a new thread, so that no thread of the cooperative pool is blocked.
  ///
  /// Canceling the task ends the wait with a `CancellationError`.
  func onThread<Value: Sendable>(_ body: @escaping @Sendable (Wait) throws -> Value) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        HarnessThread { continuation.resume(with: Result { try body(self) }) }.detach()
      }
    } onCancel: {
      core.monitor.withLock {
        ticket.isCancelled = true
        core.wakeWaits()
      }
    }
  }

  private func failure(_ kind: HarnessError.Kind) -> HarnessError {
    let (screen, status, output, isUpdating) = core.monitor.withLock {
      (core.screen, core.exitStatus, core.output, core.isUpdating)
    }
    let reason =
      switch kind {
      case .timedOut: "waited \(timeout) for \(description)"
      case .programEnded: "the program ended before \(description)"
      case .sessionClosed: "the session was closed before \(description)"
      case .systemCall(let number): "system call error \(number) before \(description)"
      }
    let cursor = screen.cursor
    var lines = [
      reason, "program: \(status.map(\.description) ?? "running")",
      "screen \(screen.size), cursor at row \(cursor.row) column \(cursor.column), "
        + "\(cursor.visible ? "visible" : "hidden"):",
    ]
    if isUpdating { lines.append("(inside a synchronized update)") }
    lines += screen.framedText
    lines.append("end of the output: " + String(decoding: output.suffix(200), as: UTF8.self).debugDescription)
    return HarnessError(kind: kind, description: lines.joined(separator: "\n"))
  }
}
