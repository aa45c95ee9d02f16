import ImageWire
import WorkerPool

/// The answers to requests, in the order of the requests.
///
/// While the caller uses one answer, the next ones are rendered. There are never more than a few of them, so many requests
/// take no more memory than a few.
@MainActor
public struct RenditionsInOrder {
  private let queue: RenditionQueue
  private let most: Int
  private var requests: ArraySlice<ImageRequest>
  private var answers: ArraySlice<Task<ImageAnswer, Never>> = []

  /// Starts the first requests.
  /// - Parameter most: The most requests that have been started and whose answers have not been used.
  public init(_ requests: [ImageRequest], from queue: RenditionQueue, atMost most: Int) {
    self.queue = queue
    self.most = max(1, most)
    self.requests = requests[...]
    start()
  }

  /// Returns the next answer; nil after the last.
  public mutating func next() async -> ImageAnswer? {
    guard let answer = answers.popFirst() else { return nil }
    start()
    return await answer.value
  }

  private mutating func start() {
    while answers.count < most, let request = requests.popFirst() {
      answers.append(Task.onMainActor { [queue] in await queue.render(request) })
    }
  }
}
