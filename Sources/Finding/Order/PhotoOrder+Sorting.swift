import Gallery
import Photos

extension PhotoOrder {
  /// Sorts the photos of a table and returns their indices.
  ///
  /// Photos whose key is unknown come last in both directions. Photos with equal keys stay in the order of the table.
  /// The work runs outside the caller's actor on all processor cores, and stops when the task is canceled.
  public func indices(of table: PhotoTable) async throws(CancellationError) -> [TableIndex] {
    try await indices(of: table, pieceCount: 1 << 15)
  }

  /// - Parameter pieceCount: The number of photos that one task sorts.
  @concurrent
  func indices(of table: PhotoTable, pieceCount: Int) async throws(CancellationError) -> [TableIndex] {
    let all = table.indices
    if key == .source { return isAscending ? Array(all) : all.reversed() }
    var (runs, texts) = await sortedPieces(of: table, pieceCount)
    while runs.count > 1, !Task.isCancelled { runs = await merged(runs, texts) }
    if Task.isCancelled { throw CancellationError() }
    return runs.first?.indices ?? []
  }

  private func sortedPieces(of table: PhotoTable, _ pieceCount: Int) async -> ([SortedRun], SortTexts) {
    let starts = Array(stride(from: table.startIndex, to: table.endIndex, by: pieceCount))
    let pieces = await Parallel.map(starts.count) { piece in
      let range = starts[piece]..<min(table.endIndex, starts[piece] + pieceCount)
      var texts = SortTexts()
      return Task.isCancelled ? (SortedRun(), texts) : (SortedRun(table, range, by: self, &texts), texts)
    }
    return (pieces.map(\.0), pieces.reduce(into: SortTexts()) { $0.append($1.1) })
  }

  /// Merges every two neighboring runs into one.
  private func merged(_ runs: [SortedRun], _ texts: SortTexts) async -> [SortedRun] {
    await Parallel.map((runs.count + 1) / 2) { pair in
      guard pair * 2 + 1 < runs.count else { return runs[pair * 2] }
      return texts.withComparison(isAscending: isAscending) {
        runs[pair * 2].merged(with: runs[pair * 2 + 1], by: $0)
      }
    }
  }
}
