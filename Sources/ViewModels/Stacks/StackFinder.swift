import Gallery
import Photos
import Services

/// Finds the stacks of a source and sorts their shots, away from the main actor.
actor StackFinder {
  private let service: any AppraisalServiceProtocol
  /// The perceptual hashes of the shots in runs. Those that can't be decoded are tried again when the source changes.
  private var hashes: [Photo.ID: UInt64] = [:]

  /// The shots that are appraised before a search for stacks can be canceled.
  private static let shotsAtOnce = 256

  /// - Parameter service: The service that looks at photos.
  init(service: any AppraisalServiceProtocol) { self.service = service }

  /// The stacks that were found in a table.
  struct Found: Sendable {
    var photos = PhotoTable()
    /// The stacks.
    var stacks: [ShotStack] = []
    /// Whether they differ from the ones that were known.
    var areNew = false
  }

  /// Finds the stacks of a table.
  ///
  /// - Parameter known: The stacks that were found last.
  /// - Returns: nil if the task is canceled.
  func stacks(of photos: PhotoTable, known: Found) async -> Found? {
    if ShotRuns.areSame(in: photos, as: known.photos) {
      return Found(photos: photos, stacks: known.stacks)
    }
    guard let runs = ShotRuns(in: photos) else { return nil }
    await appraise(runs, of: photos)
    if Task.isCancelled { return nil }
    let stacks = runs.stacks(clock: photos.clock) { hashes[photos.id(at: $0)] }
      .map { ShotStack(kind: $0.kind, shots: Self.shots(of: $0, in: photos)) }
    return Found(photos: photos, stacks: stacks, areNew: stacks != known.stacks)
  }

  /// Returns the shots of a stack. Until a burst is measured, it is listed as the shot with the most stars.
  private static func shots(of stack: (kind: StackKind, shots: [TableIndex]), in photos: PhotoTable) -> [Photo.ID] {
    guard stack.kind == .burst else { return stack.shots.map { photos.id(at: $0) } }
    let starred = stack.shots.map { (id: photos.id(at: $0), stars: photos.stars(ofShot: $0) ?? 0) }
    return starred.sorted { $0.stars > $1.stars }.map(\.id)
  }

  private func appraise(_ runs: ShotRuns, of photos: PhotoTable) async {
    var known: [Photo.ID: UInt64] = [:]
    var missing: [(id: Photo.ID, file: FilePath)] = []
    for shot in runs.similarShots {
      let id = photos.id(at: shot)
      if let hash = hashes[id] {
        known[id] = hash
      } else if case .file(let file) = photos.image(at: shot) {
        missing.append((id, file))
      }
    }
    hashes = known
    for start in stride(from: 0, to: missing.count, by: Self.shotsAtOnce) {
      let some = missing[start...].prefix(Self.shotsAtOnce)
      let found = await service.appraisals(of: some.map(\.file), .hash)
      if Task.isCancelled { return }
      for (shot, appraisal) in zip(some, found) { hashes[shot.id] = appraisal?.hash }
    }
  }

  /// Sorts the shots of a stack: the kept one first, then the sharpest first, and the rejected ones last.
  ///
  /// - Parameter kept: The shot that the user has kept in a comparison, or nil for none.
  /// - Returns: The shots in their order, and the sharpness of those that could be measured, in percent of the sharpest
  ///   one. nil if the task is canceled.
  func sorted(
    _ shots: ArraySlice<TableIndex>, of photos: PhotoTable, keeping kept: Photo.ID?
  ) async -> (order: [Photo.ID], sharpness: [Photo.ID: Int])? {
    let rejected = Set(
      shots.filter { photos.stars(ofShot: $0) == PhotoDecisions.rejected }.map { photos.id(at: $0) })
    let shots = shots.map { photos[$0] }
    let readable = shots.filter { $0.file != nil }
    let appraisals = await service.appraisals(of: readable.compactMap(\.file), .sharpness)
    if Task.isCancelled { return nil }
    let known = zip(readable, appraisals).compactMap { shot, appraisal in appraisal.map { (shot: shot, appraisal: $0) }
    }
    let focus = known.map { $0.shot.metadata?.focus.map { ($0.x, $0.y) } }
    let sharpest = ImageAppraisal.sharpestFirst(known.map(\.appraisal), focus: focus)
    let percents = ImageAppraisal.percentOfSharpest(known.map(\.appraisal), focus: focus)
    let sharpness = zip(known, percents).reduce(into: [:]) { $0[$1.0.shot.id] = $1.1 }
    let ranks = Dictionary(uniqueKeysWithValues: sharpest.enumerated().map { (known[$1].shot.id, $0) })
    func rank(_ shot: Photo) -> (Int, Int) {
      (rejected.contains(shot.id) ? 2 : shot.id == kept ? 0 : 1, ranks[shot.id] ?? shots.count)
    }
    // Shots without a rank keep the order of their times, as the sort is stable.
    return (shots.sorted { rank($0) < rank($1) }.map(\.id), sharpness)
  }
}
