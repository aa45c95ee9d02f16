import Gallery
import Photos

/// The photos of a table that the list shows in place of others: the first file of each shot, and the first shot of each
/// stack that is not open.
struct PhotoFolding: Sendable {
  /// The files of each shot.
  var files = PhotoGroups()
  /// The shots of each stack, the one that represents the stack first.
  var stacks = PhotoGroups()
  /// The open stacks by their first shots.
  var open: [TableIndex: OpenStack] = [:]

  /// The texts about the shots in the rows of an open stack.
  struct OpenStack {
    /// The sharpness of the shots that were measured, in percent of the sharpest one.
    let sharpness: [Photo.ID: Int]
    /// Whether two shots have the same name, so that the names of their files tell them apart.
    let repeatsNames: Bool
    /// What tells photos from their duplicates.
    let remarks: [Photo.ID: String]

    init(
      _ shots: [TableIndex], of photos: PhotoTable, sharpness: [Photo.ID: Int] = [:], remarks: [Photo.ID: String] = [:]
    ) {
      self.sharpness = sharpness
      self.remarks = remarks
      var names: Set<String> = []
      repeatsNames = !shots.allSatisfy { names.insert(photos[$0].name).inserted }
    }
  }
  /// The kind of each stack that is no burst, by its first shot.
  var kinds: [TableIndex: StackKind] = [:]
  /// The shots that the user has kept in comparisons of their stacks.
  var kept: Set<Photo.ID> = []
  /// The first shots of the stacks that are sorted by sharpness.
  var sorted: Set<TableIndex> = []

  /// Whether each photo is listed by itself.
  var isEmpty: Bool { files.isEmpty && stacks.isEmpty }

  /// Returns photos without those that others represent. The shots of a stack are together at the place of the first one.
  ///
  /// - Parameter order: The indices of all photos in their order, or nil for the order of the table.
  /// - Returns: The indices of the listed photos, or nil for all photos in the order of the table.
  func folded(_ order: [TableIndex]?, photoCount: Int) -> [TableIndex]? {
    guard !isEmpty else { return order }
    var (listed, seen): ([TableIndex], Set<TableIndex>) = ([], [])
    listed.reserveCapacity(photoCount - files.hiddenCount)
    func list(_ photo: TableIndex) {
      if files.isHidden(photo) { return }
      guard let stack = stacks.group(of: photo), let first = stack.first else { return listed.append(photo) }
      guard seen.insert(first).inserted else { return }
      if open[first] != nil { listed += stack } else { listed.append(first) }
    }
    if let order { order.forEach(list) } else { (0..<TableIndex(photoCount)).forEach(list) }
    return listed
  }

  /// Returns the shots of photos, each once.
  func shots(of photos: [TableIndex]) -> [TableIndex] {
    guard !files.isEmpty else { return photos }
    var seen: Set<TableIndex> = []
    return photos.compactMap { photo in
      guard files.group(of: photo) != nil else { return files.isHidden(photo) ? nil : photo }
      let shot = files.leader(of: photo)
      return seen.insert(shot).inserted ? shot : nil
    }
  }

  /// Returns the photos of all files of a shot, the first one first.
  func files(of photo: TableIndex, in photos: PhotoTable) -> [Photo] {
    files.group(of: photo)?.map { photos[$0] } ?? [photos[photo]]
  }

  /// Returns the photos that may be listed for a photo: itself, its shot, and the shot that represents the stack.
  func candidates(for photo: TableIndex) -> [TableIndex] {
    let shot = files.leader(of: photo)
    return [photo, shot, stacks.leader(of: shot)]
  }

  /// Returns the position of a shot in its stack, or nil if the shot is in no stack.
  ///
  /// - Parameter id: The identifier of the shot.
  func stack(of shot: TableIndex, id: Photo.ID) -> StackPlace? {
    guard let stack = stacks.group(of: shot), let first = stack.first,
      let place = stack.firstIndex(of: shot)
    else { return nil }
    return StackPlace(
      number: place - stack.startIndex + 1, count: stack.count, isOpen: open[first] != nil, kind: kind(of: first),
      isSorted: sorted.contains(first), isKept: kept.contains(id), sharpness: open[first]?.sharpness[id],
      repeatsNames: open[first]?.repeatsNames ?? false, remark: open[first]?.remarks[id])
  }

  /// Returns the stack that is listed as one of its shots, if the shot is in such a stack.
  func closedStack(of shot: TableIndex) -> (kind: StackKind, shots: ArraySlice<TableIndex>)? {
    guard let stack = stacks.group(of: shot), let first = stack.first, open[first] == nil else { return nil }
    return (kind(of: first), stack)
  }

  /// Returns the kind of the stack with a first shot.
  func kind(of first: TableIndex) -> StackKind { kinds[first] ?? .burst }

  /// Returns the other shots that a decision about a shot is about, too: those of its stack, if that is closed and a set.
  func others(with shot: TableIndex) -> [TableIndex] {
    guard !kinds.isEmpty, let stack = closedStack(of: shot), stack.kind.isSet else { return [] }
    return stack.shots.filter { $0 != shot }
  }
}
