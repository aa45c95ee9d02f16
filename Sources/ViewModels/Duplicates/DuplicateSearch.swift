import Gallery
import Services

/// A search for the groups of duplicates among candidates whose hashes are known.
///
/// A photo is a duplicate of the best one of its group if it has the same bytes, or if the cells of both agree and no camera
/// has taken them as two shots. If the camera says that they are one shot, similar hashes are enough: one may be cropped.
struct DuplicateSearch {
  /// The candidates, whose cells are needed at the places ``similar``.
  var candidates: [DuplicateCandidate]
  /// The places of the candidates that may be the same picture as another one.
  private(set) var similar: [Int] = []

  /// The places of the candidates with hashes, in the order of the index.
  private let hashed: [Int]
  private let index: HashIndex
  private let sameBytes: [String: [Int]]
  private let sameClock: [Double: [Int]]

  /// The largest distance between the hashes of photos of one shot, of which one may be cropped.
  private static let croppedDistance = 16

  init(_ candidates: [DuplicateCandidate]) {
    self.candidates = candidates
    hashed = candidates.indices.filter { candidates[$0].appraisal != nil }
    index = HashIndex(hashed.map { candidates[$0].appraisal?.hash ?? 0 })
    sameBytes = Self.groups(of: candidates) { $0.content?.digest }
    sameClock = Self.groups(of: candidates) { $0.shot.hasFraction ? $0.shot.clock : nil }
    similar = hashed.filter { place in
      var isNear = false
      forEachPlace(near: place) { other, _ in
        isNear = true
        return false
      }
      return isNear
    }
  }

  private static func groups<Key: Hashable>(
    of candidates: [DuplicateCandidate], by key: (DuplicateCandidate) -> Key?
  ) -> [Key: [Int]] {
    var groups: [Key: [Int]] = [:]
    for place in candidates.indices { if let key = key(candidates[place]) { groups[key, default: []].append(place) } }
    return groups.filter { $0.value.count > 1 }
  }

  /// The places of the candidates that may be in a group.
  var places: [Int] { Set(similar).union(sameBytes.values.joined()).union(sameClock.values.joined()).sorted() }

  /// Returns the groups. In the order of the ranks, each candidate that is in none yet takes those that are duplicates of it.
  ///
  /// - Parameter rank: Returns the rank of the candidate at a place. Of equal ones, the first is the best.
  func groups<Rank: Comparable>(rankedBy rank: (Int) -> Rank) -> [[Int]] {
    let ranked = places.map { (rank: rank($0), place: $0) }.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }
    let positions = Dictionary(uniqueKeysWithValues: ranked.enumerated().map { ($1.place, $0) })
    let shapes = candidates.map { $0.appraisal.flatMap(ImageShapes.init) }
    var taken: Set<Int> = []
    var groups: [[Int]] = []
    for (_, best) in ranked where !taken.contains(best) && !Task.isCancelled {
      let others = duplicates(of: best, shapes).subtracting(taken).subtracting([best])
      guard !others.isEmpty else { continue }
      let group = [best] + others.sorted { positions[$0, default: 0] < positions[$1, default: 0] }
      taken.formUnion(group)
      groups.append(group)
    }
    return groups
  }

  private func duplicates(of place: Int, _ shapes: [ImageShapes?]) -> Set<Int> {
    let candidate = candidates[place]
    var found = Set(candidate.content?.digest.flatMap { sameBytes[$0] } ?? [])
    // The hashes of all images without contrast are similar.
    if let mine = shapes[place] {
      forEachPlace(near: place) { other, turn in
        if shapes[other]?.isDuplicate(of: mine, after: turn) == true { found.insert(other) }
        return true
      }
    }
    let others = candidate.shot.clock.flatMap { sameClock[$0] } ?? []
    return found.union(others.filter { isSameShot(candidate, candidates[$0]) })
  }

  private func isSameShot(_ first: DuplicateCandidate, _ second: DuplicateCandidate) -> Bool {
    guard first.shot.identity(with: second.shot) == .same, let one = first.appraisal, let other = second.appraisal
    else {
      return false
    }
    return one.turnedHashes.contains { ($0 ^ other.hash).nonzeroBitCount <= Self.croppedDistance }
  }

  /// Calls `body` with each other candidate whose hash is similar to that of a candidate after a turn of the candidate, unless
  /// they are different shots, until it returns false.
  private func forEachPlace(near place: Int, _ body: (Int, ImageTurn) -> Bool) {
    guard let appraisal = candidates[place].appraisal else { return }
    var goesOn = true
    for (turn, hash) in zip(ImageTurn.all, appraisal.turnedHashes) where goesOn && !Task.isCancelled {
      index.forEachPlace(near: hash) { number in
        let other = hashed[number]
        if other != place, candidates[place].shot.identity(with: candidates[other].shot) != .different {
          goesOn = body(other, turn)
        }
        return goesOn
      }
    }
  }
}
