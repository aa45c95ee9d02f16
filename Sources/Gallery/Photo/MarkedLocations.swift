/// The locations of the marked photos of a source, joined as they are stored.
///
/// There may be a million of them, so they are one value, which is compared and copied as a whole.
public struct MarkedLocations: Hashable, Sendable {
  /// The bytes of each location (``ImageLocation/bytes``), each with a zero byte behind it.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty list.
  public init() {}

  /// Creates the list that the bytes of another one contain.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Joins locations. Those with a zero byte are left out: a catalog may contain one, but no file or address has it.
  public init(_ locations: some Sequence<[UInt8]>) {
    for location in locations where !location.contains(0) {
      bytes += location
      bytes.append(0)
    }
  }

  /// Whether there are no locations.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The locations.
  public var all: Set<[UInt8]> { Set(bytes.split(separator: 0).map(Array.init)) }

  /// Returns the stored list with the changes that lead from another list to this one.
  ///
  /// - Parameters:
  ///   - former: The list before the changes.
  ///   - stored: The stored list, which differs from `former` if another copy of the program has changed it.
  public func merged(into stored: MarkedLocations, former: MarkedLocations) -> MarkedLocations {
    if stored == former { return self }
    let (old, new) = (former.all, all)
    return MarkedLocations(stored.all.subtracting(old.subtracting(new)).union(new.subtracting(old)))
  }
}
