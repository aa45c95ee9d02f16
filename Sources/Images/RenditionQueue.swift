import Dispatch
import ImageWire

/// Renders or appraises images for asynchronous callers. Requests wait while all workers are busy.
@MainActor
public final class RenditionQueue {
  private let workers: [ImageWorker]
  private var answers: [UInt32: CheckedContinuation<ImageAnswer, Never>] = [:]
  private var waiting: [ImageRequest] = []

  /// Creates a queue, and starts its first worker.
  /// - Parameters:
  ///   - workerPath: The path of the worker's executable.
  ///   - workerCount: The most workers that run at once.
  ///   - isInBackground: Whether other processes go first.
  public convenience init(workerPath: String, workerCount: Int, isInBackground: Bool = false) {
    self.init(
      workerPath: workerPath, workerCount: workerCount, arguments: isInBackground ? ["--background"] : [],
      patience: ImageWorker.usualPatience)
  }

  /// - Parameters:
  ///   - arguments: The arguments of the workers.
  ///   - patience: The time after which a worker that does not answer is killed.
  init(workerPath: String, workerCount: Int, arguments: [String], patience: DispatchTimeInterval) {
    let starts = WorkerStarts()
    workers = (0..<max(1, workerCount)).map { _ in
      ImageWorker(path: workerPath, patience: patience, arguments: arguments, starts: starts)
    }
    for worker in workers { worker.onAnswer = { [weak self] in self?.receive($0) } }
    workers[0].startEarly()
  }

  /// Returns the answer to a request.
  /// - Parameter request: A request whose number no other waiting request has.
  public func render(_ request: ImageRequest) async -> ImageAnswer {
    await withCheckedContinuation { continuation in
      answers[request.number] = continuation
      waiting.append(request)
      startWaiting()
    }
  }

  /// Ends the workers, and waits for them, so that the system counts their processor time as this process's.
  public func stop() async {
    for worker in workers { await worker.stop() }
  }

  private func startWaiting() {
    for worker in workers where worker.isIdle && !waiting.isEmpty { worker.send(waiting.removeFirst()) }
  }

  private func receive(_ answer: ImageAnswer) {
    startWaiting()
    answers.removeValue(forKey: answer.number)?.resume(returning: answer)
  }
}
