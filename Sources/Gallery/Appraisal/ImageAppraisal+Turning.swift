/// One of the eight ways in which an image can be turned and mirrored.
public struct ImageTurn: Hashable, Sendable {
  /// Whether rows become columns, before the image is mirrored.
  fileprivate let isTransposed: Bool
  /// Whether left and right are exchanged.
  fileprivate let isMirrored: Bool
  /// Whether top and bottom are exchanged.
  fileprivate let isFlipped: Bool

  /// All turns. The first one leaves the image as it is.
  public static let all = [false, true].flatMap { isTransposed in
    [false, true].flatMap { isMirrored in
      [false, true].map { ImageTurn(isTransposed: isTransposed, isMirrored: isMirrored, isFlipped: $0) }
    }
  }

  /// Returns the index of the cell that a turn brings to an index, in a square of `side` rows of `side` cells.
  func source(of index: Int, side: Int) -> Int {
    let y = isFlipped ? side - 1 - index / side : index / side
    let x = isMirrored ? side - 1 - index % side : index % side
    return isTransposed ? x * side + y : y * side + x
  }
}

extension ImageAppraisal {
  /// The frequencies whose signs are the bits of ``hash``, in half waves over the width and the height: the 64 lowest ones
  /// beside the mean.
  public static let frequencies: [(across: Int, down: Int)] = Array(
    (1...10).flatMap { sum in (0...sum).map { (across: $0, down: sum - $0) } }.prefix(64))

  /// The bit of each frequency.
  private static let bits = [Int: Int](
    uniqueKeysWithValues: frequencies.enumerated().map { (key($1.across, $1.down), $0) })

  private static func key(_ across: Int, _ down: Int) -> Int { across * 16 + down }

  /// The bits of a turned image's hash, for each turn: the bit from which each one comes, and the bits that change.
  private static let turnedBits = ImageTurn.all.map { turn in
    // One frequency has no counterpart in a transposed image. Its bit stays, as if it were the same.
    let sources = frequencies.enumerated().map { bit, frequency in
      turn.isTransposed ? bits[key(frequency.down, frequency.across)] ?? bit : bit
    }
    // A wave with an odd number of halves changes its sign when it is mirrored.
    let changes = frequencies.enumerated().reduce(UInt64(0)) { changes, item in
      let isMirrored = turn.isMirrored && item.element.across % 2 == 1
      let isFlipped = turn.isFlipped && item.element.down % 2 == 1
      return isMirrored != isFlipped ? changes | 1 << UInt64(item.offset) : changes
    }
    return (sources: sources, changes: changes)
  }

  /// Returns the hash of the image after each of ``ImageTurn/all``. No pixel is needed for that.
  public var turnedHashes: [UInt64] {
    Self.turnedBits.map { sources, changes in
      var turned: UInt64 = 0
      for (bit, source) in sources.enumerated() { turned |= (hash >> UInt64(source) & 1) << UInt64(bit) }
      return turned ^ changes
    }
  }

  /// The largest distance between the hashes of the same image in two files. Of 91 photos in other sizes, formats and
  /// qualities, the largest distance was 8 (docs/duplicates.md).
  public static let duplicateDistance = 8
}
