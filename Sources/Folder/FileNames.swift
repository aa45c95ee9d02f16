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
  /// Numbers are sorted instead of names: the names of a camera's photos begin alike, and most of them differ in the eight
  /// bytes behind that.
  mutating func sort() {
    guard count > 1 else { return }
    bytes.withUnsafeBufferPointer { bytes in
      func name(_ entry: Entry) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(entry.start)..<Int(entry.start + entry.count)])
      }
      let first = name(entries[0])
      var common = first.count
      for entry in entries {
        let name = name(entry)
        common = min(common, name.count)
        if let place = (0..<common).first(where: { name[$0] != first[$0] }) { common = place }
      }
      for index in entries.indices {
        let rest = name(entries[index]).dropFirst(common).prefix(8)
        entries[index].key = rest.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * (8 - rest.count))
      }
      sortByKeys()
      // Names with the same key are compared as a whole.
      var start = 0
      while start < entries.count {
        let key = entries[start].key
        let end = entries[start...].firstIndex { $0.key != key } ?? entries.count
        if end > start + 1 { entries[start..<end].sort { name($0).lexicographicallyPrecedes(name($1)) } }
        start = end
      }
    }
  }

  /// Sorts the entries by one byte of their keys after the other, the last byte first, which takes no comparisons.
  private mutating func sortByKeys() {
    var sorted = entries
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      func byte(_ entry: Entry) -> Int { Int(entry.key >> shift & 0xFF) }
      var places = [Int](repeating: 0, count: 257)
      for entry in entries { places[byte(entry) + 1] += 1 }
      // In many places, all names have the same byte.
      if places.contains(entries.count) { continue }
      for value in 1..<256 { places[value] += places[value - 1] }
      for entry in entries {
        sorted[places[byte(entry)]] = entry
        places[byte(entry)] += 1
      }
      swap(&entries, &sorted)
    }
  }

  /// Removes the names that don't satisfy `isWanted`.
  mutating func keep(where isWanted: (ArraySlice<UInt8>) -> Bool) {
    let wanted = entries.indices.filter { isWanted(self[$0]) }
    entries = wanted.map { entries[$0] }
  }
}
