/// A reason why no catalog was written. An old file is unchanged. The words for it are in `ErrorMessages+Writing.swift`.
public enum ExportError: Error, Hashable, Sendable {
  /// There is a file at the path, and the caller has not said that it is to be replaced.
  case alreadyExists(path: FilePath)
  /// There is a folder, a device or another thing at the path that is not a regular file.
  case notAFile(path: FilePath)
  /// The file at the path is not a catalog, so it must not be replaced.
  case notACatalog(path: FilePath)
  /// The folder of the path does not exist.
  case noFolder(path: FilePath)
  /// A signal stopped the program.
  case stopped
  /// A stage failed. `reason` is the system's.
  case failed(AtomicFile.Stage, path: FilePath, reason: String)
  /// Another error, as Swift describes it.
  case other(path: FilePath, description: String)
}
