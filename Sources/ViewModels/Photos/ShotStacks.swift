import Gallery
import Photos

/// The shots of each stack, the order in which they are listed, and the stacks that are open.
///
/// The shots are known by their identifiers, so the stacks stay when the source changes.
struct ShotStacks: Sendable {
  /// A checksum of the shots of a stack, which does not depend on their order.
  typealias ID = Int

  /// The number of changes. Stacks with the same number are the same.
  private(set) var version = 0
  /// The shots of each stack in the order of their times.
  private(set) var stacks: [[Photo.ID]] = []
  /// The shots in the order in which a stack lists them, if it is not that of their times.
  private var orders: [ID: [Photo.ID]] = [:]
  /// The shots of the open stacks.
  private var open: Set<Photo.ID> = []

  /// Returns the identifier of a stack.
  static func id(_ shots: some Sequence<Photo.ID>) -> ID { shots.reduce(0, &+) }

  /// Takes stacks in place of those of before.
  mutating func replace(_ stacks: [[Photo.ID]]) {
    self.stacks = stacks
    version += 1
  }

  /// Lists the shots of a stack in an order.
  mutating func sort(_ stack: ID, _ order: [Photo.ID]) {
    orders[stack] = order
    version += 1
  }

  /// Lists the shots of each stack in the order of their times.
  mutating func forgetOrders() {
    orders = [:]
    version += 1
  }

  /// Opens the stack of some shots, or closes it.
  mutating func toggle(_ shots: [Photo.ID]) {
    if open.isDisjoint(with: shots) { open.formUnion(shots) } else { open.subtract(shots) }
    version += 1
  }

  /// Returns what a list of photos shows in place of others.
  func folding(of photos: PhotoTable) -> PhotoFolding {
    let files = photos.groups
    guard !stacks.isEmpty else { return PhotoFolding(files: files) }
    var places: [Photo.ID: Int32?] = [:]
    places.reserveCapacity(stacks.reduce(0) { $0 + $1.count })
    for shot in stacks.joined() { places[shot] = .some(nil) }
    for photo in photos.indices where !files.isHidden(photo) {
      if let place = places.index(forKey: photos.id(at: photo)) { places.values[place] = Int32(photo) }
    }
    var (groups, openGroups): ([[Int32]], Set<Int32>) = ([], [])
    for stack in stacks {
      let placed = (orders[Self.id(stack)] ?? stack).compactMap { places[$0] ?? nil }
      guard placed.count > 1 else { continue }
      groups.append(placed)
      if !open.isEmpty, !open.isDisjoint(with: stack) { openGroups.insert(placed[0]) }
    }
    return PhotoFolding(files: files, stacks: PhotoGroups(groups, photoCount: photos.count), open: openGroups)
  }
}
