/// The names of a folder's files, packed one after another. A folder may have a million of them.
struct FileNames: Sendable {
  private struct Entry {
    /// The first eight bytes in which names may differ, the first one highest.
    var key: UInt64 = 0
    var start: UInt32
    var count: UInt32
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  var count: Int { entries.count }

  subscript(index: Int) -> ArraySlice<UInt8> {
    let start = Int(entries[index].start)
    return bytes[start..<start + Int(entries[index].count)]
  }

  mutating func append(_ name: UnsafeBufferPointer<UInt8>) {
    entries.append(Entry(start: UInt32(bytes.count), count: UInt32(name.count)))
    bytes.append(contentsOf: name)
  }

  /// Sorts the names in the order of their bytes.
  ///
  /// Numbers are compared instead of names: the names of a camera's photos begin alike, and most of them differ in the
  /// eight bytes behind that.
  mutating func sort() {
    bytes.withUnsafeBufferPointer { bytes in
      func name(_ entry: Entry) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(entry.start)..<Int(entry.start + entry.count)])
      }
      guard let first = entries.first.map(name) else { return }
      let common = entries.reduce(first.count) { common, entry in
        zip(name(entry), first.prefix(common)).prefix { $0 == $1 }.count
      }
      for index in entries.indices {
        let rest = name(entries[index]).dropFirst(common).prefix(8)
        entries[index].key = rest.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * (8 - rest.count))
      }
      entries.sort { one, other in
        one.key != other.key ? one.key < other.key : name(one).lexicographicallyPrecedes(name(other))
      }
    }
  }

  /// Removes the names that don't satisfy `isWanted`.
  mutating func keep(where isWanted: (ArraySlice<UInt8>) -> Bool) {
    let wanted = entries.indices.filter { isWanted(self[$0]) }
    entries = wanted.map { entries[$0] }
  }
}
