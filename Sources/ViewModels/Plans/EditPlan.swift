import Gallery
import Photos
import Services

/// Changes that photos get each in its own way, before the user agrees.
public protocol EditPlan: Sendable {
  /// What the changes come from.
  var origin: DecisionChange.Plan { get }
  /// The number of photos that change.
  var photoCount: Int { get }
  /// The change of each file. The first one is an example.
  var changes: [(photo: Photo, edits: DecisionEdits)] { get }
}

/// A file with the decisions that it shows.
public typealias ShownFile = (photo: Photo, decisions: PhotoDecisions)

extension EditPlan {
  /// The request that makes the changes as one step.
  ///
  /// - Parameter shown: Returns the decisions that a photo shows.
  public func request(showing shown: (Photo) -> PhotoDecisions = { PhotoDecisions($0.metadata) }) -> StepRequest {
    StepRequest(
      changes.map { ($0.photo, .planned($0.edits, by: origin)) }, called: photoCount == 1 ? nil : photoCount.photosText,
      showing: shown)
  }
}
