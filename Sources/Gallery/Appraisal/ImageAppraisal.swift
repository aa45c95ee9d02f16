#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The similarity and the sharpness of a photo, by which it is compared with others.
public struct ImageAppraisal: Hashable, Codable, Sendable {
  /// The perceptual hash of the upright image. Similar images differ in few bits; see ``distance(to:)``.
  public var hash: UInt64
  /// The sharpness of each tile of the upright image, row by row from the top left corner, in no unit. Empty if only the hash
  /// was computed.
  ///
  /// The values are comparable between photos of the same scene: the amount of fine detail, as a multiple of the photo's
  /// contrast. A tile without detail, such as the sky, has a low value in every photo.
  public var sharpness: [UInt16]
  /// The brightness of each cell of a grid over the upright image, row by row, from 0 to 255 in the luma of Rec. ITU-R BT.601.
  /// Empty if only the hash was computed.
  public var cells: [UInt8]

  /// The number of columns and of rows of tiles, for images of any proportions. Unsteady hands move a photo by less than a
  /// tile.
  public static let side = 16

  /// The number of columns and of rows of ``cells``.
  public static let cellSide = 16

  /// Creates an appraisal.
  public init(hash: UInt64, sharpness: [UInt16] = [], cells: [UInt8] = []) {
    self.hash = hash
    self.sharpness = sharpness
    self.cells = cells
  }

  /// The parts of an appraisal that are wanted. Each takes longer than the one before, and includes it.
  public enum Detail: UInt8, Codable, Hashable, Sendable, CaseIterable {
    /// The hash, of which the smallest preview is enough.
    case hash
    /// The cells of the image itself. A preview may show what the image was before another program changed it.
    case cells
    /// The sharpness, for which the whole image is decoded.
    case sharpness
  }

  /// Returns whether the appraisal has the parts of a detail.
  public func has(_ detail: Detail) -> Bool {
    switch detail {
    case .hash: true
    case .cells: !cells.isEmpty
    case .sharpness: !sharpness.isEmpty
    }
  }
}

// MARK: - Similarity

extension ImageAppraisal {
  /// The largest distance of two photos that the same camera took within seconds, as in a burst.
  public static let burstDistance = 18
  /// The largest distance of two photos that were taken within half a minute and show nearly the same.
  public static let nearDuplicateDistance = 12

  /// Returns the number of bits in which the hashes differ, from 0 to 64. Of unrelated photos, it is 32 on average.
  public func distance(to other: ImageAppraisal) -> Int { (hash ^ other.hash).nonzeroBitCount }
}

// MARK: - Sharpness

extension ImageAppraisal {
  /// Returns the places of the appraisals of a stack in the order of their sharpness, the sharpest first.
  ///
  /// Each tile is compared with the same tile of the other photos, and counts by the detail that at least two of them show
  /// there. So the sky doesn't count, and neither does a passer-by in one photo. Appraisals without tiles come last. Equal
  /// ones keep their order.
  ///
  /// - Parameter focus: The places on which the camera focused, in 1/65536 of the width and height of the upright image, or
  ///   nil. If there are any, the tiles next to them decide.
  public static func sharpestFirst(_ appraisals: [ImageAppraisal], focus: [(x: Int, y: Int)?]) -> [Int] {
    let scores = scores(appraisals, focus: focus.compactMap { $0 })
    return appraisals.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
  }

  /// Returns the sharpness of each photo of a stack in percent of the sharpest one. Only the sharpest ones have 100. It is nil
  /// for an appraisal without tiles, and if there is nothing to compare.
  ///
  /// - Parameter focus: The places on which the camera focused, as for ``sharpestFirst(_:focus:)``.
  public static func percentOfSharpest(_ appraisals: [ImageAppraisal], focus: [(x: Int, y: Int)?]) -> [Int?] {
    let scores = scores(appraisals, focus: focus.compactMap { $0 })
    guard let highest = scores.max(), highest > 0 else { return scores.map { _ in nil } }
    return scores.map { score in
      score < 0 ? nil : score == highest ? 100 : min(99, Int((score / highest * 100).rounded()))
    }
  }

  /// Returns the sum of what each photo reaches of its tiles' highest values, or -1 for an appraisal without tiles.
  private static func scores(_ appraisals: [ImageAppraisal], focus: [(x: Int, y: Int)]) -> [Double] {
    let count = side * side
    let compared = appraisals.indices.filter { appraisals[$0].sharpness.count == count }
    var scores = [Double](repeating: -1, count: appraisals.count)
    for index in compared { scores[index] = 0 }
    guard compared.count > 1 else { return scores }
    for tile in 0..<count {
      let values = compared.map { Double(appraisals[$0].sharpness[tile]) }
      let sorted = values.sorted()
      guard let highest = sorted.last, highest > 0 else { continue }
      let detail = sorted[sorted.count - 2]
      // The square is the energy of the detail: of a tile with an edge of half the contrast, a quarter.
      let weight = detail * detail * attention(tile, focus) / highest
      for (index, value) in zip(compared, values) { scores[index] += weight * value }
    }
    return scores
  }

  /// Returns how much a tile counts: with places of focus, by its distance from them.
  private static func attention(_ tile: Int, _ focus: [(x: Int, y: Int)]) -> Double {
    guard !focus.isEmpty else { return 1 }
    let (x, y) = (Double(tile % side) + 0.5, Double(tile / side) + 0.5)
    return focus.reduce(0) { sum, point in
      let across = x - Double(point.x) / 65536 * Double(side)
      let down = y - Double(point.y) / 65536 * Double(side)
      return sum + exp(-(across * across + down * down) / (2 * focusRadius * focusRadius))
    }
  }

  /// The standard deviation of the attention around a place of focus, in tiles: a twentieth of the frame, as much as a
  /// camera's focus area. The attention never ends, so that a place without detail leaves the choice to the next tiles.
  private static let focusRadius = 0.8
}
