import Gallery

/// A service that keeps what users decide about photos, and can undo each step in the open folder, also those of earlier
/// sessions.
///
/// A change is kept first, which is quick, and written then:
///
/// ```swift
/// let steps = await service.keep(changes)
/// for step in steps { show(await service.write(step)) }
/// ```
///
/// The caller waits for the answer to a call before the next one. Only ``keep(_:)`` may be called while steps are written, so
/// that a slow disk with photos delays no promise.
public protocol DecisionServiceProtocol: Sendable {
  /// Keeps changes, each as a step. When the call returns, not even a crash can lose them.
  func keep(_ changes: [RequestedChange]) async -> [KeptStep]
  /// Writes a step that was kept. The steps are written in the order in which they were kept.
  func write(_ step: KeptStep) async -> DecisionStep
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
  /// Keeps a change for photos in files as one step, and writes it.
  public func make(_ change: DecisionChange, for photos: [Photo], called subject: String? = nil) async -> DecisionStep {
    let steps = await keep([RequestedChange(change, for: photos, called: subject)])
    return await write(steps[0])
  }
}

/// A change that the user has requested for photos in files.
public struct RequestedChange: Sendable {
  /// The change.
  public let change: DecisionChange
  /// The photos.
  public let photos: [Photo]
  /// The photos in words for the step's title, or nil for the name of one file or the number of several.
  public let subject: String?

  /// Creates a request.
  public init(_ change: DecisionChange, for photos: [Photo], called subject: String? = nil) {
    self.change = change
    self.photos = photos
    self.subject = subject
  }
}

/// A step that was kept and has to be written.
public struct KeptStep: Sendable {
  /// The step in words.
  public let title: String
  /// The number of the step in the journal, or nil if it could not be kept.
  public let id: Int64?
  /// The sentence that says why the step could not be kept, or nil if it was.
  public let failure: String?

  /// Creates a step.
  public init(title: String, id: Int64?, failure: String? = nil) {
    self.title = title
    self.id = id
    self.failure = failure
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
