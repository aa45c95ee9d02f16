import Foundation
import Gallery

func photo(
  _ name: String, isForSale: Bool? = nil, camera: String? = nil, description: String? = nil,
  createdAt: Date = Date(timeIntervalSince1970: 0)
) -> Photo {
  Photo(
    id: name.hashValue, name: name, description: description, createdAt: createdAt, imageURL: "a.jpg",
    image: .file("/a.jpg"), isForSale: isForSale, camera: camera, author: "N", license: "CC0-1.0")
}

/// Holds each answer of a service until the test gives it.
actor Held<Request: Sendable, Answer: Sendable> {
  private(set) var requests: [Request] = []
  private var held: [Int: CheckedContinuation<Result<Answer, APIError>, Never>] = [:]
  private var waiting: [(count: Int, wait: Wait)] = []
  /// Of each request, the end of the wait for somebody to give it up.
  private var cancellations: [Wait] = []

  func ask(_ request: Request) async throws(APIError) -> Answer {
    try await hold(request).get()
  }

  private func hold(_ request: Request) async -> Result<Answer, APIError> {
    let cancellation = Wait()
    cancellations.append(cancellation)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        held[requests.count] = continuation
        requests.append(request)
        for waiter in waiting where requests.count >= waiter.count { waiter.wait.end() }
        waiting.removeAll { requests.count >= $0.count }
      }
    } onCancel: {
      cancellation.end()
    }
  }

  /// Gives the answer to the request of this number, counted from 0, as soon as it is made.
  func answer(_ number: Int, _ answer: Result<Answer, APIError>) async throws {
    try await waitUntilAsked(number + 1)
    held.removeValue(forKey: number)?.resume(returning: answer)
  }

  /// Waits until whoever made the request of this number does not wait for its answer any more.
  func waitUntilCancelled(_ number: Int) async throws {
    try await waitUntilAsked(number + 1)
    guard await cancellations[number].hasEnded() else {
      throw Wait.TimedOut(what: "the end of request \(number)", seen: "it is still waited for")
    }
  }

  func waitUntilAsked(_ count: Int) async throws {
    guard requests.count < count else { return }
    let wait = Wait()
    waiting.append((count, wait))
    guard await wait.hasEnded() else { throw Wait.TimedOut(what: "request \(count)", seen: "\(requests)") }
  }
}

/// What hooks have said, in order.
@MainActor
final class History {
  private(set) var entries: [String] = []
  private var waiting: (count: Int, wait: Wait)?

  func add(_ entry: String) {
    entries.append(entry)
    if let waiting, entries.count >= waiting.count { waiting.wait.end() }
  }

  /// Waits until there are so many entries.
  func wait(for count: Int, within limit: Duration = Wait.limit) async throws {
    guard entries.count < count else { return }
    let wait = Wait()
    waiting = (count, wait)
    guard await wait.hasEnded(within: limit) else {
      throw Wait.TimedOut(what: "\(count) entries", seen: "\(entries)")
    }
  }
}
