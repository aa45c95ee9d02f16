/// The set of letters in a word.
///
/// Each ASCII letter has a bit, and so has each of the digits 0, 1, and 2. The other digits share a bit, the rest of
/// ASCII shares one, and all other characters share one.
struct LetterSet: Sendable {
  private var bits: UInt32 = 0

  init(_ word: some Sequence<UInt8>) {
    for byte in word { bits |= 1 << Self.bit(byte) }
  }

  /// Returns whether this set has all letters of another.
  func contains(_ other: LetterSet) -> Bool { bits & other.bits == other.bits }

  /// Returns the number of letters that only one of two sets has.
  func differences(from other: LetterSet) -> Int { (bits ^ other.bits).nonzeroBitCount }

  private static func bit(_ byte: UInt8) -> UInt32 {
    switch byte {
    case 0x61...0x7A: UInt32(byte - 0x61)
    case 0x30...0x39: byte < 0x33 ? UInt32(byte - 0x30) + 26 : 29
    case 0..<0x80: 30
    default: 31
    }
  }
}
