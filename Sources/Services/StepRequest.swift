import Gallery

/// A change of photos that the user has requested, which becomes one step.
public struct StepRequest: Sendable {
  /// The kinds of changes. For each, `Steps` has an operation.
  public enum Change: Hashable, Sendable {
    /// The user decides about the photos.
    case decision(DecisionChange)

    /// Whether the outcome depends on what the photo's own file contains.
    public var dependsOnFile: Bool {
      switch self {
      case .decision(let change): change.dependsOnFile
      }
    }

    /// Returns the change of named photos in words, such as `3 stars on Dune`.
    public func title(for name: String) -> String {
      switch self {
      case .decision(let change): change.title(for: name)
      }
    }
  }

  /// One of the photos.
  public struct Target: Sendable {
    /// The photo.
    public let photo: Photo
    /// The decisions that the photo showed before the change; nil if it has not been read.
    public let shown: PhotoDecisions?
  }

  /// The change.
  public let change: Change
  /// The photos.
  public let targets: [Target]
  /// The step in words.
  public let title: String

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - name: The photos in words, or nil for the name of one file or the number of several.
  ///   - shown: Returns the decisions that a photo shows.
  public init(
    _ change: Change, for photos: [Photo], called name: String? = nil,
    showing shown: (Photo) -> PhotoDecisions = { PhotoDecisions($0.metadata) }
  ) {
    self.change = change
    targets = photos.map { Target(photo: $0, shown: $0.metadata == nil ? nil : shown($0)) }
    title = change.title(for: name ?? Self.name(of: photos))
  }

  private static func name(of photos: [Photo]) -> String {
    photos.count == 1
      ? photos[0].file?.printableName ?? photos[0].name
      : localized("\(photos.count) photo", plural: "\(photos.count) photos", count: photos.count)
  }
}
