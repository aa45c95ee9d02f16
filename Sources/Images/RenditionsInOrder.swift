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
  private let prefersPreviews: Bool
  private var requests: ArraySlice<RenditionRequest>
  private var answers: ArraySlice<Task<RenditionAnswer, Never>> = []

  /// Starts the first requests.
  /// - Parameters:
  ///   - most: The most requests that have been started and whose answers have not been used.
  ///   - prefersPreviews: Whether a preview that is sharp enough takes the place of its image.
  public init(
    _ requests: [RenditionRequest], from queue: RenditionQueue, atMost most: Int, prefersPreviews: Bool = false
  ) {
    self.prefersPreviews = prefersPreviews
    self.queue = queue
    self.most = max(1, most)
    self.requests = requests[...]
    start()
  }

  /// Returns the next answer; nil after the last.
  public mutating func next() async -> RenditionAnswer? {
    guard let answer = answers.popFirst() else { return nil }
    start()
    return await answer.value
  }

  private mutating func start() {
    while answers.count < most, let request = requests.popFirst() {
      answers.append(
        Task.onMainActor { [queue, prefersPreviews] in
          prefersPreviews ? await queue.renderPreferringPreview(request) : await queue.render(request)
        })
    }
  }
}
