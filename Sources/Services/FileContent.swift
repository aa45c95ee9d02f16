/// The content of a file, as far as it is needed to find files with the same bytes.
public struct FileContent: Hashable, Codable, Sendable {
  /// The number of bytes.
  public var size: Int
  /// The file on the disk. All its names, such as hard links and symbolic links, have the same one.
  public var identity: Identity
  /// The SHA-256 digest of the bytes, or nil if no other file is so much like it that its bytes were read.
  public var digest: String?

  /// The file system and the number of a file in it.
  public struct Identity: Hashable, Codable, Sendable {
    /// The number of the file system.
    public var device: UInt64
    /// The number of the file.
    public var inode: UInt64

    /// Creates an identity.
    public init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  /// Creates a content.
  public init(size: Int, identity: Identity, digest: String? = nil) {
    self.size = size
    self.identity = identity
    self.digest = digest
  }
}
