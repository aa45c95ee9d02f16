import Gallery

/// An index of perceptual hashes that finds those which differ in few bits, without a comparison with each of them.
///
/// Of two hashes that differ in at most ``ImageAppraisal/duplicateDistance`` bits, one of the four quarters differs in at most
/// two, since three in each would be more.
struct HashIndex {
  private static let quarterCount = 4
  private static let quarterBits = 16
  /// The differences of at most two bits.
  private static let differences: [Int] = {
    let bits = (0..<quarterBits).map { 1 << $0 }
    return [0] + bits + bits.flatMap { first in bits.filter { $0 > first }.map { first | $0 } }
  }()

  private let hashes: [UInt64]
  /// For each quarter, the places of the hashes, sorted by its value.
  private var places: [[Int32]] = []
  /// For each quarter, the index in ``places`` at which each value begins, and the end of the last one.
  private var starts: [[Int32]] = []

  init(_ hashes: [UInt64]) {
    self.hashes = hashes
    for quarter in 0..<Self.quarterCount {
      var starts = [Int32](repeating: 0, count: 1 << Self.quarterBits + 1)
      for hash in hashes { starts[Self.value(of: quarter, in: hash) + 1] += 1 }
      for value in 1..<starts.count { starts[value] += starts[value - 1] }
      var (next, places) = (starts, [Int32](repeating: 0, count: hashes.count))
      for (place, hash) in hashes.enumerated() {
        let value = Self.value(of: quarter, in: hash)
        places[Int(next[value])] = Int32(place)
        next[value] += 1
      }
      self.starts.append(starts)
      self.places.append(places)
    }
  }

  private static func value(of quarter: Int, in hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash >> UInt64(quarter * quarterBits)) & (1 << quarterBits - 1)
  }

  /// Calls `body` with the place of each hash that differs in at most ``ImageAppraisal/duplicateDistance`` bits, some of them
  /// several times, until it returns false.
  func forEachPlace(near hash: UInt64, _ body: (Int) -> Bool) {
    for quarter in 0..<Self.quarterCount {
      let value = Self.value(of: quarter, in: hash)
      for difference in Self.differences {
        let (start, end) = (starts[quarter][value ^ difference], starts[quarter][(value ^ difference) + 1])
        for place in places[quarter][Int(start)..<Int(end)]
        where (hashes[Int(place)] ^ hash).nonzeroBitCount <= ImageAppraisal.duplicateDistance && !body(Int(place)) {
          return
        }
      }
    }
  }
}
