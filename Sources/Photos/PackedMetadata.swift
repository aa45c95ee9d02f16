import Gallery

/// The packed metadata of many photos. Rows without metadata take four bytes.
///
/// The title, the caption and the camera are left out, since the rows have them as texts of the photo.
struct PackedMetadata: Sendable {
  private static let none = UInt32.max

  /// Where each row's metadata start in ``bytes``.
  private var starts: [UInt32]
  private(set) var bytes: [UInt8] = []

  /// - Parameter count: Of rows without metadata.
  init(emptyRows count: Int) {
    starts = Array(repeating: Self.none, count: count)
  }

  /// Adds rows without metadata until there are so many.
  mutating func extend(to count: Int) {
    starts += Array(repeating: Self.none, count: count - starts.count)
  }

  /// Sets what is known of the last row.
  mutating func setLast(_ metadata: PhotoMetadata) {
    starts[starts.count - 1] = UInt32(bytes.count)
    metadata.pack(into: &bytes, besidePhoto: true)
  }

  /// Returns the metadata of a row, or nil if nothing is known.
  func metadata(_ row: Int) -> PhotoMetadata? {
    withPacked(row) { bytes in try? PhotoMetadata(packed: bytes) }
  }

  /// Returns what the camera's clock showed, without reading the other metadata, or nil if that is unknown.
  func clock(_ row: Int) -> Double? {
    withPacked(row) { bytes in PhotoMetadata.clock(packed: bytes) }
  }

  private func withPacked<Value>(_ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    guard starts[row] != Self.none else { return nil }
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[Int(starts[row])...])) }
  }

  /// - Parameter count: How many rows stand before the others.
  static func joined(_ first: PackedMetadata?, _ next: PackedMetadata?, count: Int, nextCount: Int) -> PackedMetadata? {
    if first == nil, next == nil { return nil }
    var joined = first ?? PackedMetadata(emptyRows: count)
    let next = next ?? PackedMetadata(emptyRows: nextCount)
    let start = UInt32(joined.bytes.count)
    joined.starts += next.starts.map { $0 == none ? none : $0 + start }
    joined.bytes += next.bytes
    return joined
  }

  /// Those of some rows.
  func filtered(_ rows: [Int]) -> PackedMetadata {
    var copy = self
    copy.starts = rows.map { starts[$0] }
    return copy
  }

  /// In no more memory than it needs.
  func trimmed() -> PackedMetadata {
    var copy = self
    copy.starts = starts.withUnsafeBufferPointer(Array.init)
    copy.bytes = bytes.withUnsafeBufferPointer(Array.init)
    return copy
  }
}
