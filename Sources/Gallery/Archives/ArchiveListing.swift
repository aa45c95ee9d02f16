/// A part of the list of photos in an archive.
public struct ArchiveListing: Hashable, Sendable {
  /// A photo in an archive.
  public struct Entry: Hashable, Sendable {
    /// The path in the archive, without the parts that would lead out of it.
    public var name: [UInt8]
    /// The number of bytes, or 0 if the archive does not say.
    public var size: Int
    /// The time of the last change in seconds since 1970, or 0 if it is unknown.
    public var modifiedAt: Int
    /// The metadata, or the reason why there are none; nil if they were not read.
    public var result: Result<MetadataRecord, PhotoFault>?

    /// The longest name in bytes. Systems open no longer path.
    public static let longestName = 4096
    /// The times of changes, of which the nanoseconds fit in an integer, too.
    public static let times = 0...Int.max / 1_000_000_000

    /// Creates an entry from its properties.
    public init(name: [UInt8], size: Int, modifiedAt: Int, result: Result<MetadataRecord, PhotoFault>? = nil) {
      self.name = name
      self.size = size
      self.modifiedAt = modifiedAt
      self.result = result
    }
  }

  /// The photos.
  public var entries: [Entry]
  /// The number of entries of all kinds that have been read since the start of the archive, from which the next part goes on; nil
  /// for the last part.
  public var next: Int?
  /// The number of archives among the entries of this part, which are not opened.
  public var archives: Int
  /// The reason why there are no more parts although the archive goes on; nil at its end.
  public var fault: ArchiveFault?

  /// Creates a part of a list from its properties.
  public init(entries: [Entry] = [], next: Int? = nil, archives: Int = 0, fault: ArchiveFault? = nil) {
    self.entries = entries
    self.next = next
    self.archives = archives
    self.fault = fault
  }
}
