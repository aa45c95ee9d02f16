import Gallery

/// A photo that gets a new name, with all its files and sidecars.
public struct FileRename: Hashable, Sendable {
  /// The photo.
  public var photo: Photo
  /// The files of the photo, without sidecars.
  public var files: [FilePath]
  /// The new name, up to the suffix.
  public var stem: String

  /// Creates a rename.
  ///
  /// - Parameter shot: The photos of all files of the photo.
  public init(_ shot: [Photo], to stem: String) {
    photo = shot[0]
    files = shot.compactMap(\.file)
    self.stem = stem
  }

  /// Creates the rename of a photo whose files are at other paths by then.
  public init(_ photo: Photo, at files: [FilePath], to stem: String) {
    self.photo = photo
    self.files = files
    self.stem = stem
  }
}
