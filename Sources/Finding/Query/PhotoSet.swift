import Gallery

/// A set of photos that a query may ask for after `is:` or `has:`, and that the photos themselves don't show.
public enum PhotoSet: String, Hashable, Sendable, CaseIterable {
  /// The photos that the user has marked.
  case mark
  /// The photos that are there in several files.
  case duplicates
}

/// The identifiers of the photos in each set. A set that is missing is not known yet, and empty until then.
public typealias PhotoSets = [PhotoSet: Set<Photo.ID>]
