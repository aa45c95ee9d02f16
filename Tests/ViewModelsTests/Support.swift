import Foundation
import Gallery
import Services

func photo(
  _ name: String, isForSale: Bool? = nil, camera: String? = nil, description: String? = nil,
  createdAt: Date = Date(timeIntervalSince1970: 0)
) -> Photo {
  Photo(
    id: name.hashValue, name: name, description: description, createdAt: createdAt, imageURL: "a.jpg",
    image: .file("/a.jpg"), isForSale: isForSale, camera: camera, author: "N", license: "CC0-1.0")
}

func page(_ names: String...) -> Page<Photo> {
  Page(items: names.map { photo($0) })
}

/// Holds each answer of a service until the test gives it.
actor Held<Request: Sendable, Answer: Sendable> {
  private(set) var requests: [Request] = []
  private var held: [Int: CheckedContinuation<Result<Answer, APIError>, Never>] = [:]
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  func ask(_ request: Request) async throws(APIError) -> Answer {
    try await hold(request).get()
  }

  private func hold(_ request: Request) async -> Result<Answer, APIError> {
    await withCheckedContinuation { continuation in
      held[requests.count] = continuation
      requests.append(request)
      for waiter in waiting where requests.count >= waiter.count { waiter.continuation.resume() }
      waiting.removeAll { requests.count >= $0.count }
    }
  }

  /// Gives the answer to the request of this number, counted from 0, as soon as it is made.
  func answer(_ number: Int, _ answer: Result<Answer, APIError>) async {
    await waitUntilAsked(number + 1)
    held.removeValue(forKey: number)?.resume(returning: answer)
  }

  func waitUntilAsked(_ count: Int) async {
    guard requests.count < count else { return }
    await withCheckedContinuation { waiting.append((count, $0)) }
  }
}

final class HeldService: APIServiceProtocol {
  private let photos = Held<Void, Page<Photo>>()

  var asked: Int { get async { await photos.requests.count } }

  func fetchPopularPhotos() async throws(APIError) -> Page<Photo> { try await photos.ask(()) }

  func answer(_ number: Int, _ answer: Result<Page<Photo>, APIError>) async { await photos.answer(number, answer) }

  func waitUntilAsked(_ count: Int) async { await photos.waitUntilAsked(count) }
}

/// What hooks have said, in order.
@MainActor
final class History {
  private(set) var entries: [String] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  func add(_ entry: String) {
    entries.append(entry)
    guard let waiting, entries.count >= waiting.count else { return }
    self.waiting = nil
    waiting.continuation.resume()
  }

  /// Waits until there are so many entries.
  func wait(for count: Int) async {
    guard entries.count < count else { return }
    await withCheckedContinuation { waiting = (count, $0) }
  }
}
