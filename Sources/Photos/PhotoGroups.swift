/// Photos of a table that belong together, and of which a list shows the first in place of all: the files of one shot, or
/// the shots of a stack.
///
/// A table may have more photos than its groups know. Those are alone.
public struct PhotoGroups: Equatable, Sendable {
  /// The number of each photo's group, ``alone``, or ``hidden``; empty if there are no groups.
  @usableFromInline private(set) var numbers: [Int32] = []
  /// The index in ``members`` at which each group begins, and the end of the last one.
  private var starts: [Int32] = [0]
  private var members: [Int32] = []

  private static let (alone, hidden): (Int32, Int32) = (-1, -2)

  /// Creates no groups.
  public init() {}

  /// Creates groups of the photos at some indices of a table.
  ///
  /// - Parameters:
  ///   - groups: The indices of each group's photos. The first one is shown in place of all.
  ///   - hidden: The indices of photos that are not shown, although they are in no group.
  ///   - photoCount: The number of photos in the table.
  public init(_ groups: some Collection<[Int32]>, hiding hidden: [Int32] = [], photoCount: Int) {
    guard !groups.isEmpty || !hidden.isEmpty else { return }
    numbers = Array(repeating: Self.alone, count: photoCount)
    for photo in hidden { numbers[Int(photo)] = Self.hidden }
    for (number, group) in groups.enumerated() {
      for photo in group { numbers[Int(photo)] = Int32(number) }
      members += group
      starts.append(Int32(members.count))
    }
    hiddenCount = hidden.count + members.count - groups.count
  }

  /// Whether each photo is shown by itself.
  @inlinable public var isEmpty: Bool { numbers.isEmpty }

  /// The number of photos that are not shown by themselves.
  public private(set) var hiddenCount = 0

  /// The number of groups.
  public var count: Int { starts.count - 1 }

  /// The indices of the photos of each group.
  public var all: some Collection<ArraySlice<Int32>> { (0..<count).lazy.map(group) }

  /// Returns the indices of the photos in the group of a photo, or nil if the photo is in none.
  public func group(of photo: Int) -> ArraySlice<Int32>? {
    guard numbers.indices.contains(photo), numbers[photo] >= 0 else { return nil }
    return group(Int(numbers[photo]))
  }

  /// Returns the index of the photo that is shown in place of a photo, which may be itself.
  public func leader(of photo: Int) -> Int { group(of: photo)?.first.map(Int.init) ?? photo }

  /// Returns whether a photo is not shown by itself.
  public func isHidden(_ photo: Int) -> Bool {
    guard numbers.indices.contains(photo) else { return false }
    return numbers[photo] == Self.hidden || leader(of: photo) != photo
  }

  /// Calls `body` with each photo in the group of a photo, or with the photo itself if it is alone. Does nothing if the photo is
  /// not shown by itself.
  @inlinable public func forEachPhoto(shownAs photo: Int, _ body: (Int) -> Void) {
    if isEmpty { body(photo) } else { forEachGrouped(shownAs: photo, body) }
  }

  @usableFromInline func forEachGrouped(shownAs photo: Int, _ body: (Int) -> Void) {
    if isHidden(photo) { return }
    guard let group = group(of: photo) else { return body(photo) }
    for photo in group { body(Int(photo)) }
  }

  private func group(_ number: Int) -> ArraySlice<Int32> { members[Int(starts[number])..<Int(starts[number + 1])] }
}
