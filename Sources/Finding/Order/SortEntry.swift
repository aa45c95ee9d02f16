import Photos

/// A photo, with as much of its key as one integer holds.
struct SortEntry: Sendable {
  /// The key, or the beginning of a key that is a text, encoded so that unsigned integers are in the requested order.
  var prefix: UInt64
  var index: TableIndex
}
