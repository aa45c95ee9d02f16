import Gallery
import Photos

// Culls and comparisons.
extension PhotoChoosingViewModel {
  /// The most photos that are compared if neither marks nor a stack say which.
  private static let mostCompared = 500
  /// The number of places behind the current one of a cull whose bursts are measured.
  private static let culledBurstsAhead = 5

  /// Begins a cull of the listed photos.
  ///
  /// - Parameter onBegin: Called when the decisions about the photos are known.
  public func beginCull(onBegin: @escaping (PhotoCull) -> Void) {
    guard canDecide, !rows.isEmpty else { return }
    let stacks = rows.indices.map(rows.shots)
    let places = zip(rows.indices, stacks).map { row, stack in
      PhotoCull.Place(
        shots: stack.shots.map { rows.photos.id(at: $0) }, kind: stack.kind,
        openStack: stack.kind == nil ? rows.stackPlace(ofRow: row) : nil)
    }
    let cull = PhotoCull(
      places, offered: rows.lineup(of: stacks.map { $0.shots[$0.shots.startIndex] }),
      shots: rows.lineup(of: stacks.flatMap(\.shots)))
    cull.sort { self.stacks.order(of: $0) }
    self.cull = cull
    count(cull) { onBegin(cull) }
  }

  /// Takes note that the user looks at a photo of the cull, and measures the sharpness of the bursts there and behind it.
  public func look(at photo: Photo.ID) {
    guard let cull else { return }
    cull.look(at: photo)
    measureNextBursts(of: cull)
  }

  func measureNextBursts(of cull: PhotoCull) {
    stacks.approach(
      cull.nextBursts(within: Self.culledBurstsAhead).reversed().lazy.map { $0[...] }, in: snapshot.photos)
  }

  func count(_ cull: PhotoCull, then: @escaping () -> Void) {
    deciding.onStars = { [weak cull] in cull?.take($0) }
    isCullCounted = snapshot.isComplete
    cull.count(in: snapshot.photos, changes: deciding.newStars, then: then)
  }

  /// The rows of the cull's photos, in the order in which it began.
  public var culledRows: PhotoRows { cull.map { rows(of: $0.lineup, in: $0) } ?? rows }

  /// Returns the row of a place of the cull in ``culledRows``, or nil if its photo is gone.
  public func culledRow(at place: PlaceIndex) -> RowIndex? { cull?.lineup.row(at: place, in: culledRows) }

  /// Returns the row in ``culledRows`` of the place of a shot, or nil if the cull does not have the shot.
  public func culledRow(of shot: Photo.ID) -> RowIndex? { cull?.place(of: shot).flatMap(culledRow) }

  private func rows(of lineup: PhotoLineup, in cull: PhotoCull? = nil) -> PhotoRows {
    lineup.rows(ofSnapshot: list.source.snapshotNumber, in: snapshot.photos) { order in
      var context = list.context
      context.query = nil
      return PhotoRows(
        snapshot.photos, order: order, folding: PhotoFolding(files: snapshot.groups), stacks: cull, context)
    }
  }

  /// Returns a comparison of the marked photos. If fewer than two are marked, it is that of a row's stack, the sharpest shot
  /// first, or of the row and those behind it. The cursor begins at the photo that the user looks at, if it is compared.
  ///
  /// - Parameter viewed: The photo of the row or of its stack that is shown by itself, in the viewer or in a cull; nil for none. The
  ///   marks of others are out of view there, so a stack without marks comes first.
  /// - Returns: nil if there are not two photos.
  public func comparison(orRow row: RowIndex, viewed: Photo.ID? = nil) -> PhotoComparison? {
    let stack = comparison(ofStackAtRow: row, viewed: viewed)
    if viewed != nil, let stack, !hasMarks(inStackOfRow: row) { return stack }
    let marked = markedShots
    if marked.count > 1 {
      let start = marked.firstIndex { isShot($0, viewed, orOfRow: row) }
      return comparison(of: marked, cursor: start ?? 0, unmarksBeaten: true)
    }
    if let stack { return stack }
    guard rows.indices.contains(row), rows.count > 1 else { return nil }
    let first = min(row, rows.endIndex - 2)
    let shots = (first..<min(rows.endIndex, first + Self.mostCompared)).map(rows.photoIndex)
    return comparison(of: shots, paneCount: PhotoComparison.paneCounts.lowerBound, cursor: first.distance(to: row))
  }

