import FoundationEssentials
import Gallery
import Photos

/// A sorted run of neighboring photos of a table.
struct SortedRun: Sendable {
  private(set) var entries: [SortEntry] = []
  /// The photos whose key is unknown, in the order of the table.
  private(set) var others: [TableIndex] = []

  var indices: [TableIndex] { entries.map(\.index) + others }

  init() {}

  /// Sorts the photos of a range.
  /// - Parameter texts: The texts that photos are sorted by. If the key is a text, those of this range are appended.
  init(_ table: PhotoTable, _ range: Range<TableIndex>, by order: PhotoOrder, _ texts: inout SortTexts) {
    entries.reserveCapacity(range.count)
    switch order.key {
    case .source: append(range, by: order) { UInt64($0.value) }
    case .date:
      let clocks = table.clocks(in: range)
      append(range, by: order) { clocks[range.lowerBound.distance(to: $0)].sortable }
    case .name: append(range, by: order) { table.withText(.name, at: $0) { texts.append($0) } }
    case .camera: append(range, by: order) { table.withText(.camera, at: $0) { texts.append($0) } }
    case .size: append(range, by: order) { table.metadataBesideColumns(at: $0)?.pixelCount?.sortable }
    case .metadata(let sort):
      switch sort.key {
      case .number(let number):
        append(range, by: order) { table.metadataBesideColumns(at: $0).flatMap(number)?.sortable }
      case .text(let text):
        append(range, by: order) {
          var text = table.metadataBesideColumns(at: $0).flatMap(text) ?? ""
          return text.withUTF8 { texts.append($0) }
        }
      }
    }
    texts.withComparison(isAscending: order.isAscending, first: range.lowerBound) { comparison in
      entries.sort { comparison.isBefore($0, $1) ?? ($0.index < $1.index) }
    }
  }

  /// Appends the photos of a range with their keys.
  /// - Parameter prefix: Returns the key of the photo at an index, or the beginning of it; nil if the key is unknown.
  @inline(__always)
  private mutating func append(_ range: Range<TableIndex>, by order: PhotoOrder, _ prefix: (TableIndex) -> UInt64?) {
    for index in range {
      if let prefix = prefix(index) {
        entries.append(SortEntry(prefix: order.isAscending ? prefix : ~prefix, index: index))
      } else {
        others.append(index)
      }
    }
  }

  /// Returns this run merged with `next`, whose photos come after these in the table.
  ///
  /// The result is incomplete if the task has been canceled.
  func merged(with next: SortedRun, by comparison: SortTexts.KeyOrder) -> SortedRun {
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
}

extension PhotoMetadata {
  /// The number of pixels in the image, or nil if it is unknown.
  fileprivate var pixelCount: Int? {
    guard width > 0, height > 0 else { return nil }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : count
  }
}

extension Int {
  /// The unsigned integer that is in the same order among unsigned integers as this one is among integers.
  fileprivate var sortable: UInt64 { UInt64(bitPattern: Int64(self)) ^ 1 << 63 }
}

extension Double {
  /// The unsigned integer that is in the same order among integers as this number is among numbers.
  fileprivate var sortable: UInt64 { bitPattern >> 63 == 0 ? bitPattern | 1 << 63 : ~bitPattern }
}
