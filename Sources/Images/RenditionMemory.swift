/// A cache of values with a limit on their total cost. The least recently used values are removed first.
struct RenditionMemory<Key: Hashable, Value> {
  private struct Entry {
    var value: Value
    var cost: Int
    var lastUse: Int
  }

  private let budget: Int
  private var entries: [Key: Entry] = [:]
  private var clock = 0
  private(set) var cost = 0

  init(budget: Int) { self.budget = budget }

  subscript(key: Key) -> Value? {
    mutating get {
      guard let index = entries.index(forKey: key) else { return nil }
      clock += 1
      entries.values[index].lastUse = clock
      return entries.values[index].value
    }
  }

  /// Inserts a value.
  /// - Returns: The values that were removed: the one that had the key before, and those that exceed the budget.
  mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Value] {
    clock += 1
    var gone = [remove(key)].compactMap(\.self)
    entries[key] = Entry(value: value, cost: cost, lastUse: clock)
    self.cost += cost
    guard self.cost > budget else { return gone }
    // A quarter is removed at once, so that sorting is rare. The new value always stays.
    for (old, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where old != key {
      guard self.cost > budget * 3 / 4 else { break }
      gone += [remove(old)].compactMap(\.self)
    }
    return gone
  }

  /// Removes all values, and returns them.
  mutating func removeAll() -> [Value] {
    defer {
      entries = [:]
      cost = 0
    }
    return entries.values.map(\.value)
  }

  /// Removes the values for which a predicate returns true, and returns them.
  mutating func removeAll(where isUnwanted: (Key, Value) -> Bool) -> [Value] {
    entries.filter { isUnwanted($0.key, $0.value.value) }.keys.compactMap { remove($0) }
  }

  /// All keys and values in no particular order. Reading them does not count as use.
  var all: some Sequence<(Key, Value)> { entries.lazy.map { ($0.key, $0.value.value) } }

  private mutating func remove(_ key: Key) -> Value? {
    guard let old = entries.removeValue(forKey: key) else { return nil }
    cost -= old.cost
    return old.value
  }
}
