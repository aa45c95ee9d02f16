import Gallery

/// A change in a watched folder.
public enum FolderChange: Hashable, Sendable {
  /// A file was created, was written and closed, or has new permissions.
  case written(FilePath)
  /// A file was removed or moved elsewhere.
  case removed(FilePath)
  /// A file was renamed or moved to another watched folder.
  case moved(FilePath, to: FilePath)
  /// Folders were added or removed, or events were lost. All folders must be read again.
  case unclear
}
