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
        var shown: PhotoSnapshot?
        while !Task.isCancelled {
          await fetch(answers, &shown)
          if Task.isCancelled { break }
          await connection.untilConnected()
        }
        answers.finish()
      }
      answers.onTermination = { _ in task.cancel() }
    }
  }

  /// Fetches until the connection breaks.
  /// - Parameter shown: The photos that the list has; nil before the first ones.
  private func fetch(_ answers: PhotoStream.Continuation, _ shown: inout PhotoSnapshot?) async {
    guard let (channel, events) = connection.fetchPhotos() else { return }
    let before = shown
    var last = PhotoTable()
    loop: for await event in events {
      if case .broken = event {
        var stale = shown ?? PhotoSnapshot()
        stale.retriedError = .remote(.broken(machine: connection.address.machine))
        answers.yield(.success(stale))
      }
      guard case .answer(let answer, true) = event, let base = connection.base else { break }
      switch answer {
      case .snapshot(let news):
        guard let snapshot = try? news.snapshot(after: last, base: base) else {
          answers.yield(.failure(.remote(.invalidMessage(machine: base.machine))))
          break loop
        }
        connection.send(RemoteCoding.bytes(.received), on: channel)
        last = snapshot.photos
        // What was shown before the connection broke stays until it has been read again, so that no row vanishes meanwhile.
        if let before, !snapshot.isComplete, before.isComplete || snapshot.photos.count < before.photos.count {
          answers.yield(.success(before))
        } else {
          shown = snapshot
          answers.yield(.success(snapshot))
        }
      case .answer(.refused(let message)): answers.yield(.failure(.remote(.told(message))))
      case .answer, .image, .bytes: break loop
      }
    }
    connection.cancel(channel)
  }
}
