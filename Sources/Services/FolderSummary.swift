import Gallery

/// The photos in a folder and in those below it.
public struct FolderSummary: Hashable, Sendable {
  /// The number of photos, by their names alone.
  public var photoCount = 0
  /// The first photo; nil if there is none.
  public var cover: ImageLocation?

  /// Creates the summary of a folder without photos.
  public init() {}
}
