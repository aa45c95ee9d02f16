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

/// A service that holds each answer until the test gives it.
actor HeldService: APIServiceProtocol {
  private(set) var asked = 0
  private var held: [Int: CheckedContinuation<Result<Page<Photo>, APIError>, Never>] = [:]
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  func fetchPopularPhotos() async throws(APIError) -> Page<Photo> {
    try await hold().get()
  }

  private func hold() async -> Result<Page<Photo>, APIError> {
    await withCheckedContinuation { continuation in
      held[asked] = continuation
      asked += 1
      for waiter in waiting where asked >= waiter.count { waiter.continuation.resume() }
      waiting.removeAll { asked >= $0.count }
    }
  }

  /// Gives the answer to the fetch of this number, counted from 0, as soon as it is asked for.
  func answer(_ number: Int, _ answer: Result<Page<Photo>, APIError>) async {
    await waitUntilAsked(number + 1)
    held.removeValue(forKey: number)?.resume(returning: answer)
  }

  func waitUntilAsked(_ count: Int) async {
    guard asked < count else { return }
    await withCheckedContinuation { waiting.append((count, $0)) }
  }
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
