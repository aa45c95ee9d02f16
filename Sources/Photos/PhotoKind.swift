import Gallery

/// What a photo's file is.
///
/// It is known from the name's suffix. Whether the content agrees, the reader of the file finds out.
public enum PhotoKind: Hashable, Sendable {
  /// An image, which may be animated.
  case image
  /// An image as the camera's sensor has recorded it.
  case raw
  /// A video that a camera writes next to a photo. It has no metadata and no sidecar of its own.
  case video

  /// Returns the kind of a file with a name or a path.
  public init(name: UnsafeBufferPointer<UInt8>) {
    self = PhotoName.isVideo(name) ? .video : PhotoName.isRaw(name) ? .raw : .image
  }

  /// Returns the kind of a file.
  public init(_ path: FilePath) { self = path.name.withUnsafeBufferPointer { PhotoKind(name: $0) } }
}

extension Photo {
  /// What the photo's file is. Photos on servers count as images.
  public var kind: PhotoKind { file.map { PhotoKind($0) } ?? .image }
}
