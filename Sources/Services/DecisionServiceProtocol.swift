import Gallery

/// A service that keeps what users decide about photos, and can undo each step in the open folder, also those of earlier
/// sessions.
///
/// The caller waits for the answer to a call before the next one.
public protocol DecisionServiceProtocol: Sendable {
  /// Makes a change for photos in files in one step.
  ///
  /// - Parameter subject: The photos in words for the step's title, or nil for the name of one file or the number of several.
  func make(_ change: DecisionChange, for photos: [Photo], called subject: String?) async -> DecisionStep
  /// Undoes the last step, or returns nil if there is none.
  func undo() async -> DecisionStep?
  /// Undoes all steps of the latest session that has steps to undo, or returns nil if there is none.
  func undoSession() async -> DecisionStep?
  /// Makes the step again that was undone last, or returns nil if there is none.
  func redo() async -> DecisionStep?
  /// Tries again to keep what could not be kept before, also in earlier sessions. Returns nil if there is nothing.
  func resume() async -> DecisionStep?
}

extension DecisionServiceProtocol {
  /// Makes a change for photos in files in one step.
  public func make(_ change: DecisionChange, for photos: [Photo]) async -> DecisionStep {
    await make(change, for: photos, called: nil)
  }
}

/// A step that was made, undone, or made again.
public struct DecisionStep: Hashable, Sendable {
  /// The step in words.
  public let title: String
  /// The decisions about the photos after the step, as their sidecars hold them.
  public let decisions: [FilePath: PhotoDecisions]
  /// The photos whose decisions wait until they can be kept.
  public let waiting: Set<FilePath>
  /// The sentences about the photos whose decisions could not be kept. Each says what the user can do.
  public let failures: [String]
  /// Whether the step can be undone. A step that changes nothing can't.
  public let isInJournal: Bool

  /// Creates a step.
  public init(
    title: String, decisions: [FilePath: PhotoDecisions], waiting: Set<FilePath> = [], failures: [String] = [],
    isInJournal: Bool = true
  ) {
    (self.title, self.decisions, self.waiting, self.failures) = (title, decisions, waiting, failures)
    self.isInJournal = isInJournal
  }
}
