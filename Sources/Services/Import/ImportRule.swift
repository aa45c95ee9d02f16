import Gallery
import Photos

/// The choices of an import: where the copies of photos go, and what they are called.
public struct ImportRule: Hashable, Sendable {
  /// The folder in which the photos are used.
  public var place: FilePath
  /// The folders of further copies.
  public var backups: [FilePath] = []
  /// The folders below each of these; nil for none.
  public var folders: FolderPattern?
  /// The names up to the suffixes.
  public var names = NamePattern.ownName
  /// The template whose texts the copies get; nil for none.
  public var template: MetadataTemplate?
  /// Whether photos that were imported before are copied again.
  public var isAgain = false

  /// Creates the choices of an import into a folder under the names that the photos have.
  public init(to place: FilePath) { self.place = place }

  /// The folders that get a copy of each photo.
  public var places: [FilePath] { [place] + backups }
}
