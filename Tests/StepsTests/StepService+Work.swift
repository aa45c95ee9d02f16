import Services

@testable import Steps

// Calls of which nobody follows the work.
extension StepService {
  func write(_ step: Step) async -> Step { await write(step, StepWork()) }
  func undo() async -> Step? { await undo(StepWork()) }
  func undoSession() async -> Step? { await undoSession(StepWork()) }
  func redo() async -> Step? { await redo(StepWork()) }
  func resume() async -> Step? { await resume(StepWork()) }
}

extension StepWriting {
  var isWritten: Bool { if case .written = self { true } else { false } }
}
