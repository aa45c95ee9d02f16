import Gallery

/// The place that the bytes are read from.
enum CatalogSource: Sendable {
  /// A file with this absolute path.
  case file(FilePath)
  /// A file descriptor. Relative addresses in the text start from `folder`, an absolute path.
  case stream(descriptor: Int32, folder: FilePath)
}
