import Foundation

/// The rounds and the random numbers of endurance tests.
///
/// The names of these tests contain `Torture`. `make test` runs a short form of them, and `make torture` the long one.
public enum Torture {
  public static let isLong = ProcessInfo.processInfo.environment["TINTYPE_TORTURE"] != nil

  /// The time between two keys of a soak, which `make soak` sets in seconds; nil if they follow one another at once.
  public static let pace = ProcessInfo.processInfo.environment["TINTYPE_PACE"].flatMap(Int.init).map(Duration.seconds)

  public static func rounds(_ short: Int, long: Int) -> Int { isLong ? long : short }

  /// The numbers of the blocks of rounds. A test takes them as its arguments, so that a failure names its block.
  public static func blocks(_ short: Int, long: Int) -> [Int] { Array(0..<rounds(short, long: long)) }
}

/// A small random number generator with the same numbers in every run (SplitMix64).
public struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension [UInt8] {
  /// Returns these bytes with some damage: wrong bits and bytes, extreme numbers, and removed, repeated or moved
  /// pieces.
  public func damaged(by random: inout SplitMix) -> [UInt8] {
    var bytes = self
    for _ in 0...Int.random(in: 0...5, using: &random) where !bytes.isEmpty { bytes.damageOnce(&random) }
    return bytes
  }

  private static let edges: [[UInt8]] = [
    [0, 0], [0xFF, 0xFF], [0x7F, 0xFF], [0x80, 0], [0, 1], [1, 0], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF],
    [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x80], [0, 0, 0, 1], [1, 0, 0, 0],
  ]

  private mutating func damageOnce(_ random: inout SplitMix) {
    let place = Int.random(in: indices, using: &random)
    let end = Swift.min(count, place + Int.random(in: 1...16, using: &random))
    switch Int.random(in: 0...6, using: &random) {
    case 0: self[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 1: self[place] = UInt8.random(in: 0...255, using: &random)
    case 2, 3:
      let edge = Self.edges.randomElement(using: &random) ?? []
      replaceSubrange(place..<Swift.min(count, place + edge.count), with: edge)
    case 4: removeSubrange(place..<end)
    case 5: insert(contentsOf: self[place..<end], at: Int.random(in: indices, using: &random))
    default:
      // Most cuts are near the end, since earlier ones are found early.
      let rest = Double.random(in: 0..<1, using: &random)
      removeLast(Int(rest * rest * Double(count)))
    }
  }
}
