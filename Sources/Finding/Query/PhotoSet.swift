import Gallery

/// A set of photos that a query may ask for, and that the photos themselves don't show.
public enum PhotoSet: Hashable, Sendable {
  /// The photos that the user has marked.
  case mark
  /// The photos that are there in several files.
  case duplicates
  /// The photos whose images fit a text, which the server of the photos finds.
  case fitting(String)
  /// The photos in a collection of the user's, whose name is written in any case.
  case collection(String)

  /// The sets that the user asks for by their names after `has:`.
  static let named: [(name: String, set: PhotoSet)] = [("mark", .mark), ("duplicates", .duplicates)]
}

/// The identifiers of the photos in each set. A set that is missing is not known yet, and empty until then.
public typealias PhotoSets = [PhotoSet: Set<Photo.ID>]
