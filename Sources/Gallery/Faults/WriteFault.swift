/// A reason why a file of a cache cannot be written.
public enum WriteFault: Error, Hashable, Sendable {
  /// The system reports an error, in its own words.
  case system(reason: String)
  /// No file can be created in the folder. `reason` is the system's.
  case noFile(folder: String, reason: String)
  /// The folder has no room, or cannot be written.
  case noRoom(folder: String)
  /// The file that has been written cannot be read.
  case cannotReadBack(path: String)
}
