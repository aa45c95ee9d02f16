import Gallery

/// Makes ids of photos' paths, so that a photo keeps its id whatever comes or goes beside it.
public struct PhotoIDs: Sendable {
  private var taken: Set<Photo.ID> = []

  public init() {}

  /// Keeps some ids, and gives the others free.
  public mutating func keep(_ ids: some Sequence<Photo.ID>) { taken = Set(ids) }

  /// The id of the next path: the FNV-1a hash of 64 bits (Fowler, Noll, Vo; IETF draft) folded to the 53 bits that
  /// every reader of JSON has exactly. Of two paths with one hash, which are one in a million catalogs of 100,000
  /// photos, the later gets the next number.
  public mutating func id(_ path: some Sequence<UInt8>) -> Photo.ID {
    let hash = path.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    var id = Int((hash >> 53 ^ hash) & (1 << 53 - 1))
    while id == 0 || !taken.insert(id).inserted { id = (id + 1) & (1 << 53 - 1) }
    return id
  }
}
