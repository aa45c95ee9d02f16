/// The file of a photo, recognized by its name.
public struct FoundPhoto: Hashable, Sendable {
  /// The path of the image.
  public let path: FilePath
  /// The sidecar file next to the image with more metadata (XMP Specification, part 3), if there is one.
  public let sidecar: FilePath?

  /// Creates a found photo.
  public init(path: FilePath, sidecar: FilePath? = nil) {
    self.path = path
    self.sidecar = sidecar
  }
}
