import Gallery
import Photos

/// How photos are sorted.
public struct PhotoOrder: Hashable, Sendable {
  public enum Key: String, CaseIterable, Sendable {
    /// As the source has them.
    case source
    case date
    /// Without case and accents, numbers by their value.
    case name, camera
    case rating
    /// The pixels of the image.
    case size

    /// The direction that is wanted first: the newest, the best and the largest; texts from A on.
    public var isAscendingFirst: Bool {
      switch self {
      case .source, .name, .camera: true
      case .date, .rating, .size: false
      }
    }
  }

  public var key: Key
  public var isAscending: Bool

  /// - Parameter isAscending: nil for the direction that is wanted first.
  public init(_ key: Key = .source, isAscending: Bool? = nil) {
    self.key = key
    self.isAscending = isAscending ?? key.isAscendingFirst
  }

  /// The indices of a table's photos in this order. Photos of which the key is not known come last, whatever the
  /// direction; those with the same key stay in the order of the table.
  ///
  /// It is worked out off the caller's actor, on as many cores as there are, and given up when the task is canceled.
  public func indices(of table: PhotoTable) async throws(CancellationError) -> [Int32] {
    try await indices(of: table, pieceCount: 1 << 15)
  }

  /// - Parameter pieceCount: The photos that are sorted at a time.
  @concurrent
  func indices(of table: PhotoTable, pieceCount: Int) async throws(CancellationError) -> [Int32] {
    let all = 0..<Int32(table.count)
    if key == .source { return isAscending ? Array(all) : all.reversed() }
    var (runs, texts) = await sortedPieces(of: table, pieceCount)
    while runs.count > 1, !Task.isCancelled { runs = await merged(runs, texts) }
    if Task.isCancelled { throw CancellationError() }
    return runs.first?.indices ?? []
  }

  private func sortedPieces(of table: PhotoTable, _ pieceCount: Int) async -> ([SortedRun], SortTexts) {
    let starts = Array(stride(from: 0, to: table.count, by: pieceCount))
    let pieces = await Self.inParallel(starts.count) { piece in
      let range = starts[piece]..<min(table.count, starts[piece] + pieceCount)
      var texts = SortTexts()
      return Task.isCancelled ? (SortedRun(), texts) : (SortedRun(table, range, by: self, &texts), texts)
    }
    return (pieces.map(\.0), pieces.reduce(into: SortTexts()) { $0.append($1.1) })
  }

  /// Each two neighbors in one.
  private func merged(_ runs: [SortedRun], _ texts: SortTexts) async -> [SortedRun] {
    await Self.inParallel((runs.count + 1) / 2) { pair in
      guard pair * 2 + 1 < runs.count else { return runs[pair * 2] }
      return texts.withComparison(isAscending: isAscending) {
        runs[pair * 2].merged(with: runs[pair * 2 + 1], by: $0)
      }
    }
  }

  private static func inParallel<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Result
  ) async -> [Result] {
    await withTaskGroup { group in
      for number in 0..<count { group.addTask { (number, body(number)) } }
      return await group.reduce(into: [Result?](repeating: nil, count: count)) { $0[$1.0] = $1.1 }.compactMap(\.self)
    }
  }
}
