import Foundation
import Gallery

/// Returns a photo whose identifier is made of its name.
func photo(
  _ name: String, isForSale: Bool? = nil, camera: String? = nil, description: String? = nil,
  at image: ImageLocation = .file("/a.jpg"), metadata: PhotoMetadata? = nil
) -> Photo {
  Photo(
    id: name.hashValue, name: name, description: description, createdAt: Date(timeIntervalSince1970: 0),
    imageURL: "a.jpg", image: image, isForSale: isForSale, camera: camera, author: "N", license: "CC0-1.0",
    metadata: metadata)
}

/// The requests to a service, each of which is held until the test answers it.
actor Held<Request: Sendable, Answer: Sendable> {
  private(set) var requests: [Request] = []
  private var held: [Int: CheckedContinuation<Result<Answer, APIError>, Never>] = [:]
  private var waiting: [(count: Int, wait: Wait)] = []
  /// The waits that end when the requests are canceled, one for each request.
  private var cancellations: [Wait] = []

  /// Makes a request, and returns the answer that the test gives.
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

  /// Waits for a request and answers it.
  ///
  /// - Parameter number: The number of the request, counted from 0.
  func answer(_ number: Int, _ answer: Result<Answer, APIError>) async throws {
    try await waitUntilAsked(number + 1)
    held.removeValue(forKey: number)?.resume(returning: answer)
  }

  /// Waits until a request is canceled.
  func waitUntilCanceled(_ number: Int) async throws {
    try await waitUntilAsked(number + 1)
    guard await cancellations[number].hasEnded() else {
      throw Wait.TimedOut(what: "the cancellation of request \(number)", seen: "it is still in progress")
    }
  }

  /// Waits until a number of requests have been made.
  func waitUntilAsked(_ count: Int) async throws {
    guard requests.count < count else { return }
    let wait = Wait()
    waiting.append((count, wait))
    guard await wait.hasEnded() else { throw Wait.TimedOut(what: "request \(count)", seen: "\(requests)") }
  }
}

/// The calls of hooks and the changes of outputs, in their order.
@MainActor
final class History {
  private(set) var entries: [String] = []
  private var waiting: (count: Int, wait: Wait)?

  func add(_ entry: String) {
    entries.append(entry)
    if let waiting, entries.count >= waiting.count { waiting.wait.end() }
  }

  /// Waits until there are a number of entries.
  func wait(for count: Int, within limit: Duration = Wait.limit) async throws {
    guard entries.count < count else { return }
    let wait = Wait()
    waiting = (count, wait)
    guard await wait.hasEnded(within: limit) else {
      throw Wait.TimedOut(what: "\(count) entries", seen: "\(entries)")
    }
  }
}