  /// Returns the comparison of the stack of a row, or nil if it is in none. Rejected shots that the user does not look at are left
  /// out if at least two others are left.
  ///
  /// - Parameter viewed: The shot of the stack that is shown by itself; nil for that of the row.
  public func comparison(ofStackAtRow row: RowIndex, viewed: Photo.ID? = nil) -> PhotoComparison? {
    guard rows.indices.contains(row), let stack = rows.stack(ofRow: row) else { return nil }
    let isLeft = stack.map { !isRejected($0) }
    let isEnough = isLeft.count { $0 } > 1
    let shots = zip(stack, isLeft).filter { !isEnough || $1 || isShot($0, viewed, orOfRow: row) }.map(\.0)
    return comparison(of: shots, cursor: shots.firstIndex { isShot($0, viewed, orOfRow: row) } ?? 0)
  }

  /// Returns whether a shot is the one that is shown by itself, or that of a row if none is.
  private func isShot(_ shot: TableIndex, _ viewed: Photo.ID?, orOfRow row: RowIndex) -> Bool {
    if let viewed { return rows.photos.id(at: shot) == viewed }
    return rows.indices.contains(row) && rows.photoIndex(at: row) == shot
  }

  private func hasMarks(inStackOfRow row: RowIndex) -> Bool {
    rows.stack(ofRow: row)?.contains { marks.contains(rows.photos.id(at: $0)) } ?? false
  }

  /// Returns whether a shot is rejected. Usually that is known without its photos, which take longer to create.
  private func isRejected(_ shot: TableIndex) -> Bool {
    deciding.hasChanges
      ? deciding.decisions(about: rows.files(of: shot)).isRejected
      : rows.photos.stars(ofShot: shot) == PhotoDecisions.rejected
  }

  private func comparison(
    of shots: [TableIndex], paneCount: Int? = nil, cursor: Int = 0, unmarksBeaten: Bool = false
  ) -> PhotoComparison {
    PhotoComparison(
      rows.lineup(of: shots), paneCount: paneCount ?? shots.count, cursor: cursor, unmarksBeaten: unmarksBeaten
    ) { [unowned self] in rows(of: $0) }
  }

  /// The indices of the marked shots in the order of the list, or in that of the source if the list doesn't show all of them.
  private var markedShots: [TableIndex] {
    guard marks.count > 1 else { return [] }
    let listed = rows.indices.filter { marks.contains(rows.id(at: $0)) }.map(rows.photoIndex)
    return listed.count == marks.count ? listed : rows.shots(where: marks.contains)
  }

  /// Ends a comparison. The photo that the user has kept is listed as the first one of its stack, and a cull offers it in place
  /// of the shot that represented the stack.
  ///
  /// - Returns: The row of the photo at the cursor, or nil if it is not listed.
  public func end(_ comparison: PhotoComparison) -> RowIndex? {
    lastComparison = comparison
    if let kept = comparison.kept, let row = rows.index(ofPhoto: kept, guess: nearestRow), !isDuplicate(row: row),
      let shots = rows.stack(ofRow: row)
    {
      cull?.keep(kept)
      stacks.keep(kept, of: shots, in: rows.photos)
    }
    return rows.index(ofPhoto: comparison.chosen, guess: nearestRow)
  }

  /// Marks the picks of the cull, and nothing else.
  public func markPicks() { marks.mark(only: cull?.picks ?? []) }
}
