import Gallery
import Photos
import Services

/// A comparison of two to four photos side by side, into which the candidates behind them move one after the other.
///
/// The photo that the user keeps stays, and the next candidates take the places of the others, until one photo is left. The
/// others are beaten: they lose their marks if the marked photos are compared, and ``rejectBeaten()`` rejects them.
@MainActor
public final class PhotoComparison {
  /// The numbers of photos that can be side by side.
  public static let paneCounts = 2...4

  private var state: State
  /// The number of panes that the user wants.
  public private(set) var paneCount: Int
  /// The steps that the user has made, and those that were undone. The last one is at the end.
  private var (done, undone): ([Move], [Move]) = ([], [])

  private let lineup: PhotoLineup
  /// The place of each candidate in the lineup.
  private let places: [Photo.ID: PlaceIndex]
  private let currentRows: (PhotoLineup) -> PhotoRows
  /// Whether the marked photos are compared, so that the marks say at the end which ones are left.
  private let unmarksBeaten: Bool

  private struct State {
    /// The identifiers of the photos side by side.
    var panes: [Photo.ID]
    var cursor = 0
    /// The place of the first candidate that has not been in a pane.
    var next: PlaceIndex
    /// The photos that were beaten or rejected, which don't come back.
    var eliminated: Set<Photo.ID> = []
    var kept: Photo.ID?
  }

  private struct Move {
    let before: State
    let after: State
    /// The decision that was made, or nil if a photo was only kept.
    let decision: MadeDecision?
    /// The photos that have lost their marks.
    let unmarked: [Photo.ID]
  }

  private typealias MadeDecision = (deciding: PhotoDeciding, step: PhotoDeciding.RequestedStep)

  /// - Parameters:
  ///   - lineup: At least two photos, the ones to begin with first.
  ///   - paneCount: The number of panes.
  ///   - cursor: The place of the photo at the cursor. If it is behind the first ones, it takes the last pane.
  ///   - unmarksBeaten: Whether photos that are beaten lose their marks.
  ///   - rows: Returns the rows of the candidates that are still there.
  init(
    _ lineup: PhotoLineup, paneCount: Int, cursor: Int = 0, unmarksBeaten: Bool = false,
    rows: @escaping (PhotoLineup) -> PhotoRows
  ) {
    self.lineup = lineup
    self.unmarksBeaten = unmarksBeaten
    currentRows = rows
    places = Dictionary(lineup.places.map { (lineup[$0], $0) }) { first, _ in first }
    let count = min(max(paneCount, Self.paneCounts.lowerBound), Self.paneCounts.upperBound)
    var panes = Array(lineup.ids.prefix(count))
    let pane = min(cursor, panes.count - 1)
    panes[pane] = lineup.ids[cursor]
    self.paneCount = count
    state = State(panes: panes, cursor: pane, next: PlaceIndex(pane == cursor ? panes.count : pane))
  }

  /// The identifiers of the photos side by side. A single one is the one that was left.
  public var panes: [Photo.ID] { state.panes }

  /// The index of the pane with the cursor.
  public var cursor: Int { state.cursor }

  /// The photo that the user has kept last, or nil for none.
  public var kept: Photo.ID? { state.kept }

  /// The number of candidates, those that are in panes included.
  public var count: Int { lineup.ids.count }

  /// The number of candidates that are still to be compared.
  public var remainingCount: Int { count - panes.count - state.eliminated.subtracting(panes).count }

  /// Whether one photo is left.
  public var isDecided: Bool { panes.count == 1 }

  /// Whether a photo was beaten or rejected.
  public var hasBeaten: Bool { !state.eliminated.isEmpty }

  /// The rows of the photos that were beaten and are not rejected.
  public var beaten: [PhotoRow] {
    guard hasBeaten else { return [] }
    return lineup.ids.filter(state.eliminated.contains).compactMap(row).filter { !$0.decisions.isRejected }
  }

  /// Returns the row of a photo, or nil if its file is gone.
  public func row(of id: Photo.ID) -> PhotoRow? {
    let rows = currentRows(lineup)
    return places[id].flatMap { lineup.row(at: $0, in: rows) }.map { rows[$0] }
  }

  /// The rows of the panes. A photo whose file is gone has none.
  public var rows: [PhotoRow?] { panes.map(row) }

  /// The identifier of the photo at the cursor.
  public var chosen: Photo.ID { panes[cursor] }

  /// The row at the cursor.
  public var chosenRow: PhotoRow? { row(of: chosen) }

  /// The rows of the candidates that come next, which can be prepared.
  public var upcoming: [PhotoRow] { nextCandidates(paneCount - 1).compactMap { row(of: lineup[$0]) } }

  /// The number of the pane's candidate, counted from 1.
  public func number(ofPane pane: Int) -> Int { (places[panes[pane]] ?? 0).value + 1 }
}

// MARK: - What the user does

extension PhotoComparison {
  /// Moves the cursor through the panes, from the last one to the first one.
  public func moveCursor(by step: Int) { state.cursor = ((cursor + step) % panes.count + panes.count) % panes.count }

  /// Moves the cursor to a pane.
  public func moveCursor(to pane: Int) { if panes.indices.contains(pane) { state.cursor = pane } }

  /// Keeps the photo at the cursor, which goes to the first pane, and lets the next candidates take the other panes.
  public func choose() {
    let before = state
    let kept = panes[cursor]
    let beaten = panes.filter { $0 != kept }
    state.eliminated.formUnion(beaten)
    let new = nextCandidates(paneCount - 1)
    state.panes = [kept]
    for place in new { show(place, inPane: panes.count) }
    state.cursor = 0
    state.kept = kept
    didMove(from: before, unmarking: beaten)
  }

