import Gallery

/// A photo that is copied from a memory card, with all its files and sidecars.
public struct FileImport: Hashable, Sendable {
  /// The photo as it will be, at its first new path. Its step is found in the folder of that path, without the card.
  public let photo: Photo
  /// The files of the photo on the card, without sidecars.
  public let files: [FilePath]
  /// The new paths up to the suffixes: first the one where the photo is used, then those of backups.
  public let stems: [FilePath]
  /// The copies that are missing.
  public let copies: [Copy]

  /// A copy of a file.
  public struct Copy: Hashable, Sendable {
    /// The path on the card.
    public let source: FilePath
    /// The new path.
    public let target: FilePath

    /// Creates a copy.
    public init(of source: FilePath, at target: FilePath) {
      self.source = source
      self.target = target
    }
  }

  /// Creates the import of a photo.
  ///
  /// - Parameters:
  ///   - photo: The photo on the card.
  ///   - path: Its first new path.
  public init(_ photo: Photo, at path: FilePath, files: [FilePath], as stems: [FilePath], copies: [Copy]) {
    self.photo = Photo(
      id: photo.id, name: photo.name, createdAt: photo.createdAt, imageURL: photo.imageURL, image: .file(path),
      metadata: photo.metadata)
    self.files = files
    self.stems = stems
    self.copies = copies
  }
}
