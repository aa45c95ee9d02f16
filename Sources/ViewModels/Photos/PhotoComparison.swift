import Gallery

/// A comparison of two to four photos side by side, into which the candidates behind them move one after the other.
///
/// The photo that the user chooses stays, and the next candidates take the places of the others, until one photo is left.
@MainActor
public final class PhotoComparison {
  /// The numbers of photos that can be side by side.
  public static let paneCounts = 2...4

  /// The identifiers of the photos side by side. A single one is the one that was left.
  public private(set) var panes: [Photo.ID]
  /// The index of the pane with the cursor.
  public private(set) var cursor = 0
  /// The number of panes that the user wants.
  public private(set) var paneCount: Int

  private let lineup: PhotoLineup
  private let currentRows: (PhotoLineup) -> PhotoRows
  /// The index of the first candidate that has not been in a pane.
  private var next: Int
  /// The photos that the user has taken away, which don't come back.
  private var dismissed: Set<Photo.ID> = []

  /// - Parameters:
  ///   - lineup: At least two photos, the ones to begin with first.
  ///   - paneCount: The number of panes.
  ///   - rows: Returns the rows of the candidates that are still there.
  init(_ lineup: PhotoLineup, paneCount: Int, rows: @escaping (PhotoLineup) -> PhotoRows) {
    self.lineup = lineup
    currentRows = rows
    self.paneCount = min(max(paneCount, Self.paneCounts.lowerBound), Self.paneCounts.upperBound)
    panes = Array(lineup.ids.prefix(self.paneCount))
    next = panes.count
  }

  /// The number of candidates, those that are in panes included.
  public var count: Int { lineup.ids.count }

  /// The number of candidates that have not been in a pane.
  public var remainingCount: Int { count - next }

  /// Whether one photo is left.
  public var isDecided: Bool { panes.count == 1 }

  /// Returns the row of a photo, or nil if its file is gone.
  public func row(of id: Photo.ID) -> PhotoRow? {
    let rows = currentRows(lineup)
    guard let place = lineup.ids.firstIndex(of: id) else { return nil }
    return rows.index(ofPhoto: id, guess: place).map { rows[$0] }
  }

  /// The rows of the panes. A photo whose file is gone has none.
  public var rows: [PhotoRow?] { panes.map(row) }

  /// The row at the cursor.
  public var chosenRow: PhotoRow? { row(of: panes[cursor]) }

  /// The rows of the candidates that come next, which can be prepared.
  public var upcoming: [PhotoRow] { lineup.ids[next...].prefix(paneCount - 1).compactMap(row) }

  /// The number of the pane's candidate, counted from 1.
  public func number(ofPane pane: Int) -> Int { (lineup.ids.firstIndex(of: panes[pane]) ?? 0) + 1 }
}

// MARK: - What the user does

extension PhotoComparison {
  /// Moves the cursor through the panes, from the last one to the first one.
  public func moveCursor(by step: Int) { cursor = ((cursor + step) % panes.count + panes.count) % panes.count }

  /// Moves the cursor to a pane.
  public func moveCursor(to pane: Int) { if panes.indices.contains(pane) { cursor = pane } }

  /// Keeps the photo at the cursor, which goes to the first pane, and lets the next candidates take the other panes.
  public func choose() {
    let chosen = panes[cursor]
    let new = lineup.ids[next...].prefix(paneCount - 1)
    next += new.count
    panes = [chosen] + new
    cursor = 0
  }

  /// Takes the photo at the cursor away. The next candidate takes its pane; if there is none, the pane closes.
  public func dismiss() {
    dismissed.insert(panes[cursor])
    if next < count {
      panes[cursor] = lineup.ids[next]
      next += 1
    } else if panes.count > 1 {
      panes.remove(at: cursor)
      cursor = min(cursor, panes.count - 1)
    }
  }

  /// Returns whether there is a candidate before or behind that of the cursor that is in no pane.
  public func canTurn(by step: Int) -> Bool { candidate(by: step) != nil }

  /// Shows the next or the previous candidate at the cursor that is in no pane.
  public func turn(by step: Int) {
    guard let place = candidate(by: step) else { return }
    panes[cursor] = lineup.ids[place]
    next = max(next, place + 1)
  }

  /// Shows one photo more side by side, or two if there are as many as possible.
  public func addPane() {
    let counts = Self.paneCounts
    set(paneCount: paneCount < min(counts.upperBound, count) ? paneCount + 1 : counts.lowerBound)
  }

  private func set(paneCount: Int) {
    self.paneCount = paneCount
    if panes.count > paneCount {
      // The photo at the cursor stays.
      let kept = panes[cursor]
      panes = Array(panes.prefix(paneCount))
      if !panes.contains(kept) { panes[paneCount - 1] = kept }
      cursor = panes.firstIndex(of: kept) ?? 0
      next = (panes.compactMap { lineup.ids.firstIndex(of: $0) }.max() ?? 0) + 1
    }
    // Those that have not been side by side come first.
    let free = (Array(next..<count) + Array(0..<next)).filter {
      !panes.contains(lineup.ids[$0]) && !dismissed.contains(lineup.ids[$0])
    }
    for place in free.prefix(paneCount - panes.count) {
      panes.append(lineup.ids[place])
      next = max(next, place + 1)
    }
  }

  private func candidate(by step: Int) -> Int? {
    var place = (lineup.ids.firstIndex(of: panes[cursor]) ?? 0) + step
    while lineup.ids.indices.contains(place) {
      if !panes.contains(lineup.ids[place]) { return place }
      place += step
    }
    return nil
  }
}
