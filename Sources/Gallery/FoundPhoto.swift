/// A photo's file, found by its name.
public struct FoundPhoto: Hashable, Sendable {
  public let path: FilePath
  /// The file beside it with more to say about it (XMP Specification, part 3), if there is one.
  public let sidecar: FilePath?

  public init(path: FilePath, sidecar: FilePath? = nil) {
    self.path = path
    self.sidecar = sidecar
  }
}
