import Foundation
import Gallery
import ImageWire

/// Reads the metadata of photos in worker processes, which run as long as there is something to read.
@MainActor
public final class MetadataWorkers {
  private struct Waiting {
    let request: MetadataRequest
    let answer: (Result<Answer, Failure>) -> Void
  }

  /// An answer, and the worker that has sent it.
  private struct Answer: Sendable {
    let metadata: UndecodedMetadata
    let worker: Connection<UndecodedMetadata>
  }

  private enum Failure: Error {
    case notStarted(reason: String)
    /// The process has ended because of one of the files.
    case ended
  }

  private let path: String
  private let mostWorkers: Int
  private var workers: [ObjectIdentifier: Connection<UndecodedMetadata>] = [:]
  private var idle: [Connection<UndecodedMetadata>] = []
  private var waiting: [Waiting] = []
  /// The workers that are being ended because of an answer. What they have been asked meanwhile is not the cause.
  private var discarded: Set<ObjectIdentifier> = []
  private let starts = WorkerStarts()
  /// The number of calls that wait for metadata. While there are any, the processes may get more to read.
  private var callers = 0

  /// The first argument of Tintype's executable that makes it a worker for metadata.
  public nonisolated static let argument = "--metadata-worker"

  /// The time for all files of a request. A worker ends by itself at a file that takes a minute.
  private static let patience = DispatchTimeInterval.seconds(90)
  /// The longest request in bytes, which a socket takes at once.
  private nonisolated static let longestRequest = 1 << 16

  /// Creates the workers without starting a process.
  /// - Parameters:
  ///   - workerPath: The path of Tintype's own executable.
  ///   - workerCount: The most processes that run at once.
  public init(workerPath: String, workerCount: Int) {
    path = workerPath
    mostWorkers = max(1, workerCount)
  }

  /// Returns one result for each photo, in their order. One process reads all of them in turn, so callers ask for some
  /// dozens at a time.
  public nonisolated func metadata(of photos: [FoundPhoto]) async -> [Result<MetadataRecord, PhotoFault>] {
    await begin()
    let results = await results(of: photos)
    await end()
    return results
  }

  private func begin() { callers += 1 }

  private func end() {
    callers -= 1
    guard callers == 0 else { return }
    workers = [:]
    idle = []
    discarded = []
  }

  /// Ends a worker that a file has taken over.
  private func discard(_ worker: Connection<UndecodedMetadata>) {
    let id = ObjectIdentifier(worker)
    guard workers[id] === worker else { return }
    idle.removeAll { $0 === worker }
    discarded.insert(id)
    worker.reject()
  }

  private nonisolated func results(of photos: [FoundPhoto]) async -> [Result<MetadataRecord, PhotoFault>] {
    guard !photos.isEmpty else { return [] }
    let request = MetadataRequest(subjects: photos)
    if photos.count > 1, request.framed.count > Self.longestRequest { return await resultsOfHalves(photos) }
    do {
      let answer = try await ask(request).get()
      do throws(WireError) {
        return try answer.metadata.decoded(count: photos.count).results
      } catch {
        await discard(answer.worker)
        throw Failure.ended
      }
    } catch Failure.notStarted(let reason) {
      return photos.map { _ in .failure(.noWorker(reason: reason)) }
    } catch {
      // Halving the request finds the file that ended the process, and reads the others.
      return photos.count > 1 ? await resultsOfHalves(photos) : [.failure(.harmful)]
    }
  }

  private nonisolated func resultsOfHalves(_ photos: [FoundPhoto]) async -> [Result<MetadataRecord, PhotoFault>] {
    let middle = photos.count / 2
    return await results(of: Array(photos[..<middle])) + results(of: Array(photos[middle...]))
  }

  private func ask(_ request: MetadataRequest) async -> Result<Answer, Failure> {
    await withCheckedContinuation { continuation in
      waiting.append(Waiting(request: request) { continuation.resume(returning: $0) })
      startWorkers()
    }
  }

  private func startWorkers() {
    while !waiting.isEmpty, let worker = idle.popLast() { sendNext(to: worker) }
    while !waiting.isEmpty, workers.count < mostWorkers {
      let worker = Connection<UndecodedMetadata>(executable: path, arguments: [Self.argument], starts: starts)
      workers[ObjectIdentifier(worker)] = worker
      sendNext(to: worker)
    }
  }

  private func sendNext(to worker: Connection<UndecodedMetadata>) {
    let id = ObjectIdentifier(worker)
    guard !waiting.isEmpty else {
      worker.onEnd = { [weak self] _ in
        self?.workers[id] = nil
        self?.discarded.remove(id)
        self?.idle.removeAll { ObjectIdentifier($0) == id }
        self?.startWorkers()
      }
      idle.append(worker)
      return
    }
    let next = waiting.removeFirst()
    worker.onMessage = { [weak self, unowned worker] metadata in
      next.answer(.success(Answer(metadata: metadata, worker: worker)))
      self?.sendNext(to: worker)
      return true
    }
    worker.onEnd = { [weak self] fault in
      guard let self else { return next.answer(.failure(.ended)) }
      workers[id] = nil
      if discarded.remove(id) != nil {
        waiting.insert(next, at: 0)
        return startWorkers()
      }
      retryOrFail(next, fault)
    }
    worker.send(next.request.framed, patience: Self.patience)
  }

  private func retryOrFail(_ request: Waiting, _ fault: ImageFault) {
    guard case .noWorker(let reason) = fault else {
      request.answer(.failure(.ended))
      return startWorkers()
    }
    if workers.isEmpty {
      request.answer(.failure(.notStarted(reason: reason)))
      startWorkers()
    } else {
      // The processes that are running will read it.
      waiting.insert(request, at: 0)
      if let worker = idle.popLast() { sendNext(to: worker) }
    }
  }
}
