import Gallery

extension PhotoKind {
  /// Returns the kind that the name or the path of a file says.
  public init(name: UnsafeBufferPointer<UInt8>) {
    self = PhotoName.isVideo(name) ? .video : PhotoName.isRaw(name) ? .raw : .image
  }

  /// Returns the kind that the name of a file says.
  public init(_ path: FilePath) { self = path.name.withUnsafeBufferPointer { PhotoKind(name: $0) } }
}

extension PhotoTable {
  /// Returns the kind that the name of a photo's file says, which takes less time than to unpack its metadata.
  public func kindByName(of photo: TableIndex) -> PhotoKind { withText(.imageURL, at: photo, PhotoKind.init(name:)) }
}

extension Photo {
  /// The kind of the photo's file by its content if it has been read, or else by its name. Photos on servers count as images.
  public var kind: PhotoKind { metadata?.kind ?? file.map { PhotoKind($0) } ?? .image }
}
