/// A reason why the file of a photo has no metadata.
public enum PhotoFault: Error, Hashable, Sendable {
  /// There is no file.
  case missing
  /// The file cannot be read. `reason` is the system's.
  case unreadable(reason: String)
  /// The file is empty, such as one that is about to be copied.
  case empty
  case notAnImage
  /// There is no decoder for the format.
  case unsupported(ImageFormat)
  /// The entry of an archive cannot be read.
  case archive(ArchiveFault)
  /// The process that read the file crashed, or took too long.
  case harmful
  /// The image worker cannot be started. `reason` is the system's.
  case noWorker(reason: String)
}
