import Gallery
import Services

/// Reports what steps could not do, each reason once.
@MainActor
final class StepReports {
  /// Called with the reason why changes could not be kept.
  var onAlert: (Alert) -> Void = { _ in }
  /// Called with what was not done.
  var onNote: (String) -> Void = { _ in }

  /// The failures that were reported.
  private var reported: Set<String> = []
  /// Whether the user knows that changes wait until they can be written.
  private var isWaiting = false

  /// Reports the outcome of a step.
  func report(_ step: Step) {
    if step.succeeded.isEmpty, let sentence = step.missingText { onNote(sentence) }
    let news = step.faults.filter { reported.insert($0.message).inserted }
    let others = news.count - 1
    let more = localized(
      "There is one more like this.", plural: "There are \(others.grouped) more like this.", count: others)
    let reasons = news.prefix(1).map(\.message) + (others > 0 ? [more] : [])
    guard step.isWaiting else {
      isWaiting = false
      if let first = news.first {
        onAlert(Alert(title: first.title, message: reasons.joined(separator: " ")))
      } else if !step.faults.isEmpty {
        onNote(localized("Not kept: \(step.title)"))
      }
      return
    }
    // The user knows after the first of many, as of a cull on a disk that is full.
    guard !isWaiting, let first = news.first else {
      if !step.title.isEmpty { onNote(localized("Not written yet: \(step.title)")) }
      return
    }
    isWaiting = true
    let next = localized("Until then, Tintype keeps the change.")
    onAlert(Alert(title: first.title, message: (reasons + [next]).joined(separator: " ")))
  }
}
