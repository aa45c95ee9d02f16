import Gallery

/// A service that keeps the ratings of photos, and can undo each change.
///
/// The caller waits for the answer to a call before the next one.
public protocol RatingServiceProtocol: Sendable {
  /// Makes a change for photos in one step.
  ///
  /// - Returns: The step. It contains only the photos whose ratings could be kept.
  func make(_ change: RatingChange, for photos: [FilePath]) async -> RatingStep
  /// Undoes the last step, or returns nil if there is none. A step without ratings has failures that say why.
  func undo() async -> RatingStep?
  /// Makes the step again that was undone last, or returns nil if there is none.
  func redo() async -> RatingStep?
}

/// A step that was made, undone, or made again.
public struct RatingStep: Hashable, Sendable {
  /// The change in words.
  public let title: String
  /// The ratings of the photos after the step.
  public let ratings: [FilePath: PhotoRating]
  /// The sentences about the photos whose ratings could not be kept. Each says what the user can do.
  public let failures: [String]

  /// Creates a step.
  public init(title: String, ratings: [FilePath: PhotoRating], failures: [String] = []) {
    (self.title, self.ratings, self.failures) = (title, ratings, failures)
  }
}
