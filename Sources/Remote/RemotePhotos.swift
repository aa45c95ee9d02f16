import Gallery
import Photos
import Services
import Synchronization
import WorkerPool

/// A source of the photos on another machine, which that machine's own source fetches. While the connection is broken, the photos
/// stay.
public struct RemotePhotos: APIServiceProtocol {
  private let connection: RemoteConnection

  /// Creates the source of a connection that is open.
  public init(_ connection: RemoteConnection) { self.connection = connection }

  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { answers in
      let task = Task(executorPreference: WorkerPool.shared) {
        while !Task.isCancelled {
          await fetch(answers)
          if Task.isCancelled { break }
          await connection.untilConnected()
        }
        answers.finish()
      }
      answers.onTermination = { _ in task.cancel() }
    }
  }

  /// Fetches until the connection breaks.
  private func fetch(_ answers: PhotoStream.Continuation) async {
    guard let (channel, events) = connection.fetchPhotos() else { return }
    var last = PhotoSnapshot()
    loop: for await event in events {
      if case .broken = event {
        last.retriedError = .remote(.broken(machine: connection.address.machine))
        answers.yield(.success(last))
      }
      guard case .answer(let answer, true) = event, let base = connection.base else { break }
      switch answer {
      case .snapshot(let news):
        guard let snapshot = try? news.snapshot(after: last.photos, base: base) else {
          answers.yield(.failure(.remote(.invalidMessage(machine: base.machine))))
          break loop
        }
        connection.send(RemoteCoding.bytes(.received), on: channel)
        last = snapshot
        answers.yield(.success(snapshot))
      case .answer(.refused(let message)): answers.yield(.failure(.remote(.told(message))))
      case .answer, .image, .bytes: break loop
      }
    }
    connection.cancel(channel)
  }
}
