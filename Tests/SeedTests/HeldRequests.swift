import Gallery

/// The requests to a mock service. Each is held until the test answers it.
@MainActor
final class HeldRequests<Request: Sendable, Answer: Sendable> {
  private let recorder = Recorder<Request>()
  private var held: [CheckedContinuation<Result<Answer, APIError>, Never>] = []
  private var answeredCount = 0

  /// The requests, the oldest first.
  var requests: [Request] { recorder.entries }

  /// Makes a request, and returns the answer that the test gives.
  func ask(_ request: Request) async throws(APIError) -> Answer { try await hold(request).get() }

  /// Waits until a number of requests have been made.
  func wait(for count: Int) async throws { try await recorder.wait(for: count) }

  /// Waits for the oldest request without an answer, and answers it.
  func answer(_ answer: Result<Answer, APIError>) async throws {
    answeredCount += 1
    try await wait(for: answeredCount)
    held.removeFirst().resume(returning: answer)
  }

  private func hold(_ request: Request) async -> Result<Answer, APIError> {
    await withCheckedContinuation { continuation in
      held.append(continuation)
      recorder.add(request)
    }
  }
}
