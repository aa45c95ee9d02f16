import Gallery

/// A generator of photo IDs. It derives each ID from the photo's path, so a photo keeps its ID when other photos are
/// added or removed.
public struct PhotoIDs: Sendable {
  @usableFromInline var taken: Set<Photo.ID> = []

  /// Creates a generator for which all IDs are free.
  public init() {}

  /// Marks these IDs as taken and all others as free.
  public mutating func keep(_ ids: some Sequence<Photo.ID>) { taken = Set(ids) }

  /// Returns the ID of the next path, and marks it as taken.
  ///
  /// The ID is the path's 64-bit FNV-1a hash (Fowler, Noll, Vo; IETF draft), folded to 53 bits: the largest integers
  /// that every JSON parser represents exactly. If the hash is taken, the path gets the next free number. With 100,000
  /// photos, that happens in about one of a million catalogs.
  @inlinable public mutating func id(_ path: some Sequence<UInt8>) -> Photo.ID {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var id = Int((hash >> 53 ^ hash) & (1 << 53 - 1))
    while id == 0 || !taken.insert(id).inserted { id = (id + 1) & (1 << 53 - 1) }
    return id
  }
}
