import Dispatch
import Foundation
import PictureWire

/// A worker process, started again after each end.
@MainActor
final class PictureWorker {
  /// Called once for every request, with what came of it.
  var onAnswer: (PictureAnswer) -> Void = { _ in }

  private let path: String
  private var connection: Connection?
  private var underWay: UInt32?

  /// A little more than the worker allows itself: it normally ends a picture that takes too long by itself.
  private static let patience = DispatchTimeInterval.seconds(12)

  init(path: String) { self.path = path }

  var isIdle: Bool { underWay == nil }

  /// Starts the process before there is anything to do. Where that fails, the first request will say so.
  func startEarly() {
    connection = try? start()
  }

  func send(_ request: PictureRequest) {
    underWay = request.number
    do throws(Connection.StartFailed) {
      if connection == nil { connection = try start() }
      connection?.send(request.framed, patience: Self.patience)
    } catch {
      // Answered later, as every other answer is: the caller is in the middle of a frame.
      let reason = "The picture worker cannot be started (\(error.reason)); reinstall Tintype"
      DispatchQueue.main.async { MainActor.assumeIsolated { self.answer(.failure(reason)) } }
    }
  }

  private func start() throws(Connection.StartFailed) -> Connection {
    let connection = try Connection(executable: path)
    connection.onMessage = { [weak self] in self?.answer($0.content) }
    connection.onEnd = { [weak self] reason in
      self?.connection = nil
      self?.answer(.failure(reason))
    }
    return connection
  }

  private func answer(_ content: PictureAnswer.Content) {
    guard let number = underWay else { return }
    underWay = nil
    onAnswer(PictureAnswer(number: number, content: content))
  }
}
