import Gallery

/// A step, as far as it has been kept, written, undone or made again.
public struct Step: Hashable, Codable, Sendable {
  /// The step in words.
  public let title: String
  /// The number of the step in the journal; nil if it could not be kept, or if several steps were undone together.
  public let id: Int64?
  /// The parts that were tried, in their order. A photo can occur several times; the last one counts.
  public var parts: [Part]
  /// The reason why the journal could not be read or written, or nil if it was.
  public var fault: StepFault?
  /// Whether the step, which was undone or made again, rates photos and does nothing else.
  public var isRating = false

  /// Creates a step.
  public init(title: String, id: Int64? = nil, parts: [Part] = [], fault: StepFault? = nil) {
    self.title = title
    self.id = id
    self.parts = parts
    self.fault = fault
  }

  /// The part of a step that concerns one photo.
  public struct Part: Hashable, Codable, Sendable {
    /// The location of the photo, which identifies it.
    public let photo: ImageLocation
    /// The outcome.
    public let outcome: Outcome
    /// The effect on the photo, also while the part waits.
    public let effect: Effect
    /// The reason why a part was not made completely although it is done, such as a backup that failed; nil if it was.
    public let shortfall: StepFault?

    /// Creates a part.
    public init(
      _ photo: ImageLocation, _ outcome: Outcome, _ effect: Effect = Effect(), shortfall: StepFault? = nil
    ) {
      self.photo = photo
      self.outcome = outcome
      self.effect = effect
      self.shortfall = shortfall
    }
  }

  /// The outcome of a part.
  public enum Outcome: Hashable, Codable, Sendable {
    /// The part was made or undone.
    case done
    /// There was nothing to change.
    case needless
    /// The photo is no longer there, so nothing was changed.
    case missing
    /// The part waits until it can be written, with the reason why that failed, if it was tried.
    case waiting(StepFault?)
    /// The part was given up.
    case failed(StepFault)

    /// Whether the part was given up.
    public var isGivenUp: Bool { if case .failed = self { true } else { false } }

    /// Whether the part waits.
    public var isWaiting: Bool { if case .waiting = self { true } else { false } }
  }

  /// The values that a photo shows after a part, in place of those that its source has read before.
  public struct Effect: Hashable, Codable, Sendable {
    /// The decisions that the photo has, and those that it no longer has.
    public var decisions = DecisionEdits()

    /// Creates an effect; without decisions, one that changes nothing.
    public init(decisions: DecisionEdits = DecisionEdits()) { self.decisions = decisions }
  }
}

extension Step {
  /// The faults of the journal and of the parts.
  public var faults: [StepFault] {
    [fault].compactMap(\.self)
      + parts.compactMap {
        switch $0.outcome {
        case .waiting(let fault): fault
        case .failed(let fault): fault
        case .done, .needless, .missing: $0.shortfall
        }
      }
  }

  /// Whether parts wait until they can be written.
  public var isWaiting: Bool { parts.contains { $0.outcome.isWaiting } }

  /// Whether the step can be undone. A step that changes nothing can't.
  public var isInJournal: Bool { parts.contains { $0.outcome == .done || $0.outcome.isWaiting } }

  /// The photos that are as the step wants them, or will be.
  public var succeeded: Set<ImageLocation> {
    Set(parts.filter { [.done, .needless].contains($0.outcome) || $0.outcome.isWaiting }.map(\.photo))
  }

  /// The photos that are no longer there.
  public var missing: [ImageLocation] { parts.filter { $0.outcome == .missing }.map(\.photo) }
}

/// A reason why a step or a part of it could not be kept or written.
public struct StepFault: Error, Hashable, Codable, Sendable {
  /// The failed action as the title of an alert.
  public let title: String
  /// Printable sentences that say what happened and what the user can do.
  public let message: String
  /// Whether the other photos of the folder will probably fail, too.
  public let concernsFolder: Bool

  /// Creates a fault.
  public init(title: String, message: String, concernsFolder: Bool = false) {
    self.title = title
    self.message = message
    self.concernsFolder = concernsFolder
  }
}
