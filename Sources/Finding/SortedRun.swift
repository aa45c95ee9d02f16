import FoundationEssentials
import Gallery
import Photos

/// Some neighboring photos of a table in an order.
struct SortedRun: Sendable {
  struct Entry: Sendable {
    /// The key, or of a text the beginning of it: as unsigned numbers they are in the wanted order.
    var prefix: UInt64
    /// The photo's index in the table.
    var index: Int32
  }

  private(set) var entries: [Entry] = []
  /// The photos whose key is not known, as they come in the table.
  private(set) var others: [Int32] = []

  var indices: [Int32] { entries.map(\.index) + others }

  init() {}

  /// - Parameter texts: Takes the texts, where the key is one.
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

  /// Both in one; the photos of `next` come after these in the table. What is returned is of no use if the task has been
  /// canceled.
  func merged(with next: SortedRun, by comparison: SortTexts.Comparison) -> SortedRun {
    var result = SortedRun()
    result.others = others + next.others
    result.entries.reserveCapacity(entries.count + next.entries.count)
    var (left, right) = (0, 0)
    while left < entries.count, right < next.entries.count {
      if (left + right) & 0xFFFF == 0, Task.isCancelled { return result }
      // Of two with the same key the earlier comes first.
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
  /// The number whose order among unsigned ones is this one's among numbers.
  fileprivate var sortable: UInt64 { bitPattern >> 63 == 0 ? bitPattern | 1 << 63 : ~bitPattern }
}
