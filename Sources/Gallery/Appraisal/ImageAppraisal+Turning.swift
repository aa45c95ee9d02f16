/// One of the eight ways in which an image can be turned and mirrored.
public struct ImageTurn: Hashable, Sendable {
  /// Whether rows become columns, before the image is mirrored.
  var isTransposed: Bool
  /// Whether left and right are exchanged.
  var isMirrored: Bool
  /// Whether top and bottom are exchanged.
  var isFlipped: Bool

  /// All turns. The first one leaves the image as it is.
  public static let all = [false, true].flatMap { isTransposed in
    [false, true].flatMap { isMirrored in
      [false, true].map { ImageTurn(isTransposed: isTransposed, isMirrored: isMirrored, isFlipped: $0) }
    }
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

  /// Returns the cells of the image after a turn.
  func cells(after turn: ImageTurn) -> [UInt8] {
    let side = Self.cellSide
    return (0..<cells.count).map { place in
      let y = turn.isFlipped ? side - 1 - place / side : place / side
      let x = turn.isMirrored ? side - 1 - place % side : place % side
      return cells[turn.isTransposed ? x * side + y : y * side + x]
    }
  }
}

// MARK: - Duplicates

extension ImageAppraisal {
  /// The largest distance between the hashes of the same picture in two files. Of 91 photos in other sizes, formats and
  /// qualities, the largest distance was 8 (docs/duplicates.md).
  public static let duplicateDistance = 8
  /// The largest difference between the cells of the same picture in two files.
  static let duplicateDifference = 0.05
  /// The least contrast of an image with shapes that can be compared, as the standard deviation of its cells.
  private static let leastContrast: Float = 4

  /// Returns whether another image has the same cells after a turn, but for its contrast, exposure and compression.
  public func isSamePicture(as other: ImageAppraisal, after turn: ImageTurn) -> Bool {
    difference(from: other, after: turn).map { $0 <= Self.duplicateDifference } ?? false
  }

  /// Returns the mean difference between the cells of two images after a turn of the other one, in standard deviations of the
  /// cells. It is nil if the cells are unknown or have too little contrast.
  public func difference(from other: ImageAppraisal, after turn: ImageTurn) -> Double? {
    guard let mine = Self.standardized(cells), let others = Self.standardized(other.cells(after: turn)) else {
      return nil
    }
    return Double(zip(mine, others).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(mine.count))
  }

  /// Returns cells with the mean 0 and the standard deviation 1, or nil if they have too little contrast.
  private static func standardized(_ cells: [UInt8]) -> [Float]? {
    guard cells.count == cellSide * cellSide else { return nil }
    let mean = cells.reduce(0) { $0 + Float($1) } / Float(cells.count)
    let variance = cells.reduce(0) { $0 + (Float($1) - mean) * (Float($1) - mean) } / Float(cells.count)
    let deviation = variance.squareRoot()
    return deviation < leastContrast ? nil : cells.map { (Float($0) - mean) / deviation }
  }
}
