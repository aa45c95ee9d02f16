import Foundation

/// How often tests of endurance try, and with what.
///
/// They have `Torture` in their names: `make test` runs them in their short form, `make torture` in their long one.
public enum Torture {
  public static let isLong = ProcessInfo.processInfo.environment["TINTYPE_TORTURE"] != nil

  public static func rounds(_ short: Int, long: Int) -> Int { isLong ? long : short }

  /// The numbers of blocks of rounds, which a test takes for its argument, so that one that fails is named.
  public static func blocks(_ short: Int, long: Int) -> [Int] { Array(0..<rounds(short, long: long)) }
}

/// A small generator of numbers that come out the same in every run (SplitMix64).
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
  /// These bytes with damage of some kinds: wrong bits and bytes, numbers at the edge, pieces gone, doubled, or moved.
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
      // Mostly near the end: what is cut off early is known early.
      let rest = Double.random(in: 0..<1, using: &random)
      removeLast(Int(rest * rest * Double(count)))
    }
  }
}
