import Dispatch
import Foundation
import Gallery
import ImageWire

/// A worker process for images. It is started again whenever it has ended.
@MainActor
final class ImageWorker {
  /// Called once for every request, with its answer.
  var onAnswer: (ImageAnswer) -> Void = { _ in }

  private let path: String
  private let patience: DispatchTimeInterval
  private let arguments: [String]
  private let starts: WorkerStarts
  private var connection: Connection<ImageAnswer>?
  /// The request that is being worked on.
  private(set) var underWay: ImageRequest?
  /// The time at which the last request was sent.
  private(set) var lastStart = ContinuousClock.now
  /// Whether the current request has been given to a newly started process.
  private var hasBeenRetried = false

  /// The time for an answer: a little more than a worker allows itself, so that it normally ends by itself.
  static let usualPatience = DispatchTimeInterval.seconds(65)

  /// Creates a worker whose process is not running yet.
  /// - Parameters:
  ///   - patience: The time after which a process that does not answer is killed.
  ///   - arguments: The arguments of the process.
  ///   - starts: The starts of this worker and of others with the same program.
  init(
    path: String, patience: DispatchTimeInterval = usualPatience, arguments: [String] = [],
    starts: WorkerStarts = WorkerStarts()
  ) {
    self.path = path
    self.starts = starts
    self.patience = patience
    self.arguments = arguments
  }

  /// Whether no request is being worked on.
  var isIdle: Bool { underWay == nil }

  /// Starts the process before there is a request. If that fails, the first request will report it.
  func startEarly() {
    connection = start()
  }

  /// Sends a request, starting the process if necessary.
  func send(_ request: ImageRequest) {
    underWay = request
    lastStart = .now
    hasBeenRetried = connection == nil
    transmit(request)
  }

  /// Ends the process, and waits until it has ended. Its request is not answered.
  func stop() async {
    underWay = nil
    let connection = connection
    self.connection = nil
    await connection?.stop()
  }

  private func transmit(_ request: ImageRequest) {
    let connection = connection ?? start()
    self.connection = connection
    connection.send(request.framed, longest: request.longestAnswer, patience: patience)
  }

  private func start() -> Connection<ImageAnswer> {
    let connection = Connection<ImageAnswer>(executable: path, arguments: arguments, starts: starts)
    connection.onMessage = { [weak self] in self?.receive($0) ?? true }
    connection.onEnd = { [weak self] in self?.end($0) }
    return connection
  }

  private func end(_ fault: ImageFault) {
    connection = nil
    // The process may have crashed, or been taken over, before the request, so that the image is not the cause.
    if [.crashed, .invalidAnswer, .endsAtOnce].contains(fault), !hasBeenRetried, let request = underWay {
      hasBeenRetried = true
      transmit(request)
    } else {
      answer(.failure(fault))
    }
  }

  private func receive(_ answer: ImageAnswer) -> Bool {
    guard let request = underWay, answer.isAnswer(to: request) else { return false }
    self.answer(answer.content, info: answer.info)
    return true
  }

  private func answer(_ content: ImageAnswer.Content, info: ImageInfo = ImageInfo()) {
    guard let number = underWay?.number else { return }
    underWay = nil
    onAnswer(ImageAnswer(number: number, content: content, info: info))
  }
}
