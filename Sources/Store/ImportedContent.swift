/// The content of a file, as far as it tells files apart whatever their names are.
public struct ImportedContent: Hashable, Sendable {
  /// What can be known of a content without reading all of it.
  public struct Beginning: Hashable, Sendable {
    /// The size of the file in bytes.
    public let size: Int64
    /// The digest of the first ``ImportedContent/headSize`` bytes, in which cameras write the time and the number of the shot.
    public let head: String

    /// Creates the beginning of a content.
    public init(size: Int64, head: String) {
      self.size = size
      self.head = head
    }
  }

  /// The size and the first bytes.
  public let beginning: Beginning
  /// The SHA-256 digest of all bytes.
  public let digest: String

  /// The number of bytes at the beginning that have a digest of their own.
  public static let headSize = 64 << 10

  /// Creates a content.
  public init(_ beginning: Beginning, digest: String) {
    self.beginning = beginning
    self.digest = digest
  }
}
