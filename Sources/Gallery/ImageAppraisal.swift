/// What the pixels of a photo say about it beside others: how similar it looks to them, and how sharp it is.
public struct ImageAppraisal: Hashable, Sendable {
  /// The perceptual hash of the upright image. Similar images differ in few bits; see ``distance(to:)``.
  public var hash: UInt64
  /// The sharpness of each tile of the upright image, row by row from the top left corner, in no unit. Empty if only the hash
  /// was computed.
  ///
  /// The values are comparable between photos of the same scene: the amount of fine detail, as a multiple of the photo's
  /// contrast. A tile without detail, such as the sky, has a low value in every photo.
  public var sharpness: [UInt16]

  /// The columns and the rows of tiles, whatever the proportions of the image are. Unsteady hands move a photo by less than a
  /// tile.
  public static let side = 16

  /// Creates an appraisal.
  public init(hash: UInt64, sharpness: [UInt16] = []) {
    (self.hash, self.sharpness) = (hash, sharpness)
  }
}

// MARK: - Similarity

extension ImageAppraisal {
  /// The largest distance of two photos that the same camera took within seconds, as in a burst.
  public static let burstDistance = 20
  /// The largest distance of two photos that were taken within half a minute and show nearly the same.
  public static let nearDuplicateDistance = 14

  /// Returns the number of bits in which the hashes differ, from 0 to 64. Of unrelated photos, it is 32 on average.
  public func distance(to other: ImageAppraisal) -> Int { (hash ^ other.hash).nonzeroBitCount }
}

// MARK: - Sharpness

extension ImageAppraisal {
  /// Returns the places of the appraisals of a stack in the order of their sharpness, the sharpest first.
  ///
  /// Each tile is compared with the same tile of the other photos, and counts as much as it has detail in at least two of
  /// them: a photo that is sharp at the subject is better than one that is sharp at the background. Appraisals without
  /// tiles come last. The order of equal ones stays.
  ///
  /// - Parameter focus: The places on which the camera focused, in 1/65536 of the width and height of the upright image, or
  ///   nil. Tiles near them count more.
  public static func sharpestFirst(_ appraisals: [ImageAppraisal], focus: [(x: Int, y: Int)?] = []) -> [Int] {
    let scores = scores(appraisals, focus: focus)
    return appraisals.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
  }

  /// Returns the mean rank of each photo's tiles, weighted by their detail, or -1 for an appraisal without tiles.
  private static func scores(_ appraisals: [ImageAppraisal], focus: [(x: Int, y: Int)?]) -> [Double] {
    let count = side * side
    let compared = appraisals.indices.filter { appraisals[$0].sharpness.count == count }
    var scores = [Double](repeating: -1, count: appraisals.count)
    for index in compared { scores[index] = 0 }
    guard compared.count > 1 else { return scores }
    let attention = attention(focus.compactMap { $0 })
    for tile in 0..<count {
      let values = compared.map { Double(appraisals[$0].sharpness[tile]) }
      // One photo alone may have detail that the others don't show, such as a passer-by.
      let detail = values.sorted()[values.count - 2] * attention[tile]
      for (index, value) in zip(compared, values) {
        let below = values.count { $0 < value }
        let equal = values.count { $0 == value }
        scores[index] += detail * (Double(below) + Double(equal - 1) / 2)
      }
    }
    return scores
  }

  /// Returns how much each tile counts: with places of focus, mostly those near one.
  private static func attention(_ focus: [(x: Int, y: Int)]) -> [Double] {
    guard !focus.isEmpty else { return [Double](repeating: 1, count: side * side) }
    return (0..<side * side).map { tile in
      let (x, y) = (Double(tile % side) + 0.5, Double(tile / side) + 0.5)
      return focus.reduce(0) { sum, point in
        let across = x - Double(point.x * side) / 65536
        let down = y - Double(point.y * side) / 65536
        return sum + 1 / (1 + (across * across + down * down) / focusRadiusSquared)
      }
    }
  }

  /// The square of the distance from the focus, in tiles, at which tiles count half.
  private static let focusRadiusSquared = 2.0
}
