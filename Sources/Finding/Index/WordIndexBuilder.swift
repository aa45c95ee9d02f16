/// A builder for a ``WordIndex``, which collects the words that some photos have in one field.
struct WordIndexBuilder {
  private(set) var text: [UInt8] = []
  private(set) var ends: [UInt32] = []
  private(set) var letters: [LetterSet] = []
  /// The number of each word of each photo, in the order in which they were added.
  private var numbers: [UInt32] = []
  /// The photo of each number in `numbers`.
  private var rows: [UInt16] = []
  /// The last photo that each word was added for.
  private var lastRows: [UInt16] = []
  private var hashes: [UInt32] = []
  /// A hash table of the words' numbers, counted from 1. Each is at its hash's place or at the next free place, which
  /// has a 0.
  private var places = [UInt32](repeating: 0, count: 1 << 8)

  /// Adds the words of a photo. Photos are added in ascending order.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>, row: UInt16) {
    Folding.forEachWord(of: text) { append(word: $0, row: row) }
  }

  /// Returns the photos of each word, one list after another, and the end of each list.
  func rowsOfWords() -> (rows: [UInt16], ends: [UInt32]) {
    var starts = [UInt32](repeating: 0, count: ends.count)
    for number in numbers { starts[Int(number)] += 1 }
    var end: UInt32 = 0
    for number in starts.indices { (starts[number], end) = (end, end + starts[number]) }
    var sorted = [UInt16](repeating: 0, count: rows.count)
    for (number, row) in zip(numbers, rows) {
      sorted[Int(starts[Int(number)])] = row
      starts[Int(number)] += 1
    }
    // Each start has moved to the end of its list.
    return (sorted, starts)
  }

  @inline(__always)
  private mutating func append(word: UnsafeBufferPointer<UInt8>, row: UInt16) {
    let hash = word.hash
    var place = Int(hash) & (places.count - 1)
    while places[place] > 0 {
      let number = Int(places[place]) - 1
      if hashes[number] == hash, isWord(number, word) { return append(number, row) }
      place = (place + 1) & (places.count - 1)
    }
    text.append(contentsOf: word)
    ends.append(UInt32(text.count))
    letters.append(LetterSet(word))
    hashes.append(hash)
    lastRows.append(row)
    numbers.append(UInt32(ends.count - 1))
    rows.append(row)
    places[place] = UInt32(ends.count)
    if ends.count * 2 > places.count { growPlaces() }
  }

  private mutating func append(_ number: Int, _ row: UInt16) {
    if lastRows[number] == row { return }
    lastRows[number] = row
    numbers.append(UInt32(number))
    rows.append(row)
  }

  private func isWord(_ number: Int, _ word: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = number == 0 ? 0 : Int(ends[number - 1])
    guard Int(ends[number]) - start == word.count else { return false }
    return text.withUnsafeBufferPointer { text in
      for offset in 0..<word.count where text[start + offset] != word[offset] { return false }
      return true
    }
  }

  private mutating func growPlaces() {
    places = [UInt32](repeating: 0, count: places.count * 2)
    for number in hashes.indices {
      var place = Int(hashes[number]) & (places.count - 1)
      while places[place] > 0 { place = (place + 1) & (places.count - 1) }
      places[place] = UInt32(number + 1)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The FNV-1a hash, with its upper half mixed into the lower half.
  fileprivate var hash: UInt32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in self { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}
