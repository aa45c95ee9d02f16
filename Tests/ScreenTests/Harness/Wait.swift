/// One wait for a condition of a session.
struct Wait: Sendable {
  /// Whether a wait has been given up; guarded by the monitor of the session.
  ///
  /// `@unchecked Sendable`: `isCancelled` is used only with that monitor held.
  final class Ticket: @unchecked Sendable {
    var isCancelled = false
  }

  let core: SessionCore
  /// What is waited for, for the error.
  let description: String
  let timeout: Duration
  var ticket = Ticket()
  /// Whether the end of the program makes the condition impossible.
  var endsWithProgram = true

  /// Blocks until `accept` makes a value of what `sample`, with the monitor held, returns.
  ///
  /// `accept` runs without the monitor, so that it may use the session.
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

  /// Runs a wait on a thread of its own, so that no thread of the cooperative pool is blocked.
  ///
  /// Cancelling the task ends the wait with a `CancellationError`.
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
