import FoundationEssentials
import Gallery
import Photos

/// A sorted run of neighboring photos of a table.
struct SortedRun: Sendable {
  /// A photo, with as much of its key as one integer holds.
  struct Entry: Sendable {
    /// The key, or the beginning of a key that is a text, encoded so that unsigned integers are in the requested order.
    var prefix: UInt64
    /// The photo's index in the table.
    var index: Int32
  }

  private(set) var entries: [Entry] = []
  /// The photos whose key is unknown, in the order of the table.
  private(set) var others: [Int32] = []

  var indices: [Int32] { entries.map(\.index) + others }

  init() {}

  /// Sorts the photos of a range.
  /// - Parameter texts: The texts that photos are sorted by. If the key is a text, those of this range are appended.
  init(_ table: PhotoTable, _ range: Range<Int>, by order: PhotoOrder, _ texts: inout SortTexts) {
    entries.reserveCapacity(range.count)
    for index in range {
      if let prefix = Self.prefix(table, index, order.key, &texts) {
        entries.append(Entry(prefix: order.isAscending ? prefix : ~prefix, index: Int32(index)))
      } else {
        others.append(Int32(index))
      }
    }
    texts.withComparison(isAscending: order.isAscending, first: range.lowerBound) { comparison in
      entries.sort { comparison.isBefore($0, $1) ?? ($0.index < $1.index) }
    }
  }

  /// Returns this run merged with `next`, whose photos come after these in the table.
  ///
  /// The result is incomplete if the task has been canceled.
  func merged(with next: SortedRun, by comparison: SortTexts.Comparison) -> SortedRun {
    var result = SortedRun()
    result.others = others + next.others
    result.entries.reserveCapacity(entries.count + next.entries.count)
    var (left, right) = (0, 0)
    while left < entries.count, right < next.entries.count {
      if (left + right) & 0xFFFF == 0, Task.isCancelled { return result }
      // Photos with equal keys stay in the order of the table.
      if comparison.isBefore(next.entries[right], entries[left]) == true {
        result.entries.append(next.entries[right])
        right += 1
      } else {
        result.entries.append(entries[left])
        left += 1
      }
    }
    result.entries += entries[left...]
    result.entries += next.entries[right...]
    return result
  }

  private static func prefix(
    _ table: PhotoTable, _ index: Int, _ key: PhotoOrder.Key, _ texts: inout SortTexts
  ) -> UInt64? {
    switch key {
    case .source: return UInt64(index)
    case .date: return table.clock(at: index).sortable
    case .name: return table.withText(.name, at: index) { texts.append($0) }
    case .camera: return table.withText(.camera, at: index) { texts.append($0) }
    case .rating: return table.metadata(at: index)?.rating.map { UInt64(bitPattern: Int64($0)) ^ 1 << 63 }
    case .size:
      guard let metadata = table.metadata(at: index), metadata.width > 0, metadata.height > 0 else { return nil }
      let (high, low) = metadata.width.multipliedFullWidth(by: metadata.height)
      return high > 0 ? .max : UInt64(low)
    }
  }
}

extension Double {
  /// The unsigned integer that is in the same order among integers as this number is among numbers.
  fileprivate var sortable: UInt64 { bitPattern >> 63 == 0 ? bitPattern | 1 << 63 : ~bitPattern }
}
