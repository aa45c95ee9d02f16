import Gallery
import Services

@testable import Steps

extension StepService {
  /// Keeps a change for photos in files as one step, and writes it.
  func make(_ change: DecisionChange, for photos: [Photo]) async -> Step {
    let steps = await keep([StepRequest(.decision(change), for: photos)])
    return await write(steps[0])
  }
}

extension Step {
  /// The decisions about the photos that are as the step wants them, or will be.
  var decisions: [FilePath: PhotoDecisions] {
    parts.filter { succeeded.contains($0.photo) }.reduce(into: [:]) { decisions, part in
      guard let path = part.photo.file else { return }
      decisions[path] = PhotoDecisions().applying(part.effect.decisions.shown)
    }
  }

  var waiting: Set<FilePath> { Set(parts.filter(\.outcome.isWaiting).compactMap(\.photo.file)) }

  var failures: [String] { faults.map(\.message) }
}
