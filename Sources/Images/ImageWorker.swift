import Dispatch
import Foundation
import ImageWire

/// A worker process, started again after each end.
@MainActor
final class ImageWorker {
  /// Called once for every request, with what came of it.
  var onAnswer: (RenditionAnswer) -> Void = { _ in }

  private let path: String
  private let patience: DispatchTimeInterval
  private var connection: Connection<RenditionAnswer>?
  private var underWay: RenditionRequest?
  /// Whether the request under way was for a process just started, or has been given to one.
  private var hasBeenRetried = false

  /// A little more than a worker allows itself for an image: it normally ends by itself.
  static let usualPatience = DispatchTimeInterval.seconds(65)

  /// - Parameter patience: How long an answer may take before the process is killed.
  init(path: String, patience: DispatchTimeInterval = usualPatience) {
    self.path = path
    self.patience = patience
  }

  var isIdle: Bool { underWay == nil }

  /// Starts the process before there is anything to do. Where that fails, the first request will say so.
  func startEarly() {
    connection = try? start()
  }

  func send(_ request: RenditionRequest) {
    underWay = request
    hasBeenRetried = connection == nil
    transmit(request)
  }

  private func transmit(_ request: RenditionRequest) {
    do throws(WorkerStartFailed) {
      if connection == nil { connection = try start() }
      connection?.send(request.framed, patience: patience)
    } catch {
      // Answered later, as every other answer is: the caller is in the middle of a frame.
      let reason = "The image worker cannot be started (\(error.reason)); reinstall Tintype"
      DispatchQueue.main.async { MainActor.assumeIsolated { self.answer(.failure(reason)) } }
    }
  }

  private func start() throws(WorkerStartFailed) -> Connection<RenditionAnswer> {
    let connection = try Connection<RenditionAnswer>(executable: path)
    connection.onMessage = { [weak self] in self?.answer($0.content, info: $0.info) }
    connection.onEnd = { [weak self] in self?.end($0) }
    return connection
  }

  private func end(_ reason: WorkerEndReason) {
    connection = nil
    // It may have been gone before the image was asked for, and the image be innocent.
    if case .broken = reason, !hasBeenRetried, let request = underWay {
      hasBeenRetried = true
      transmit(request)
    } else {
      answer(.failure(reason.description))
    }
  }

  private func answer(_ content: RenditionAnswer.Content, info: ImageInfo = ImageInfo()) {
    guard let number = underWay?.number else { return }
    underWay = nil
    onAnswer(RenditionAnswer(number: number, content: content, info: info))
  }
}
