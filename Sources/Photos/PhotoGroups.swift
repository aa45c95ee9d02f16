/// Photos of a table that belong together, and of which a list shows the first in place of all: the files of one shot, or
/// the shots of a stack.
///
/// A table may have more photos than its groups know. Those are alone.
public struct PhotoGroups: Equatable, Sendable {
  /// The number of each photo's group, or ``alone``; empty if there are no groups.
  @usableFromInline private(set) var numbers: [Int32] = []
  /// The index in ``members`` at which each group begins, and the end of the last one.
  private var starts: [Int32] = [0]
  private var members: [TableIndex] = []

  private static let alone: Int32 = -1

  /// Creates no groups.
  public init() {}

  /// Creates groups of the photos at some indices of a table.
  ///
  /// - Parameters:
  ///   - groups: The indices of each group's photos. The first one is shown in place of all.
  ///   - photoCount: The number of photos in the table.
  public init(_ groups: some Collection<[TableIndex]>, photoCount: Int) {
    guard !groups.isEmpty else { return }
    numbers = Array(repeating: Self.alone, count: photoCount)
    for (number, group) in groups.enumerated() {
      for photo in group { numbers[photo.value] = Int32(number) }
      members += group
      starts.append(Int32(members.count))
    }
    hiddenCount = members.count - groups.count
  }

  /// Whether each photo is shown by itself.
  @inlinable public var isEmpty: Bool { numbers.isEmpty }

  /// The number of photos that are not shown by themselves.
  public private(set) var hiddenCount = 0

  /// The number of groups.
  public var count: Int { starts.count - 1 }

  /// The indices of the photos of each group.
  public var all: some Collection<ArraySlice<TableIndex>> { (0..<count).lazy.map(group) }

  /// Returns the indices of the photos in the group of a photo, or nil if the photo is in none.
  public func group(of photo: TableIndex) -> ArraySlice<TableIndex>? {
    guard numbers.indices.contains(photo.value), numbers[photo.value] >= 0 else { return nil }
    return group(Int(numbers[photo.value]))
  }

  /// Returns the index of the photo that is shown in place of a photo, which may be itself.
  public func leader(of photo: TableIndex) -> TableIndex { group(of: photo)?.first ?? photo }

  /// Returns whether a photo is not shown by itself.
  public func isHidden(_ photo: TableIndex) -> Bool {
    guard numbers.indices.contains(photo.value) else { return false }
    return leader(of: photo) != photo
  }

  /// Calls `body` with each photo in the group of a photo, or with the photo itself if it is alone. Does nothing if the photo is
  /// not shown by itself.
  @inlinable public func forEachPhoto(shownAs photo: TableIndex, _ body: (TableIndex) -> Void) {
    if isEmpty { body(photo) } else { forEachGrouped(shownAs: photo, body) }
  }

  @usableFromInline func forEachGrouped(shownAs photo: TableIndex, _ body: (TableIndex) -> Void) {
    if isHidden(photo) { return }
    guard let group = group(of: photo) else { return body(photo) }
    group.forEach(body)
  }

  private func group(_ number: Int) -> ArraySlice<TableIndex> { members[Int(starts[number])..<Int(starts[number + 1])] }
}
