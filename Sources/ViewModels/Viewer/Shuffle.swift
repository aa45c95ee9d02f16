import Photos

/// A random order of the rows of a list, in which each row comes once before any comes again.
///
/// The order is computed from its seed, so that lists of any length need no memory for it: a Feistel network permutes the
/// numbers below a power of 4, and those that are no rows are skipped. While a list grows to that power, the order of its
/// rows stays the same.
struct Shuffle {
  private let count: Int
  private let seed: UInt64
  /// The number of bits of each half of a number.
  private let bits: Int

  /// With four rounds, a Feistel network can't be told from a random permutation (Luby and Rackoff).
  private static let rounds = 0..<4

  /// - Parameter count: The number of rows, at least 1.
  init(count: Int, seed: UInt64) {
    self.count = count
    self.seed = seed
    bits = max(1, (Int.bitWidth - (count - 1).leadingZeroBitCount + 1) / 2)
  }

  /// Returns the row that is `step` rows after another one. The first row follows the last.
  func row(_ step: Int, after row: RowIndex) -> RowIndex {
    var place = place(of: row)
    for _ in 0..<abs(step) {
      repeat { place = (place + step.signum()) & (1 << (2 * bits) - 1) } while self.row(at: place).value >= count
    }
    return self.row(at: place)
  }

  private func row(at place: Int) -> RowIndex {
    var (left, right) = (place >> bits, place & mask)
    for round in Self.rounds { (left, right) = (right, left ^ hash(right, round)) }
    return RowIndex(left << bits | right)
  }

  /// Returns the place of a row: the rounds of ``row(at:)`` in reverse.
  private func place(of row: RowIndex) -> Int {
    var (left, right) = (row.value >> bits, row.value & mask)
    for round in Self.rounds.reversed() { (left, right) = (right ^ hash(left, round), left) }
    return left << bits | right
  }

  private var mask: Int { 1 << bits - 1 }

  /// Returns bits that depend on the seed, the round, and a half (the finalizer of SplitMix64).
  private func hash(_ half: Int, _ round: Int) -> Int {
    var hash = seed &+ UInt64(half << 2 | round) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: hash ^ hash >> 31) & mask
  }
}
