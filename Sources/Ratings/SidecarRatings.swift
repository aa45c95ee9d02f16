import Foundation
import Gallery
import Services
import Sidecars
import Store
import WorkerPool

/// Keeps ratings in XMP sidecars next to the photos, and the steps in a journal.
public actor SidecarRatings: RatingServiceProtocol {
  private let sidecars: Sidecars
  private let journal: StepJournal
  private let now: @Sendable () -> Date

  /// Creates a service.
  public init(sidecars: Sidecars = Sidecars(), journal: StepJournal, now: @escaping @Sendable () -> Date = { .now }) {
    (self.sidecars, self.journal, self.now) = (sidecars, journal, now)
  }

  public func make(_ change: RatingChange, for photos: [FilePath]) async -> RatingStep {
    let subject =
      photos.count == 1 ? String(decoding: photos[0].name, as: UTF8.self).printable : "\(photos.count) photos"
    let title = "\(change.text): \(subject)"
    let outcome = await apply(photos.map { ($0, SidecarChange(change)) })
    var failures = outcome.failures
    if !outcome.results.isEmpty {
      do throws(APIError) {
        try await journal.add(title, outcome.parts(isUndone: false), date: now())
      } catch {
        failures.append("The step can't be undone. \(error.message)")
      }
    }
    return RatingStep(title: title, ratings: outcome.ratings, failures: failures)
  }

  public func undo() async -> RatingStep? { await turn(isUndone: true) }

  public func redo() async -> RatingStep? { await turn(isUndone: false) }

  private func turn(isUndone: Bool) async -> RatingStep? {
    do throws(APIError) {
      guard let (step, parts) = try await isUndone ? journal.lastStep() : journal.lastUndoneStep() else { return nil }
      let changes = parts.compactMap { part in
        (try? SidecarChange(journaled: isUndone ? part.undo : part.redo)).map { (part.photo, $0) }
      }
      let outcome = await apply(changes)
      // A photo that is gone must not keep the earlier steps from being undone.
      try await journal.setUndone(isUndone, step: step.id, outcome.parts(isUndone: isUndone))
      return RatingStep(title: step.title, ratings: outcome.ratings, failures: outcome.failures)
    } catch {
      return RatingStep(title: "", ratings: [:], failures: [error.message])
    }
  }

  /// The outcome of changes of several photos.
  private struct Outcome: Sendable {
    var results: [(photo: FilePath, change: SidecarChange, result: Sidecars.Result)] = []
    var failures: [String] = []

    var ratings: [FilePath: PhotoRating] {
      Dictionary(
        results.map { ($0.photo, PhotoRating(stars: $0.result.decisions.rating, label: $0.result.decisions.label)) },
        uniquingKeysWith: { $1 })
    }

    /// Returns the parts of a step that was made or made again, or of one that was undone.
    func parts(isUndone: Bool) -> [StepJournal.Part] {
      results.map { photo, change, result in
        let (made, inverse) = (change.journaled, result.inverse.journaled)
        return StepJournal.Part(photo: photo, undo: isUndone ? made : inverse, redo: isUndone ? inverse : made)
      }
    }
  }

  /// Changes sidecars in their order.
  private func apply(_ changes: [(FilePath, SidecarChange)]) async -> Outcome {
    await Task(executorPreference: WorkerPool.shared) { [sidecars] in
      var outcome = Outcome()
      for (photo, change) in changes {
        do throws(SidecarError) {
          outcome.results.append((photo, change, try sidecars.apply(change, to: photo)))
        } catch {
          outcome.failures.append(error.message)
        }
      }
      return outcome
    }.value
  }
}

extension SidecarChange {
  fileprivate init(_ change: RatingChange) {
    self.init()
    switch change {
    case .stars(let stars): rating = .set(stars)
    case .label(let name): label = name.map { .set($0) } ?? .remove
    }
  }

  /// Creates a change from a journal.
  fileprivate init(journaled bytes: Data) throws { self = try JSONDecoder().decode(SidecarChange.self, from: bytes) }

  /// The change for a journal.
  fileprivate var journaled: Data { (try? JSONEncoder().encode(self)) ?? Data() }
}
