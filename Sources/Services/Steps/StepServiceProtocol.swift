import Gallery

/// A service that changes photos in steps, and can undo each step in the open folder, also those of earlier sessions.
///
/// A step is kept first, which is quick, and written then:
///
/// ```swift
/// let steps = await service.keep(requests)
/// for step in steps { show(await service.write(step, StepWork())) }
/// ```
///
/// Calls that write report their progress to a ``StepWork``, which stops them, too.
///
/// The caller waits for the answer to a call before the next one. Only ``keep(_:)`` may be called while steps are written, undone or
/// made again, so that a slow disk with photos delays no promise. Steps that are kept and not written yet come after those that
/// are undone or made again.
public protocol StepServiceProtocol: Sendable {
  /// Keeps requests, each as a step. When the call returns, not even a crash can lose them.
  func keep(_ requests: [StepRequest]) async -> [Step]
  /// Writes a step that was kept. The steps are written in the order in which they were kept.
  func write(_ step: Step, _ work: StepWork) async -> Step
  /// Undoes the last step, or returns nil if there is none.
  func undo(_ work: StepWork) async -> Step?
  /// Undoes all steps of the latest session that has steps to undo, or returns nil if there is none.
  func undoSession(_ work: StepWork) async -> Step?
  /// Makes the step again that was undone last, or returns nil if there is none.
  func redo(_ work: StepWork) async -> Step?
  /// Tries again to write what could not be written before, also in earlier sessions. Returns nil if there is nothing.
  func resume(_ work: StepWork) async -> Step?

  /// Returns the sizes and conflicts that a change of files would find, without making it.
  func forecast(_ change: FileChange, of files: [FilePath]) async -> FileForecast

  /// Returns the room and the conflicts that exports would find, without making them. Their sizes are unknown.
  func forecast(_ exports: [PhotoExport]) async -> FileForecast

  /// Returns the order in which photos can be renamed, or why they can't, without renaming them.
  func forecast(_ renames: [FileRename]) async -> RenameForecast
}
