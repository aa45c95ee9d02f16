import Photos
import Synchronization

/// Finds photos in tables of any size, on as many cores as there are.
///
/// It keeps the words of the last table (``PieceIndex``), so that of one that has grown only what is new is read; and what
/// it found last, so that a query that narrows that looks only there. A search stops when its task is canceled or when
/// the next one starts, within the time that one piece of the table takes, some milliseconds.
public actor PhotoFinder {
  private var lineage: PhotoLineage?
  private var indexes: [PieceIndex?] = []
  private var last: (query: PhotoQuery, scores: [[UInt16]])?
  private var current: Search?
  private var preparation: Search?
  private let pieceCount: Int

  public init() { self.init(pieceCount: PieceIndex.mostPhotos) }

  /// - Parameter pieceCount: The photos that are searched at a time, ``PieceIndex/mostPhotos`` at most.
  init(pieceCount: Int) { self.pieceCount = pieceCount }

  var isSearching: Bool { current != nil }

  /// Reads the words of a table, for the first search not to wait for it. A search that starts meanwhile goes on where
  /// this has come; while one is under way this leaves it to the next.
  public func prepare(_ table: PhotoTable) async {
    if isSearching { return }
    preparation?.stop()
    let search = Search()
    preparation = search
    follow(table)
    _ = await pieces(of: table, search) { _, _ in [] }
  }

  /// Finds the photos that match a query.
  ///
  /// - Parameter order: The indices of the photos as they are sorted, for those that match equally well; nil for the
  ///   table's own order. Photos that it lacks at the table's end follow the others.
  /// - Returns: The indices of the photos, best match first.
  public func find(
    _ query: PhotoQuery, in table: PhotoTable, order: [Int32]? = nil
  ) async throws(CancellationError) -> [Int32] {
    // Tasks may come here in another order than they were made in: an older search must not stop a newer one.
    if Task.isCancelled { throw CancellationError() }
    current?.stop()
    preparation?.stop()
    let search = Search()
    current = search
    defer { if current === search { current = nil } }
    follow(table)
    let last = last
    let isSame = last?.query == query
    let candidates = last.map { query.narrows($0.query) } == true ? last?.scores : nil
    let scores = await pieces(of: table, search) { piece, index in
      let known = candidates.flatMap { piece < $0.count ? $0[piece] : nil }
      if isSame, let known, known.count == index.range.count { return known }
      return PieceSearch(index: index, table: table).scores(of: query, among: known)
    }
    guard let scores, !search.isStopped else { throw CancellationError() }
    if table.lineage === lineage { self.last = (query, scores) }
    return Ranking(scores).indices(order: order)
  }

  /// Forgets what is known of another table.
  private func follow(_ table: PhotoTable) {
    if lineage === table.lineage { return }
    lineage = table.lineage
    indexes = []
    last = nil
  }

  /// What `body` makes of each piece of a table, once its words have been read; nil if the search has been stopped.
  private func pieces(
    of table: PhotoTable, _ search: Search, _ body: @escaping @Sendable (Int, PieceIndex) -> [UInt16]
  ) async -> [[UInt16]]? {
    let starts = Array(stride(from: 0, to: table.count, by: pieceCount))
    indexes += Array(repeating: nil, count: max(0, starts.count - indexes.count))
    return await withTaskGroup { group in
      for (piece, start) in starts.enumerated() {
        let range = start..<min(table.count, start + pieceCount)
        let known = indexes[piece].flatMap { $0.range == range ? $0 : nil }
        group.addTask { () -> (piece: Int, index: PieceIndex, result: [UInt16])? in
          if search.isStopped || Task.isCancelled { return nil }
          let index = known ?? PieceIndex(table, range)
          return (piece, index, body(piece, index))
        }
      }
      var results = [[UInt16]?](repeating: nil, count: starts.count)
      for await answer in group {
        guard let answer else { continue }
        // Also of a search that is stopped, since the next one needs them as well.
        if table.lineage === lineage, answer.piece < indexes.count { indexes[answer.piece] = answer.index }
        results[answer.piece] = answer.result
      }
      return results.contains { $0 == nil } ? nil : results.compactMap(\.self)
    }
  }
}

/// Tells the tasks of a search that nobody waits for them any more.
private final class Search: Sendable {
  private let stopped = Atomic(false)

  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  func stop() { stopped.store(true, ordering: .relaxed) }
}
