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

/// The way in which many photos can be renamed, or the reasons why they can't.
public struct RenameForecast: Hashable, Sendable {
  /// The renames in an order in which no photo gets a name that another one still has. A photo gets a temporary name first if two
  /// photos swap theirs, or if only the case of its letters changes on a disk that does not tell them apart.
  public var renames: [FileRename] = []
  /// The reasons why photos can't be renamed, by their places in the request.
  public var obstacles: [Int: String] = [:]

  /// Creates the forecast of a request without photos.
  public init() {}
}
