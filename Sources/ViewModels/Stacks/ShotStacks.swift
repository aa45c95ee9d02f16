import Gallery
import Photos

/// Shots that the list shows as one row.
struct ShotStack: Hashable, Sendable {
  /// The reason why they are a stack.
  var kind = StackKind.burst
  /// The shots in the order in which they are listed until their sharpness is known: the one that represents the stack first.
  var shots: [Photo.ID]
}

/// The shots of each stack, the order in which they are listed, and the stacks that are open.
///
/// The shots are known by their identifiers, so the stacks stay when the source changes.
struct ShotStacks: Sendable {
  /// A checksum of the shots of a stack, which does not depend on their order.
  typealias ID = Int

  /// The number of changes. Stacks with the same number are the same.
  private(set) var version = 0
  /// The stacks.
  private(set) var stacks: [ShotStack] = []
  /// The shots of the stacks that were sorted.
  private var orders: [ID: [Photo.ID]] = [:]
  /// The shots that represent sorted stacks in place of the first ones while these are closed.
  private var leads: [ID: Photo.ID] = [:]
  /// The sharpness of the shots of the stacks that were measured, in percent of a stack's sharpest one.
  private var sharpnessOfStacks: [ID: [Photo.ID: Int]] = [:]
  /// The shots that the user has kept in comparisons. Each is the first one of its stack until that is sorted.
  private var kept: Set<Photo.ID> = []
  /// The shots of the open stacks.
  private var open: Set<Photo.ID> = []

  /// Returns the identifier of a stack.
  static func id(_ shots: some Sequence<Photo.ID>) -> ID { shots.reduce(0, &+) }

  /// Takes stacks in place of those of before.
  mutating func replace(_ stacks: [ShotStack]) {
    self.stacks = stacks
    version += 1
  }

  /// Takes the shots that the user has kept in place of those of before.
  mutating func keep(_ shots: Set<Photo.ID>) {
    kept = shots
    version += 1
  }

  /// Lists the shots of a stack in an order.
  ///
  /// - Parameter lead: The shot that represents the stack while it is closed; nil for the first one.
  mutating func sort(_ stack: ID, _ order: [Photo.ID], lead: Photo.ID? = nil) {
    orders[stack] = order
    leads[stack] = lead
    version += 1
  }

  /// Takes note of the sharpness of a stack's shots, in percent of the sharpest one.
  mutating func measure(_ stack: ID, _ sharpness: [Photo.ID: Int]) { sharpnessOfStacks[stack] = sharpness }

  /// The sharpness of all shots that were measured, in percent of the sharpest one of their stack.
  var sharpness: [Photo.ID: Int] {
    sharpnessOfStacks.values.reduce(into: [:]) { $0.merge($1) { max($0, $1) } }
  }

  /// Returns the order in which shots are listed, or nil if they were not sorted.
  func order(of shots: [Photo.ID]) -> [Photo.ID]? { orders[Self.id(shots)] }

  /// Lists the shots of each stack as if they had not been sorted.
  mutating func forgetOrders() {
    orders = [:]
    leads = [:]
    sharpnessOfStacks = [:]
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
    var places: [Photo.ID: TableIndex?] = [:]
    places.reserveCapacity(stacks.reduce(0) { $0 + $1.shots.count })
    for shot in stacks.lazy.map(\.shots).joined() { places[shot] = .some(nil) }
    for photo in photos.indices where !files.isHidden(photo) {
      if let place = places.index(forKey: photos.id(at: photo)) { places.values[place] = photo }
    }
    var folding = PhotoFolding(files: files, kept: kept)
    var groups: [[TableIndex]] = []
    for stack in stacks {
      let order = order(of: stack.shots)
      var placed = (order ?? stack.shots).compactMap { places[$0] ?? nil }
      guard placed.count > 1 else { continue }
      if order == nil, let index = placed.firstIndex(where: { kept.contains(photos.id(at: $0)) }) {
        placed.insert(placed.remove(at: index), at: 0)
      }
      if !open.isEmpty, !open.isDisjoint(with: stack.shots) {
        folding.open[placed[0]] = PhotoFolding.OpenStack(
          placed, of: photos, sharpness: sharpnessOfStacks[Self.id(stack.shots)] ?? [:])
      } else if let lead = leads[Self.id(stack.shots)].flatMap({ places[$0] ?? nil }),
        let index = placed.firstIndex(of: lead)
      {
        placed.insert(placed.remove(at: index), at: 0)
      }
      groups.append(placed)
      if stack.kind != .burst { folding.kinds[placed[0]] = stack.kind }
      if order != nil { folding.sorted.insert(placed[0]) }
    }
    folding.stacks = PhotoGroups(groups, photoCount: photos.count)
    return folding
  }
}