  /// Makes a decision about the photo at the cursor. A photo that is rejected leaves its pane to the next candidate; if there
  /// is none, the pane closes. The last photo stays.
  public func decide(_ decision: DecisionChange) {
    guard let row = chosenRow, let deciding = row.deciding, let step = row.request(decision) else { return }
    let before = state
    let leaves = row.decisions.isRejected && decision.isRating && deciding.advances && panes.count > 1
    if leaves { dismiss() }
    didMove(from: before, (deciding, step), unmarking: leaves ? [row.photoID] : [])
  }

  /// Rejects the photos that were beaten, in one step.
  public func rejectBeaten() {
    let rows = beaten
    guard let deciding = rows.first?.deciding else { return }
    didMove(
      from: state, (deciding, deciding.make(.decision(.rating(PhotoDecisions.rejected)), forShots: rows.map(\.files))))
  }

  private func dismiss() {
    state.eliminated.insert(panes[cursor])
    if state.kept == panes[cursor] { state.kept = nil }
    if let place = nextCandidates(1).first { return show(place, inPane: cursor) }
    state.panes.remove(at: cursor)
    state.cursor = min(cursor, panes.count - 1)
  }

  /// Returns whether there is a candidate before or behind that of the cursor that is in no pane.
  public func canTurn(by step: Int) -> Bool { candidate(by: step) != nil }

  /// Shows the next or the previous candidate at the cursor that is in no pane.
  public func turn(by step: Int) { if let place = candidate(by: step) { show(place, inPane: cursor) } }

  /// Shows one photo more side by side, or two if there are as many as possible.
  public func addPane() {
    let counts = Self.paneCounts
    set(paneCount: paneCount < min(counts.upperBound, count) ? paneCount + 1 : counts.lowerBound)
  }

  private func set(paneCount: Int) {
    self.paneCount = paneCount
    if panes.count > paneCount {
      // The photo at the cursor stays.
      let chosen = panes[cursor]
      state.panes = Array(panes.prefix(paneCount))
      if !panes.contains(chosen) { state.panes[paneCount - 1] = chosen }
      state.cursor = panes.firstIndex(of: chosen) ?? 0
      state.next = (panes.compactMap { places[$0] }.max() ?? 0) + 1
    }
    for place in nextCandidates(paneCount - panes.count) { show(place, inPane: panes.count) }
  }

  private func show(_ place: PlaceIndex, inPane pane: Int) {
    let id = lineup[place]
    if panes.indices.contains(pane) { state.panes[pane] = id } else { state.panes.append(id) }
    state.next = max(state.next, place + 1)
  }

  private func isFree(_ place: PlaceIndex) -> Bool {
    !panes.contains(lineup[place]) && !state.eliminated.contains(lineup[place])
  }

  /// Returns the places of the next candidates whose files are there. Those that have not been side by side come first.
  private func nextCandidates(_ count: Int) -> [PlaceIndex] {
    let places = [state.next..<lineup.places.upperBound, 0..<state.next].joined()
    return Array(places.lazy.filter { self.isFree($0) && self.row(of: self.lineup[$0]) != nil }.prefix(count))
  }

  private func candidate(by step: Int) -> PlaceIndex? {
    var place = (places[panes[cursor]] ?? 0) + step
    while lineup.places.contains(place), !isFree(place) { place = place + step }
    return lineup.places.contains(place) ? place : nil
  }
}

// MARK: - Undoing

extension PhotoComparison {
  /// Whether something has been done in the comparison that can be undone.
  public var canUndo: Bool { !done.isEmpty }

  /// Whether something was undone in the comparison that can be done again.
  public var canRedo: Bool { !undone.isEmpty }

  /// Undoes the last decision, or returns to the photos before the last one was kept.
  public func undo() {
    guard let step = done.popLast() else { return }
    undone.append(step)
    if let (deciding, requested) = step.decision { deciding.undo(requested) }
    for photo in step.unmarked { mark(photo, true) }
    restore(step.before, insteadOf: step.after)
  }

  /// Does again what was undone last.
  public func redo() {
    guard let step = undone.popLast() else { return }
    done.append(step)
    if let (deciding, requested) = step.decision { deciding.redo(requested) }
    for photo in step.unmarked { mark(photo, false) }
    restore(step.after, insteadOf: step.before)
  }

  /// - Parameter beaten: The photos that lose their marks, if marked photos are compared.
  private func didMove(from before: State, _ decision: MadeDecision? = nil, unmarking beaten: [Photo.ID] = []) {
    let unmarked = unmarksBeaten ? beaten.filter { row(of: $0)?.isMarked == true } : []
    for photo in unmarked { mark(photo, false) }
    done.append(Move(before: before, after: state, decision: decision, unmarked: unmarked))
    undone = []
  }

  private func mark(_ photo: Photo.ID, _ isMarked: Bool) {
    if let row = row(of: photo), row.isMarked != isMarked { row.toggleMark() }
  }

  /// Shows the photos of one side of a step, in as many panes as the user wants now. If the step did not change the photos,
  /// they stay as the user has left them.
  private func restore(_ state: State, insteadOf other: State) {
    guard state.panes != other.panes || state.kept != other.kept else { return }
    self.state = state
    set(paneCount: paneCount)
  }
}
