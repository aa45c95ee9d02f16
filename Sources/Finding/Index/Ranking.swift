import Photos

/// The order of photos by their scores.
///
/// Each core sorts pieces of the list by counting. The sorted pieces are then joined by copying, for each score, the
/// photos of all pieces, so that no step needs the list as a whole in a cache.
struct Ranking {
  private let scores: [UInt16]
  private let pieceCount: Int

  /// - Parameters:
  ///   - pieces: The scores of the photos, in one list for each piece of the table.
  ///   - pieceCount: The number of photos that one task sorts.
  init(_ pieces: [[UInt16]], pieceCount: Int) {
    var scores: [UInt16] = []
    scores.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
    for piece in pieces { scores += piece }
    self.scores = scores
    self.pieceCount = pieceCount
  }

  /// Returns the indices of the photos with a score above 0, highest score first. Equal scores follow `order`.
  func indices(order: [TableIndex]?) async -> [TableIndex] {
    var order = order ?? []
    if order.count > scores.count { order.removeAll { $0.value >= scores.count } }
    let highest = Int(scores.reduce(0, max))
    let listed = pieces(of: order.indices)
    let others = pieces(of: order.count..<scores.count)
    let ranked = await Parallel.map(listed.count + others.count) { [order, scores] number in
      if number < listed.count { return RankedPiece(order[listed[number]], scores, highest: highest) }
      let range = others[number - listed.count]
      return RankedPiece(TableIndex(range.lowerBound)..<TableIndex(range.upperBound), scores, highest: highest)
    }
    return RankedPiece.joined(ranked)
  }

  private func pieces(of range: Range<Int>) -> [Range<Int>] {
    stride(from: range.lowerBound, to: range.upperBound, by: pieceCount).map {
      $0..<min(range.upperBound, $0 + pieceCount)
    }
  }
}

/// Some photos, sorted by their scores.
private struct RankedPiece: Sendable {
  /// The indices of the photos, highest score first.
  private let indices: [TableIndex]
  /// The number of photos with each score.
  private let counts: [Int]

  /// Sorts photos. Photos with equal scores keep their order.
  ///
  /// - Parameters:
  ///   - photos: The indices of the photos.
  ///   - scores: The scores of all photos.
  ///   - highest: The highest of the scores.
  init(_ photos: some Collection<TableIndex>, _ scores: [UInt16], highest: Int) {
    let counts = [Int](unsafeUninitializedCapacity: highest + 1) { counts, count in
      counts.initialize(repeating: 0)
      for photo in photos { counts[Int(scores[photo.value])] += 1 }
      count = counts.count
    }
    self.counts = counts
    // The place of the first photo with each score.
    var places = counts
    var end = 0
    for score in places.indices.reversed() { (places[score], end) = (end, end + places[score]) }
    indices = [TableIndex](unsafeUninitializedCapacity: end) { indices, count in
      places.withUnsafeMutableBufferPointer { places in
        // Photos with a score of 0 are sorted, too: a branch that no processor can predict would take longer.
        for photo in photos {
          let score = Int(scores[photo.value])
          indices[places[score]] = photo
          places[score] += 1
        }
      }
      count = end
    }
  }

  /// Returns the photos of all pieces, highest score first. Photos with equal scores are in the order of the pieces.
  static func joined(_ pieces: [RankedPiece]) -> [TableIndex] {
    var indices: [TableIndex] = []
    indices.reserveCapacity(pieces.reduce(0) { $0 + $1.indices.count - $1.counts[0] })
    var starts = [Int](repeating: 0, count: pieces.count)
    for score in (pieces.first?.counts.indices.dropFirst() ?? 0..<0).reversed() {
      for (number, piece) in pieces.enumerated() where piece.counts[score] > 0 {
        let end = starts[number] + piece.counts[score]
        indices += piece.indices[starts[number]..<end]
        starts[number] = end
      }
    }
    return indices
  }
}
