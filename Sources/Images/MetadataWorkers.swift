import Foundation
import Gallery
import ImageWire

/// Reads what photos' files say of them, in processes of their own that live as long as there is something to read.
@MainActor
public final class MetadataWorkers {
  private struct Waiting {
    let request: MetadataRequest
    let answer: (Result<UndecodedMetadata, Failure>) -> Void
  }

  private enum Failure: Error {
    case notStarted(reason: String)
    /// The process is gone: one of the files was too much for it.
    case ended
  }

  private let path: String
  private let mostWorkers: Int
  private var workers: [ObjectIdentifier: Connection<UndecodedMetadata>] = [:]
  private var idle: [Connection<UndecodedMetadata>] = []
  private var waiting: [Waiting] = []
  /// How many wait for metadata; while somebody does, there will be more to read.
  private var callers = 0

  /// How long a worker may take for all the files of a request. It ends by itself at a file that takes a minute.
  private static let patience = DispatchTimeInterval.seconds(90)
  /// In bytes: what a socket takes at once.
  private nonisolated static let longestRequest = 1 << 16

  /// - Parameters:
  ///   - workerPath: The worker's executable.
  ///   - workerCount: At most this many run at once.
  public init(workerPath: String, workerCount: Int) {
    path = workerPath
    mostWorkers = max(1, workerCount)
  }

  /// One result for each of the photos, in their order. What is asked for together is read by one process, one after
  /// the other: ask for some dozens at a time.
  public nonisolated func metadata(of photos: [FoundPhoto]) async -> [Result<PhotoMetadata, PhotoFault>] {
    await begin()
    let results = await results(of: photos)
    await end()
    return results
  }

  private func begin() { callers += 1 }

  private func end() {
    callers -= 1
    guard callers == 0 else { return }
    (workers, idle) = ([:], [])
  }

  private nonisolated func results(of photos: [FoundPhoto]) async -> [Result<PhotoMetadata, PhotoFault>] {
    guard !photos.isEmpty else { return [] }
    let request = MetadataRequest(subjects: photos)
    if photos.count > 1, request.framed.count > Self.longestRequest { return await resultsOfHalves(photos) }
    do {
      let answer = try await ask(request).get().decoded()
      guard answer.results.count == photos.count else { throw WireError.malformed }
      return answer.results
    } catch Failure.notStarted(let reason) {
      let fault = PhotoFault.notAsked(reason: "the image worker cannot be started (\(reason)); reinstall Tintype")
      return photos.map { _ in .failure(fault) }
    } catch {
      // The others need not suffer for the one.
      return photos.count > 1 ? await resultsOfHalves(photos) : [.failure(.harmful)]
    }
  }

  private nonisolated func resultsOfHalves(_ photos: [FoundPhoto]) async -> [Result<PhotoMetadata, PhotoFault>] {
    let middle = photos.count / 2
    return await results(of: Array(photos[..<middle])) + results(of: Array(photos[middle...]))
  }

  private func ask(_ request: MetadataRequest) async -> Result<UndecodedMetadata, Failure> {
    await withCheckedContinuation { continuation in
      waiting.append(Waiting(request: request) { continuation.resume(returning: $0) })
      startWorkers()
    }
  }

  private func startWorkers() {
    while !waiting.isEmpty, let worker = idle.popLast() { sendNext(to: worker) }
    while !waiting.isEmpty, workers.count < mostWorkers {
      do throws(WorkerStartFailed) {
        let worker = try Connection<UndecodedMetadata>(executable: path, arguments: ["--metadata"])
        workers[ObjectIdentifier(worker)] = worker
        sendNext(to: worker)
      } catch {
        // Those who run already will come to it.
        guard workers.isEmpty else { return }
        waiting.removeFirst().answer(.failure(.notStarted(reason: error.reason)))
      }
    }
  }

  private func sendNext(to worker: Connection<UndecodedMetadata>) {
    let id = ObjectIdentifier(worker)
    guard !waiting.isEmpty else {
      worker.onEnd = { [weak self] _ in
        self?.workers[id] = nil
        self?.idle.removeAll { ObjectIdentifier($0) == id }
      }
      idle.append(worker)
      return
    }
    let next = waiting.removeFirst()
    worker.onMessage = { [weak self, unowned worker] metadata in
      next.answer(.success(metadata))
      self?.sendNext(to: worker)
    }
    worker.onEnd = { [weak self] _ in
      self?.workers[id] = nil
      next.answer(.failure(.ended))
      self?.startWorkers()
    }
    worker.send(next.request.framed, patience: Self.patience)
  }
}
