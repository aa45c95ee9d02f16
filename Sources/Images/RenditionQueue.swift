import ImageWire

/// Renders images one by one for whoever waits for each; more at once than there are workers wait their turn.
@MainActor
public final class RenditionQueue {
  private let workers: [ImageWorker]
  private var answers: [UInt32: CheckedContinuation<RenditionAnswer, Never>] = [:]
  private var waiting: [RenditionRequest] = []

  /// - Parameters:
  ///   - workerPath: The worker's executable, which is started now.
  ///   - workerCount: At most this many run at once.
  public init(workerPath: String, workerCount: Int) {
    workers = (0..<max(1, workerCount)).map { _ in ImageWorker(path: workerPath) }
    for worker in workers { worker.onAnswer = { [weak self] in self?.receive($0) } }
    workers[0].startEarly()
  }

  /// - Parameter request: With a number of its own.
  public func render(_ request: RenditionRequest) async -> RenditionAnswer {
    await withCheckedContinuation { continuation in
      answers[request.number] = continuation
      waiting.append(request)
      startWaiting()
    }
  }

  private func startWaiting() {
    for worker in workers where worker.isIdle && !waiting.isEmpty { worker.send(waiting.removeFirst()) }
  }

  private func receive(_ answer: RenditionAnswer) {
    startWaiting()
    answers.removeValue(forKey: answer.number)?.resume(returning: answer)
  }
}
