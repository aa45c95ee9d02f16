import Gallery

/// The packed metadata of many photos. Rows without metadata take four bytes.
///
/// The title, the caption and the camera are not packed, since the photo's columns already contain them.
struct PackedMetadata: Sendable {
  private static let none = UInt32.max

  /// The offset in ``bytes`` at which each row's metadata starts, or `none` for a row without metadata.
  private var starts: [UInt32]
  private(set) var bytes: [UInt8] = []

  /// Creates the packed metadata of `count` rows without metadata.
  init(emptyRows count: Int) {
    starts = Array(repeating: Self.none, count: count)
  }

  /// Adds rows without metadata until there are `count` rows.
  mutating func extend(to count: Int) {
    starts += Array(repeating: Self.none, count: count - starts.count)
  }

  /// Sets the metadata of the last row.
  mutating func setLast(_ metadata: PhotoMetadata) {
    starts[starts.count - 1] = UInt32(bytes.count)
    metadata.pack(into: &bytes, besidePhoto: true)
  }

  /// Sets the metadata of the last row, which is packed already.
  mutating func setLast(_ metadata: MetadataRecord) {
    starts[starts.count - 1] = UInt32(bytes.count)
    metadata.packBesidePhoto(into: &bytes)
  }

  /// Returns the metadata of a row, or nil if the row has none.
  func metadata(_ row: Int) -> PhotoMetadata? {
    withPacked(row) { bytes in try? PhotoMetadata(packed: bytes) }
  }

  /// Returns the time that the camera's clock showed, or nil if it is unknown. The other metadata is not decoded.
  func clock(_ row: Int) -> Double? {
    withPacked(row) { bytes in PhotoMetadata.clock(packed: bytes) }
  }

  /// Returns the rating, or nil if it is unknown. The other metadata is not decoded.
  func rating(_ row: Int) -> Int? {
    withPacked(row) { bytes in PhotoMetadata.rating(packed: bytes) }
  }

  /// Returns the packed metadata of a row, or nil if the row has none.
  func record(_ row: Int) -> [UInt8]? {
    withPacked(row) { bytes in MetadataRecord.prefix(of: bytes).map { Array($0) } }
  }

  /// Sets the metadata of the last row to packed metadata of which the photo's columns contain the rest.
  mutating func setLast(packedBesidePhoto bytes: [UInt8]) {
    starts[starts.count - 1] = UInt32(self.bytes.count)
    self.bytes += bytes
  }

  private func withPacked<Value>(_ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    guard starts[row] != Self.none else { return nil }
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[Int(starts[row])...])) }
  }

  /// Returns the metadata of two segments as one, or nil if neither segment has metadata.
  ///
  /// - Parameters:
  ///   - count: The number of rows in the first segment.
  ///   - nextCount: The number of rows in the second segment.
  static func joined(_ first: PackedMetadata?, _ next: PackedMetadata?, count: Int, nextCount: Int) -> PackedMetadata? {
    if first == nil, next == nil { return nil }
    var joined = first ?? PackedMetadata(emptyRows: count)
    let next = next ?? PackedMetadata(emptyRows: nextCount)
    let start = UInt32(joined.bytes.count)
    joined.starts += next.starts.map { $0 == none ? none : $0 + start }
    joined.bytes += next.bytes
    return joined
  }

  /// Returns a copy that contains only the given rows.
  func filtered(_ rows: [Int]) -> PackedMetadata {
    var copy = self
    copy.starts = rows.map { starts[$0] }
    return copy
  }

  /// Returns a copy without unused capacity.
  func trimmed() -> PackedMetadata {
    var copy = self
    copy.starts = starts.withUnsafeBufferPointer(Array.init)
    copy.bytes = bytes.withUnsafeBufferPointer(Array.init)
    return copy
  }
}
